/** Time and order around the rules without Effect, by a fake clock: silence, backoff, a draining server, a slow reader. */
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import type { FollowItem } from "../../src/follow/FollowState.ts"
import { changes } from "../../src/plain/changes.ts"
import { follow } from "../../src/plain/follow.ts"
import { platformTiming } from "../../src/plain/Timing.ts"
import { fromNow, id, settings, TestLine } from "../follow/TestLine.ts"

const listen = (line: TestLine) => {
  const items: Array<FollowItem> = []
  const stop = new AbortController()
  const reading = (async () => {
    for await (const item of follow({ first: line.transport }, settings, fromNow, platformTiming, stop.signal)) items.push(item)
  })()
  const seqs = () => items.flatMap((item) => (item._tag === "Change" ? [item.change.seq] : []))
  return { items, reading, seqs, stop }
}

const advance = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe("the loop around the rules", () => {
  it("reconnects after 2.5 heartbeats of silence, and not before", async () => {
    const line = new TestLine()
    line.make()
    const { reading, seqs, stop } = listen(line)
    await advance(1)
    for (let beat = 0; beat < 4; beat++) {
      await advance(15_000)
      line.model.heartbeat()
      line.flush()
      await advance(1)
    }
    await advance(37_000)
    assert.strictEqual(line.connections, 1)
    await advance(1_000)
    assert.deepStrictEqual([line.connections, line.open], [2, 1])
    line.make()
    await advance(1)
    assert.deepStrictEqual(seqs(), [1, 2])
    stop.abort()
    await reading
    assert.strictEqual(line.open, 0)
  })

  it("reconnects after silence, even if the wall clock is set back by hours", async () => {
    const line = new TestLine()
    line.make()
    const { reading, stop } = listen(line)
    await advance(1)
    vi.setSystemTime(Date.now() - 7 * 3_600_000)
    await advance(38_000)
    assert.strictEqual(line.connections, 2)
    stop.abort()
    await reading
  })

  it("waits longer after each failed attempt, and fails after the last", async () => {
    const line = new TestLine()
    line.accepts = false
    const { items, reading } = listen(line)
    const failure = reading.catch((error: unknown) => error)
    await advance(10_000)
    assert.deepInclude(await failure, { _tag: "LiveError", reason: "Unreachable" })
    assert.deepStrictEqual([line.connections, line.open], [4, 0])
    const waits = items.flatMap((item) => (item._tag === "Notice" && item.notice.type === "stale" ? [item.notice.retryInMs] : []))
    assert.strictEqual(waits.length, 3)
    for (const [attempt, wait] of waits.entries()) {
      assert.isAtLeast(wait, 125 * 2 ** attempt)
      assert.isAtMost(wait, 250 * 2 ** attempt)
    }
  })

  it("stays with a draining server until `after_ms` is over, and misses nothing", async () => {
    const line = new TestLine()
    line.make()
    const { reading, seqs, stop } = listen(line)
    await advance(1)
    line.model.leave()
    line.flush()
    await advance(50)
    line.make()
    await advance(1)
    assert.deepStrictEqual([line.connections, seqs().length], [1, 2])
    await advance(100)
    assert.strictEqual(line.connections, 2)
    line.make()
    await advance(1)
    assert.deepStrictEqual(seqs(), [1, 2, 3])
    stop.abort()
    await reading
  })

  it("closes the connection of a slow reader when the inbox is full, and resumes without loss", async () => {
    const line = new TestLine()
    line.make()
    const stop = new AbortController()
    const items = follow({ first: line.transport }, settings, fromNow, platformTiming, stop.signal)
    const seqs: Array<number> = []
    const read = async (changes: number) => {
      for (const end = seqs.length + changes; seqs.length < end; ) {
        const { value } = await items.next()
        if (value?._tag === "Change") seqs.push(value.change.seq)
      }
    }
    await read(1)
    line.make(6_000)
    const reading = read(6_000)
    await advance(10_000)
    await reading
    assert.isAtLeast(line.connections, 2)
    assert.isTrue(seqs.every((seq, index) => seq === index + 1))
    await items.return()
    assert.strictEqual(line.open, 0)
  })

  it("fails on a message that the contract forbids, and ignores types that it does not know", async () => {
    const line = new TestLine()
    const { reading } = listen(line)
    const failure = reading.catch((error: unknown) => error)
    await advance(1)
    line.model.wire.push({ type: "news.of.a.newer.server", anything: true }, { type: "cs2.live.delta", seq: "one" })
    line.flush()
    await advance(1)
    assert.deepInclude(await failure, { reason: "Protocol", room: `match:${id}` })
  })

  it("ends a wait for the next attempt when it is stopped", async () => {
    const line = new TestLine()
    line.accepts = false
    const { reading, stop } = listen(line)
    await advance(1)
    stop.abort()
    await reading
    assert.strictEqual(line.connections, 1)
  })

  it("closes the connection if `onNotice` throws", async () => {
    const line = new TestLine()
    line.make()
    const failing = changes((stop) => follow({ first: line.transport }, settings, fromNow, platformTiming, stop), {
      onNotice: () => {
        throw new Error("a defect of the caller")
      },
    })
    const failure = failing[Symbol.asyncIterator]()
      .next()
      .then(
        () => "no failure",
        (error: unknown) => String(error),
      )
    await advance(1)
    assert.match(await failure, /a defect of the caller/)
    assert.deepStrictEqual([line.connections, line.open], [1, 0])
  })
})

it("a timer of more than 24 days does not end at once", async () => {
  let ended = false
  const cancel = platformTiming.after(2 ** 31, () => {
    ended = true
  })
  await advance(60_000)
  assert.isFalse(ended)
  cancel()
})
