import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { GatewayConfig } from "../../src/GatewayConfig.ts"
import { UnsentBytes } from "../../src/stream/UnsentBytes.ts"

const BOUND = 1_000

const layer = UnsentBytes.layer.pipe(
  Layer.provide(
    Layer.effect(
      GatewayConfig,
      Effect.map(GatewayConfig, (defaults) => ({ ...defaults, maxUnsentBytes: BOUND })),
    ),
  ),
)

interface Connection {
  bytes: number
  said: Array<"end" | "cut">
}

/** Connections with so many bytes each. What is cut is gone. */
const crowdOf = Effect.fnUntraced(function* (readsGoodbye: boolean, bytes: ReadonlyArray<number>) {
  const unsent = yield* UnsentBytes
  const all = bytes.map((one): Connection => ({ bytes: one, said: [] }))
  const connections = new Set(all)
  yield* unsent.register<Connection>({
    connections,
    bytesOf: (connection) => connection.bytes,
    end: ({ said }) => {
      if (readsGoodbye) said.push("end")
      return readsGoodbye
    },
    cut: (connection) => {
      connection.said.push("cut")
      connections.delete(connection)
    },
  })
  return { all, said: () => all.map(({ said }) => said.join()) }
})

const look = TestClock.adjust("250 millis")

it.effect("leaves everybody alone up to the bound", () =>
  Effect.gen(function* () {
    const { said } = yield* crowdOf(true, [500, 300, 200])
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(said(), ["", "", ""])
  }).pipe(Effect.provide(layer)),
)

it.effect("ends those with most of it, no more than needed, and cuts them off where they do not read it", () =>
  Effect.gen(function* () {
    const { said } = yield* crowdOf(true, [100, 600, 400, 0, 450])
    yield* look
    assert.deepStrictEqual(said(), ["", "end", "", "", ""])
    yield* look
    assert.deepStrictEqual(said(), ["", "end,cut", "", "", ""])
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(said(), ["", "end,cut", "", "", ""])
  }).pipe(Effect.provide(layer)),
)

it.effect("leaves alone who was told to go and has read in time", () =>
  Effect.gen(function* () {
    const { all, said } = yield* crowdOf(true, [600, 500])
    yield* look
    for (const connection of all) connection.bytes = connection.said.length > 0 ? 0 : 900
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(said(), ["end", ""])
  }).pipe(Effect.provide(layer)),
)

it.effect("counts all crowds together, and cuts at once where no good-bye can be read", () =>
  Effect.gen(function* () {
    const sockets = yield* crowdOf(true, [300, 300])
    const streams = yield* crowdOf(false, [350, 250])
    yield* look
    assert.deepStrictEqual(
      [sockets.said(), streams.said()],
      [
        ["", ""],
        ["cut", ""],
      ],
    )
  }).pipe(Effect.provide(layer)),
)

it.effect("forgets a crowd whose scope has closed", () =>
  Effect.gen(function* () {
    const gone = yield* Effect.scoped(crowdOf(true, [900]))
    const here = yield* crowdOf(true, [900])
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual([gone.said(), here.said()], [[""], [""]])
  }).pipe(Effect.provide(layer)),
)
