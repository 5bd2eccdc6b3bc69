import { createServer } from "node:net"
import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import { assert, describe, it } from "@effect/vitest"
import { Console, Data, Effect, Layer } from "effect"
import { explainingFailure } from "../src/startFailure.ts"

/** Returns what is printed on stderr while the program runs. */
const printedBy = <A, E>(program: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const lines: Array<unknown> = []
    yield* Effect.exit(explainingFailure(program)).pipe(
      Effect.provideService(Console.Console, { ...globalThis.console, error: (...args) => lines.push(...args) }),
    )
    return lines
  })

class NoDisk extends Data.TaggedError("NoDisk")<{ readonly message: string; readonly cause: unknown }> {}

/** Another program, and its port. */
const listening = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      if (address !== null && typeof address === "object") resume(Effect.succeed({ port: address.port, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close),
)

describe("the report of a failed start", () => {
  it.live("states the address that is in use, even if the error of the library does not", () =>
    Effect.gen(function* () {
      const { port } = yield* listening
      const lines = yield* printedBy(Layer.build(NodeSocketServer.layer({ host: "127.0.0.1", port })).pipe(Effect.scoped))
      assert.deepStrictEqual(lines, [
        `Matchpoint cannot start: listen EADDRINUSE: address already in use 127.0.0.1:${port}; choose another host or port`,
      ])
    }).pipe(Effect.scoped),
  )

  it.effect("is the first line of the error's message otherwise", () =>
    Effect.gen(function* () {
      const lines = yield* printedBy(new NoDisk({ message: "no disk\nat a place", cause: new TypeError("unplugged") }))
      assert.deepStrictEqual(lines, ["Matchpoint cannot start: no disk"])
    }),
  )
})
