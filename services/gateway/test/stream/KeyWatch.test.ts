/** Keys of open streams, with a store that the test controls. */
import { assert, it } from "@effect/vitest"
import { AccountId, ApiKeyId, type Customer, termsOf } from "@matchpoint/domain/accounts"
import { gameName } from "@matchpoint/domain/ids"
import type { AddOn, Game, Plan } from "@matchpoint/domain/plans"
import { StreamLimits } from "@matchpoint/metering/counts/StreamLimits"
import * as LedgerMemory from "@matchpoint/metering/LedgerMemory"
import { Meter } from "@matchpoint/metering/Meter"
import { StreamMeter } from "@matchpoint/metering/StreamMeter"
import { ApiKeys } from "@matchpoint/store/keys/ApiKeys"
import { StoreError } from "@matchpoint/store/StoreError"
import { Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { Authenticator } from "../../src/keys/Authenticator.ts"
import { type LiveChannel, replayChannel, socketChannel, streamChannel } from "../../src/stream/channels.ts"
import { KeyWatch } from "../../src/stream/KeyWatch.ts"
import { OpenStreams } from "../../src/stream/OpenStreams.ts"
import type { StreamEnd } from "../../src/stream/streamEnds.ts"

const cs2 = gameName("cs2")

const customer = (n: number, plan: Plan, agreed: { readonly addOns?: ReadonlyArray<AddOn>; readonly game?: Game } = {}): Customer => {
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`
  return { keyId: ApiKeyId.make(id), accountId: AccountId.make(id), ...termsOf(plan, agreed) }
}

class World {
  readonly keys = new Map<string, Customer>()
  readonly asked: Array<number> = []
  readonly forgotten: Array<string> = []
  isDown = false
  /** A query that contains this key fails. */
  poisoned: string | undefined

  readonly layer = KeyWatch.layer.pipe(
    Layer.provideMerge(OpenStreams.layer),
    Layer.provide(StreamLimits.layer),
    Layer.provideMerge(
      Layer.effect(
        ApiKeys,
        Effect.sync(() =>
          ApiKeys.of({
            verify: () => Effect.succeedNone,
            current: (keyIds) =>
              Effect.suspend(() => {
                this.asked.push(keyIds.length)
                if (this.isDown || keyIds.some((keyId) => keyId === this.poisoned))
                  return Effect.fail(new StoreError({ operation: "current", cause: new Error("gone") }))
                const found = keyIds.flatMap((keyId) => Option.toArray(Option.fromUndefinedOr(this.keys.get(keyId))))
                return Effect.delay(Effect.succeed(found), "100 millis")
              }),
          }),
        ),
      ),
    ),
    Layer.provide(
      Layer.succeed(
        Authenticator,
        Authenticator.of({
          authenticate: () => Effect.die("not asked here"),
          confirm: () => {},
          forget: (keyId) => {
            this.forgotten.push(keyId)
          },
        }),
      ),
    ),
    Layer.provide(StreamMeter.layer),
    Layer.provide(Meter.layer),
    Layer.provide(LedgerMemory.layer(1_000_000)),
  )

  /** Opens a stream that records how it is ended and then releases its ticket, as a connection would. */
  readonly open = Effect.fnUntraced(function* (key: Customer, channel: LiveChannel = socketChannel(cs2)) {
    const streams = yield* OpenStreams
    const ticket = yield* streams.open(key, channel)
    const endings: Array<StreamEnd["_tag"]> = []
    ticket.holder = {
      end: ({ _tag }) => {
        endings.push(_tag)
        ticket.release()
      },
    }
    return endings
  })
}

it.effect("ends the streams of removed keys, with one query for all keys and none if no stream is open", () => {
  const world = new World()
  return Effect.gen(function* () {
    const [staying, leaving] = [customer(1, "scale"), customer(2, "scale")]
    for (const key of [staying, leaving]) world.keys.set(key.keyId, key)
    yield* TestClock.adjust("9 seconds")
    assert.deepStrictEqual(world.asked, [])
    const [one, two, three] = [yield* world.open(staying), yield* world.open(leaving), yield* world.open(leaving, streamChannel(cs2))]
    yield* TestClock.adjust("4 seconds")
    assert.deepStrictEqual([world.asked, one, two, three], [[2], [], [], []])
    world.keys.delete(leaving.keyId)
    yield* TestClock.adjust("3100 millis")
    assert.deepStrictEqual([one, two, three], [[], ["KeyEnded"], ["KeyEnded"]])
    assert.include(world.forgotten, leaving.keyId)
    assert.notInclude(world.forgotten, staying.keyId)
    const streams = yield* OpenStreams
    assert.deepStrictEqual(streams.keys(), [staying.keyId])
  }).pipe(Effect.provide(world.layer))
})

it.effect("keeps streams open while the store does not answer", () => {
  const world = new World()
  return Effect.gen(function* () {
    const key = customer(1, "scale")
    world.keys.set(key.keyId, key)
    const endings = yield* world.open(key)
    world.isDown = true
    yield* TestClock.adjust("60 seconds")
    assert.isAbove(world.asked.length, 10)
    assert.deepStrictEqual(endings, [])
    world.isDown = false
    world.keys.delete(key.keyId)
    yield* TestClock.adjust("4 seconds")
    assert.deepStrictEqual(endings, ["KeyEnded"])
  }).pipe(Effect.provide(world.layer))
})

it.effect("checks the other keys if one query fails", () => {
  const world = new World()
  return Effect.gen(function* () {
    const keys = Array.from({ length: 5_001 }, (_, n) => customer(n + 1, "scale"))
    for (const key of keys) world.keys.set(key.keyId, key)
    const endings = yield* Effect.forEach(keys, (key) => world.open(key))
    world.poisoned = keys[0]?.keyId
    world.keys.delete(keys[5_000]?.keyId ?? "")
    yield* TestClock.adjust("4 seconds")
    assert.deepStrictEqual(world.asked, [5_000, 1])
    assert.deepStrictEqual(endings[5_000], ["KeyEnded"])
    assert.deepStrictEqual(endings[0], [])
  }).pipe(Effect.provide(world.layer))
})

const changes: ReadonlyArray<readonly [string, Customer, Customer, LiveChannel, boolean]> = [
  ["a new plan", customer(1, "pro"), customer(1, "scale"), streamChannel(cs2), true],
  [
    "removing an add-on that a WebSocket needs",
    customer(1, "pro", { addOns: ["live-websockets"] }),
    customer(1, "pro"),
    socketChannel(cs2),
    true,
  ],
  [
    "removing an add-on that a stream does not need",
    customer(1, "pro", { addOns: ["live-websockets"] }),
    customer(1, "pro"),
    streamChannel(cs2),
    false,
  ],
  ["a new game", customer(1, "starter", { game: "cs2" }), customer(1, "starter", { game: "tennis" }), replayChannel(cs2), true],
  ["a new quota", customer(1, "pro"), { ...customer(1, "pro"), requestsPerMonth: 5, requestsPerSecond: 1 }, streamChannel(cs2), false],
]

for (const [what, before, after, channel, isOver] of changes) {
  it.effect(`${what} ${isOver ? "makes a stream reconnect" : "keeps a stream open"}`, () => {
    const world = new World()
    return Effect.gen(function* () {
      world.keys.set(before.keyId, before)
      const endings = yield* world.open(before, channel)
      yield* TestClock.adjust("4 seconds")
      world.keys.set(after.keyId, after)
      yield* TestClock.adjust("4 seconds")
      assert.deepStrictEqual(endings, isOver ? ["PlanChanged"] : [])
    }).pipe(Effect.provide(world.layer))
  })
}

it.effect("does not apply a query's result to streams opened during the query", () => {
  const world = new World()
  return Effect.gen(function* () {
    const [before, after] = [customer(1, "pro"), customer(1, "scale")]
    world.keys.set(before.keyId, before)
    const old = yield* world.open(before, streamChannel(cs2))
    // The query runs at 3 s and returns 100 ms later with the state at 3 s.
    yield* TestClock.adjust("3050 millis")
    const fresh = yield* world.open(after, streamChannel(cs2))
    world.keys.set(after.keyId, after)
    yield* TestClock.adjust("100 millis")
    assert.deepStrictEqual([old, fresh], [[], []])
    yield* TestClock.adjust("4 seconds")
    assert.deepStrictEqual([old, fresh], [["PlanChanged"], []])
  }).pipe(Effect.provide(world.layer))
})
