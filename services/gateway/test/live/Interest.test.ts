import { assert, describe, it } from "vitest"
import { Interest, LINGER_MS } from "../../src/live/Interest.ts"

const opened = () => {
  const clock = { now: 0 }
  const interest = new Interest(() => clock.now)
  let missing = 0
  interest.onMissing = () => {
    missing += 1
  }
  return { clock, interest, missing: () => missing }
}

describe("the partitions that a tier must read", () => {
  it("are those that are held, and for a minute those that were", () => {
    const { clock, interest, missing } = opened()
    const release = interest.hold(3)
    const second = interest.hold(3)
    assert.deepEqual([interest.wanted(), missing()], [new Set([3]), 2])
    interest.settle(new Set([3]))
    interest.hold(3)()
    assert.equal(missing(), 2)
    release()
    release()
    clock.now = LINGER_MS * 2
    assert.deepEqual(interest.wanted(), new Set([3]))
    second()
    clock.now += LINGER_MS - 1
    assert.deepEqual(interest.wanted(), new Set([3]))
    clock.now += 1
    assert.deepEqual(interest.wanted(), new Set())
  })

  it("are all of them if all matches are followed, or more than half of the partitions are in use", () => {
    const { clock, interest } = opened()
    const release = interest.hold("all")
    assert.equal(interest.wanted(), "all")
    release()
    clock.now = LINGER_MS
    for (let partition = 0; partition < 32; partition++) interest.hold(partition)
    assert.equal((interest.wanted() as ReadonlySet<number>).size, 32)
    interest.hold(32)
    assert.equal(interest.wanted(), "all")
  })
})

describe("a partition that is read already", () => {
  it("stays if somebody has begun to use it since others were chosen", () => {
    const { interest } = opened()
    interest.settle(new Set([1, 2, 3]))
    interest.whenRead([1], () => {})
    interest.settle(new Set([4]))
    assert.deepEqual(interest.read, new Set([4, 1]))
    interest.settle("all")
    interest.hold(9)
    interest.settle(new Set([4]))
    assert.deepEqual(interest.read, new Set([4, 1, 9]))
    interest.settle("all")
    interest.hold("all")
    interest.settle(new Set([4]))
    assert.equal(interest.read, "all")
  })
})

describe("a caller that waits for partitions", () => {
  it("is called once all are read, and at once if they are", () => {
    const { clock, interest } = opened()
    let calls = 0
    interest.whenRead([1, 2], () => (calls += 1))
    assert.deepEqual([calls, interest.wanted()], [0, new Set([1, 2])])
    interest.settle(new Set([1]))
    assert.equal(calls, 0)
    interest.settle(new Set([1, 2]))
    assert.equal(calls, 1)
    interest.settle(new Set([1, 2, 3]))
    assert.equal(calls, 1)
    interest.whenRead([2], () => (calls += 1))
    assert.equal(calls, 2)
    interest.settle("all")
    interest.whenRead(["all"], () => (calls += 1))
    assert.equal(calls, 3)
    clock.now = LINGER_MS
    assert.deepEqual(interest.wanted(), new Set())
  })

  it("is not called if another one that is called before makes it stop waiting", () => {
    const { interest } = opened()
    let cancel = () => {}
    interest.whenRead([5], () => cancel())
    cancel = interest.whenRead([5], () => assert.fail("called"))
    interest.settle(new Set([5]))
  })

  it("is not called after it has stopped waiting", () => {
    const { clock, interest } = opened()
    const cancel = interest.whenRead([5], () => assert.fail("called"))
    cancel()
    interest.settle(new Set([5]))
    clock.now = LINGER_MS
    assert.deepEqual(interest.wanted(), new Set())
  })
})
