import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@matchpoint/testing/freePorts"
import { eventually } from "@matchpoint/testing/realTime"
import { Effect, Latch, Layer } from "effect"
import { Drain } from "../src/Drain.ts"
import { Health } from "../src/health/Health.ts"
import { plainOperatorListener } from "../src/OperatorListener.ts"
import { StartListener } from "../src/StartListener.ts"

/** Status of a response, or 0 if there is none. */
const ask = (port: number, path: string) =>
  Effect.promise(async () => {
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`)
      return { status: response.status, text: await response.text() }
    } catch {
      return { status: 0, text: "" }
    }
  })

/** A process with the parts of a real one that takes until the latch is opened to start, as if it migrated. */
const processOf = (port: number, started: Latch.Latch) =>
  plainOperatorListener({ host: "127.0.0.1", port }).pipe(
    Layer.provide(Health.layer(Effect.succeed([]))),
    Layer.provide(Drain.layer(0)),
    Layer.provide(Layer.effectDiscard(started.await)),
    Layer.provide(StartListener.layer({ adminHost: "127.0.0.1", adminPort: port })),
  )

describe("a process that starts", () => {
  it.live("is alive, but not ready until it has started", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const started = yield* Latch.make()
      yield* Effect.forkScoped(Layer.launch(processOf(port, started)))
      const isAlive = Effect.map(ask(port, "/health/live"), ({ status }) => status === 200)
      yield* eventually(isAlive)
      const ready = yield* ask(port, "/health/ready")
      assert.strictEqual(ready.status, 503)
      assert.match(ready.text, /"start: the process is starting/)
      const health = yield* ask(port, "/health")
      assert.strictEqual(health.status, 503)
      assert.include(health.text, `"components":[{"name":"start","status":"failed"`)
      yield* started.open
      yield* eventually(Effect.map(ask(port, "/health/ready"), ({ status }) => status === 200))
      assert.isTrue(yield* isAlive)
    }).pipe(Effect.scoped),
  )
})
