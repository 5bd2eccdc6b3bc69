import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Latch, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { restartWhen } from "../../src/supervision/restartWhen.ts"

class Server extends Context.Service<Server, { readonly number: number }>()(
  "@matchpoint/process/test/supervision/restartWhen.test/Server",
) {}

/** A server that notes when it starts and stops. `failures` is the number of starts that fail from now on, every second one unexpectedly. */
const scripted = () => {
  const events: Array<string> = []
  const state = { failures: 0, starts: 0 }
  const layer = Layer.effect(
    Server,
    Effect.gen(function* () {
      const number = ++state.starts
      yield* Effect.addFinalizer(() => Effect.sync(() => events.push(`stop ${number}`)))
      if (state.failures-- > 0) return yield* state.failures % 2 === 0 ? Effect.fail("the port is taken") : Effect.die("a bug")
      events.push(`start ${number}`)
      return { number }
    }),
  )
  return { events, layer, state }
}

describe("a layer that is started again", () => {
  it.effect("is closed first, and tried every second until it starts", () =>
    Effect.gen(function* () {
      const { events, layer, state } = scripted()
      const ended = Latch.makeUnsafe()
      yield* Layer.build(restartWhen(layer, (services) => (Context.get(services, Server).number === 1 ? ended.await : Effect.never)))
      assert.deepStrictEqual(events, ["start 1"])
      state.failures = 2
      yield* ended.open
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(events, ["start 1", "stop 1", "stop 2", "stop 3"])
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(events, ["start 1", "stop 1", "stop 2", "stop 3", "start 4"])
    }),
  )

  it.effect("fails if its first start fails", () =>
    Effect.gen(function* () {
      const { events, layer, state } = scripted()
      state.failures = 1
      const result = yield* Effect.result(Layer.build(restartWhen(layer, () => Effect.never)))
      assert.strictEqual(Result.isFailure(result) ? result.failure : "", "the port is taken")
      assert.deepStrictEqual(events, ["stop 1"])
    }),
  )
})
