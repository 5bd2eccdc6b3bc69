/** Contract tests for every driver of the shared counts. */
import { assert, type Vitest } from "@effect/vitest"
import { ApiKeyId } from "@matchpoint/domain/accounts"
import { FREE_WITHIN_MS, LOST_AFTER_MS, type StreamClaim, type StreamGrant } from "@matchpoint/domain/metering/streamCounts"
import { Context, Effect, Random } from "effect"
import type { SharedCountsPort } from "../../src/counts/SharedCounts.ts"
import { uuidOf } from "../../src/uuidOf.ts"

/** Counts under test, whose clock the test sets. */
export class TestedCounts extends Context.Service<
  TestedCounts,
  SharedCountsPort & { /** Epoch milliseconds. */ readonly setTime: (now: number) => void }
>()("@matchpoint/metering/test/counts/countsSuite/TestedCounts") {}

const newId = Effect.map(Random.Random, uuidOf)
const newKey = Effect.map(newId, (id) => ApiKeyId.make(id))
const none = { connections: 0, streams: 0, replays: 0 }

/** Claims `connections` billed connections, all of which use credits. */
const connect = (keyId: ApiKeyId, held: number, wanted: number, limit: number): StreamClaim => ({
  keyId,
  held: { connections: held, streams: held, replays: 0 },
  wanted: { connections: wanted, streams: wanted, replays: 0 },
  limit: { connections: limit, replays: 1 },
  redeem: wanted,
})

let now = Date.UTC(2026, 10, 22, 12)

const pass = (ms: number) =>
  Effect.map(TestedCounts, ({ setTime }) => {
    now += ms
    setTime(now)
  })

const claim = (gateway: string, one: StreamClaim) =>
  Effect.gen(function* () {
    const { grants } = yield* (yield* TestedCounts).exchange(gateway, [one])
    assert.lengthOf(grants, 1)
    return grants[0] as StreamGrant
  })

const isAlive = (gateway: string) => Effect.flatMap(TestedCounts, (counts) => counts.exchange(gateway, []))

export const countsSuite = (it: Vitest.MethodsNonLive<TestedCounts>) => {
  it.effect("grants connections up to the limit over all gateways", () =>
    Effect.gen(function* () {
      yield* pass(0)
      const [one, two, three, key] = [yield* newId, yield* newId, yield* newId, yield* newKey]
      assert.deepStrictEqual(yield* claim(one, connect(key, 0, 3, 5)), { connections: 3, replays: 0, free: 0 })
      assert.strictEqual((yield* claim(two, connect(key, 0, 3, 5))).connections, 2)
      assert.strictEqual((yield* claim(three, connect(key, 0, 1, 5))).connections, 0)
      // Another key has its own places.
      assert.strictEqual((yield* claim(three, connect(yield* newKey, 0, 1, 5))).connections, 1)
      // A connection that ends makes room at once.
      assert.strictEqual((yield* claim(one, connect(key, 2, 0, 5))).connections, 0)
      assert.strictEqual((yield* claim(three, connect(key, 0, 2, 5))).connections, 1)
    }),
  )

  it.effect("limits replays separately from connections", () =>
    Effect.gen(function* () {
      yield* pass(0)
      const [one, two, keyId] = [yield* newId, yield* newId, yield* newKey]
      const wanted = { connections: 1, streams: 1, replays: 2 }
      const limit = { connections: 5, replays: 3 }
      assert.deepStrictEqual(yield* claim(one, { keyId, held: none, wanted, limit, redeem: 1 }), { connections: 1, replays: 2, free: 0 })
      assert.deepStrictEqual(yield* claim(two, { keyId, held: none, wanted, limit, redeem: 1 }), { connections: 1, replays: 1, free: 0 })
      assert.deepStrictEqual(yield* claim(two, { keyId, held: wanted, wanted, limit, redeem: 1 }), { connections: 1, replays: 0, free: 0 })
    }),
  )

  it.effect("decides many claims of an exchange, each for its key, and applies a repeated report once", () =>
    Effect.gen(function* () {
      yield* pass(0)
      const counts = yield* TestedCounts
      const [one, two] = [yield* newId, yield* newId]
      const keys = yield* Effect.all(Array.from({ length: 40 }, () => newKey))
      const first = keys.map((key, n) => connect(key, 0, n % 7, 3))
      const { grants } = yield* counts.exchange(one, first)
      assert.deepStrictEqual(
        grants.map(({ connections }) => connections),
        keys.map((_, n) => Math.min(3, n % 7)),
      )
      const held = keys.map((key, n) => connect(key, Math.min(3, n % 7), 0, 3))
      yield* counts.exchange(one, held)
      yield* counts.exchange(one, held)
      const rest = yield* counts.exchange(
        two,
        keys.map((key) => connect(key, 0, 3, 3)),
      )
      assert.deepStrictEqual(
        rest.grants.map(({ connections }) => connections),
        keys.map((_, n) => 3 - Math.min(3, n % 7)),
      )
    }),
  )

  it.effect("counts what a gateway holds beyond the limit, and grants nothing above it", () =>
    Effect.gen(function* () {
      yield* pass(0)
      const [one, two, key] = [yield* newId, yield* newId, yield* newKey]
      assert.strictEqual((yield* claim(one, connect(key, 8, 1, 5))).connections, 0)
      assert.strictEqual((yield* claim(two, connect(key, 0, 1, 5))).connections, 0)
      assert.strictEqual((yield* claim(two, connect(key, 0, 1, 9))).connections, 1)
    }),
  )

  it.effect("does not count a gateway that is silent, and makes each of its streams free once", () =>
    Effect.gen(function* () {
      yield* pass(0)
      const [lost, other, third, key] = [yield* newId, yield* newId, yield* newId, yield* newKey]
      yield* claim(lost, connect(key, 0, 4, 5))
      yield* pass(LOST_AFTER_MS)
      assert.deepStrictEqual(yield* claim(other, connect(key, 0, 2, 5)), { connections: 1, replays: 0, free: 0 })
      yield* pass(1)
      assert.include((yield* isAlive(other)).gone, lost)
      assert.deepStrictEqual(yield* claim(other, connect(key, 1, 2, 5)), { connections: 2, replays: 0, free: 2 })
      // A refused connection uses no credit.
      assert.deepStrictEqual(yield* claim(third, connect(key, 0, 3, 4)), { connections: 1, replays: 0, free: 1 })
      // A connect in the past uses a credit too.
      assert.deepStrictEqual(yield* claim(third, { ...connect(key, 1, 0, 5), redeem: 2 }), { connections: 0, replays: 0, free: 1 })
      assert.strictEqual((yield* claim(third, { ...connect(key, 1, 0, 5), redeem: 2 })).free, 0)
    }),
  )

  it.effect("lets credits expire", () =>
    Effect.gen(function* () {
      yield* pass(0)
      const [lost, other, key] = [yield* newId, yield* newId, yield* newKey]
      yield* claim(lost, connect(key, 0, 4, 9))
      yield* pass(FREE_WITHIN_MS)
      assert.strictEqual((yield* claim(other, connect(key, 0, 1, 9))).free, 1)
      yield* pass(1)
      assert.strictEqual((yield* claim(other, connect(key, 1, 1, 9))).free, 0)
      assert.notInclude((yield* isAlive(other)).gone, lost)
    }),
  )

  it.effect("uses the credits of several gateways", () =>
    Effect.gen(function* () {
      yield* pass(0)
      const [one, two, three, other, key] = [yield* newId, yield* newId, yield* newId, yield* newId, yield* newKey]
      for (const gateway of [one, two, three]) yield* claim(gateway, connect(key, 0, 2, 20))
      for (const gateway of [one, two, three]) yield* (yield* TestedCounts).leave(gateway)
      const free = []
      for (const wanted of [3, 1, 5]) free.push((yield* claim(other, connect(key, 0, wanted, 20))).free)
      assert.deepStrictEqual(free, [3, 1, 2])
    }),
  )

  it.effect("treats a gateway that leaves as gone at once", () =>
    Effect.gen(function* () {
      yield* pass(0)
      const counts = yield* TestedCounts
      const [leaving, other, key] = [yield* newId, yield* newId, yield* newKey]
      yield* claim(leaving, connect(key, 0, 5, 5))
      assert.isTrue((yield* isAlive(leaving)).isKnown)
      yield* counts.leave(leaving)
      assert.deepStrictEqual(yield* claim(other, connect(key, 0, 5, 5)), { connections: 5, replays: 0, free: 5 })
      assert.isFalse((yield* isAlive(leaving)).isKnown)
    }),
  )

  it.effect("counts a gateway again that was silent and comes back, without its credits", () =>
    Effect.gen(function* () {
      yield* pass(0)
      const [frozen, other, key] = [yield* newId, yield* newId, yield* newKey]
      assert.isFalse((yield* isAlive(frozen)).isKnown)
      yield* claim(frozen, connect(key, 0, 3, 5))
      assert.isTrue((yield* isAlive(frozen)).isKnown)
      yield* pass(LOST_AFTER_MS + 1)
      assert.isFalse((yield* isAlive(frozen)).isKnown)
      yield* claim(frozen, connect(key, 3, 0, 5))
      assert.deepStrictEqual(yield* claim(other, connect(key, 0, 3, 5)), { connections: 2, replays: 0, free: 0 })
    }),
  )

  it.effect("adds what was used, blocks beyond the burst, and refills", () =>
    Effect.gen(function* () {
      yield* pass(0)
      const { spend } = yield* TestedCounts
      const [one, other] = [yield* newId, yield* newId]
      const spending = (bucket: string, costMs: number) => ({ bucket, costMs, burstMs: 1_000 })
      assert.deepStrictEqual(yield* spend([spending(one, 800), spending(other, 1_500)]), [0, 500])
      assert.deepStrictEqual(yield* spend([spending(other, 100), spending(one, 800)]), [600, 600])
      yield* pass(600)
      assert.deepStrictEqual(yield* spend([spending(one, 0), spending(other, 20)]), [0, 20])
      yield* pass(3_600_000 + 2_000)
      assert.deepStrictEqual(yield* spend([spending(one, 1_001)]), [1])
      assert.deepStrictEqual(yield* spend([]), [])
    }),
  )

  it.effect("grants exactly the limit to gateways that claim at the same moment", () =>
    Effect.gen(function* () {
      yield* pass(0)
      const [key, second] = [yield* newKey, yield* newKey]
      const counts = yield* TestedCounts
      const gateways = yield* Effect.all(Array.from({ length: 5 }, () => newId))
      const answers = yield* Effect.forEach(
        gateways,
        (gateway, n) =>
          counts.exchange(
            gateway,
            n % 2 === 0 ? [connect(key, 0, 30, 100), connect(second, 0, 1, 2)] : [connect(second, 0, 1, 2), connect(key, 0, 30, 100)],
          ),
        { concurrency: "unbounded" },
      )
      const granted = answers.map(({ grants }, n) => (n % 2 === 0 ? grants : grants.toReversed()).map(({ connections }) => connections))
      assert.strictEqual(
        granted.reduce((sum, [first]) => sum + (first ?? 0), 0),
        100,
      )
      assert.strictEqual(
        granted.reduce((sum, [, last]) => sum + (last ?? 0), 0),
        2,
      )
    }),
  )
}
