/** Program for Sandbox.test.ts: starts a process in the sandbox, prints its id, and waits. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Layer } from "effect"
import { Sandbox } from "../src/sandbox/Sandbox.ts"

Effect.gen(function* () {
  const sandbox = yield* Sandbox
  const directory = yield* sandbox.directory
  const limits = { memoryBytes: 100_000_000, fileBytes: 1_000 }
  const { pid } = yield* sandbox.start({ program: "sleep", args: ["300"], directory, limits })
  yield* Console.log(pid)
  return yield* Effect.never
}).pipe(Effect.scoped, Effect.provide(Sandbox.layer.pipe(Layer.provide(NodeServices.layer))), NodeRuntime.runMain)
