import { assert, it } from "@effect/vitest"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { UnsentBytes, type UnsentClient } from "../../src/stream/UnsentBytes.ts"

const BOUND = 1_000

const layer = UnsentBytes.layer.pipe(
  Layer.provide(
    Layer.effect(
      GatewayConfig,
      Effect.map(GatewayConfig, (defaults) => ({ ...defaults, maxUnsentBytes: BOUND })),
    ),
  ),
)

/** A client of one transport, with its waiting bytes. A connection that is cut is removed. */
const clientOf = (readsGoodbye: boolean, bytes: number, clients: Set<UnsentClient>) => {
  const actions: Array<"end" | "cut"> = []
  const outlet = {
    unsentBytes: bytes,
    endSlow: () => (readsGoodbye ? actions.push("end") : outlet.cut()),
    cut: () => {
      actions.push("cut")
      clients.delete(client)
    },
  }
  const client = { outlet, actions }
  clients.add(client)
  return client
}

/** Registers connections with these numbers of waiting bytes. */
const crowdOf = Effect.fnUntraced(function* (readsGoodbye: boolean, bytes: ReadonlyArray<number>) {
  const unsent = yield* UnsentBytes
  const clients = new Set<UnsentClient>()
  const all = bytes.map((one) => clientOf(readsGoodbye, one, clients))
  yield* unsent.register(clients)
  return { all, actions: () => all.map(({ actions }) => actions.join()) }
})

const look = TestClock.adjust("250 millis")

it.effect("ends no connection up to the limit", () =>
  Effect.gen(function* () {
    const { actions } = yield* crowdOf(true, [500, 300, 200])
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(actions(), ["", "", ""])
  }).pipe(Effect.provide(layer)),
)

it.effect("ends the connections with the most bytes, as few as needed, and cuts those that do not read", () =>
  Effect.gen(function* () {
    const { actions } = yield* crowdOf(true, [100, 600, 400, 0, 450])
    yield* look
    assert.deepStrictEqual(actions(), ["", "end", "", "", ""])
    yield* look
    assert.deepStrictEqual(actions(), ["", "end,cut", "", "", ""])
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(actions(), ["", "end,cut", "", "", ""])
  }).pipe(Effect.provide(layer)),
)

it.effect("does not cut a connection that was ended and has read in time", () =>
  Effect.gen(function* () {
    const { all, actions } = yield* crowdOf(true, [600, 500])
    yield* look
    for (const { outlet, actions } of all) outlet.unsentBytes = actions.length > 0 ? 0 : 900
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(actions(), ["end", ""])
  }).pipe(Effect.provide(layer)),
)

it.effect("counts all transports together, and cuts immediately if no reason can be sent", () =>
  Effect.gen(function* () {
    const sockets = yield* crowdOf(true, [300, 300])
    const streams = yield* crowdOf(false, [350, 250])
    yield* look
    assert.deepStrictEqual(
      [sockets.actions(), streams.actions()],
      [
        ["", ""],
        ["cut", ""],
      ],
    )
  }).pipe(Effect.provide(layer)),
)

it.effect("ignores connections after their scope has closed", () =>
  Effect.gen(function* () {
    const gone = yield* Effect.scoped(crowdOf(true, [900]))
    const here = yield* crowdOf(true, [900])
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual([gone.actions(), here.actions()], [[""], [""]])
  }).pipe(Effect.provide(layer)),
)
