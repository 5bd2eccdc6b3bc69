/** Tests the supervision of child processes with real ones. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@matchpoint/testing/freePorts"
import { eventually } from "@matchpoint/testing/realTime"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Deferred, Effect, Fiber, Logger, PlatformError } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { type Child, superviseChild } from "../src/supervision/superviseChild.ts"

/** Writes a script, supervises it, and returns the lines that it has printed so far. */
const supervised = Effect.fnUntraced(function* (text: string, further: Pick<Child, "liveness"> = {}) {
  const script = join(yield* temporaryDirectory, "child.mjs")
  yield* Effect.promise(() => writeFile(script, text))
  const lines: Array<string> = []
  const print = (_: unknown, line: string) => Effect.sync(() => lines.push(line))
  const child = { name: "child-1", script, args: ["an argument"], env: { GREETING: "hello" }, ...further }
  const fiber = yield* Effect.forkScoped(superviseChild(child, { print, firstWaitMs: 100, longestWaitMs: 400 }))
  return { fiber, lines }
})

describe("superviseChild", () => {
  it.live("passes arguments and environment, and starts a child that ends again, after growing waits", () =>
    Effect.gen(function* () {
      const { lines } = yield* supervised(`console.log(process.env.GREETING, process.argv[2], Date.now()); process.exitCode = 3`)
      yield* eventually(Effect.sync(() => lines.length >= 4))
      assert.match(lines[0] ?? "", /^hello an argument \d+$/)
      const times = lines.map((line) => Number(line.split(" ").at(-1)))
      const waits = times.slice(1).map((time, at) => time - (times[at] ?? 0))
      assert.isAtLeast(waits[0] ?? 0, 100)
      assert.isAtLeast(waits[1] ?? 0, 200)
      assert.isAtLeast(waits[2] ?? 0, 400)
    }).pipe(Effect.provide(NodeServices.layer)),
  )

  it.live("ends the child with SIGTERM and waits for its end and its last lines", () =>
    Effect.gen(function* () {
      const { fiber, lines } = yield* supervised(
        `setInterval(() => {}, 1000)
         process.on("SIGTERM", () => { setTimeout(() => { console.log("ending"); process.exit(0) }, 300) })
         console.log(process.pid)`,
      )
      yield* eventually(Effect.sync(() => lines.length === 1))
      const pid = Number(lines[0])
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(lines[1], "ending")
      assert.throws(() => process.kill(pid, 0), /ESRCH/)
    }).pipe(Effect.provide(NodeServices.layer)),
  )

  it.live("kills a child whose event loop hangs, and starts it again, but not one that answers", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const quick = { url: `http://127.0.0.1:${port}/`, askEveryMs: 200, unanswered: 5, unansweredAtStart: 100 }
      // Hangs as soon as it has got a request to "/hang".
      const { lines } = yield* supervised(
        `import { createServer } from "node:http"
         createServer((request, response) => {
           response.end("alive")
           if (request.url === "/hang") for (;;);
         }).listen(${port}, "127.0.0.1", () => console.log(process.pid))
         process.on("SIGTERM", () => process.exit())`,
        { liveness: quick },
      )
      yield* eventually(Effect.sync(() => lines.length === 1))
      const pid = Number(lines[0])
      yield* Effect.sleep("3 seconds")
      assert.lengthOf(lines, 1)
      yield* Effect.promise(() => fetch(`http://127.0.0.1:${port}/hang`, { signal: AbortSignal.timeout(500) }).catch(() => {}))
      yield* eventually(Effect.sync(() => lines.length === 2))
      assert.throws(() => process.kill(pid, 0), /ESRCH/)
    }).pipe(Effect.provide(NodeServices.layer)),
  )

  it.live("reports that a child that hangs could not be killed", () =>
    Effect.gen(function* () {
      const reported = yield* Deferred.make<string>()
      const log = Logger.make(({ logLevel, message }) => {
        if (logLevel === "Error") Deferred.doneUnsafe(reported, Effect.succeed(String(message)))
      })
      const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
      const refused = PlatformError.systemError({ _tag: "PermissionDenied", module: "ChildProcess", method: "kill" })
      const powerless = ChildProcessSpawner.make((command) =>
        Effect.map(spawner.spawn(command), (handle) => ChildProcessSpawner.makeHandle({ ...handle, kill: () => Effect.fail(refused) })),
      )
      const url = `http://127.0.0.1:${yield* freePort}/`
      yield* supervised("setInterval(() => {}, 1000)", { liveness: { url, askEveryMs: 100, unansweredAtStart: 2 } }).pipe(
        Effect.provideService(ChildProcessSpawner.ChildProcessSpawner, powerless),
        Effect.provide(Logger.layer([log])),
      )
      assert.match(yield* Deferred.await(reported), /^child-1 has not begun to answer .* and killing it failed: PermissionDenied/)
    }).pipe(Effect.provide(NodeServices.layer)),
  )

  it.live("kills a child that hangs before it answers", () =>
    Effect.gen(function* () {
      const port = yield* freePort
      const liveness = { url: `http://127.0.0.1:${port}/`, askEveryMs: 100, unansweredAtStart: 30 }
      const { lines } = yield* supervised(`console.log(process.pid); setTimeout(() => { for (;;); }, 50)`, { liveness })
      yield* eventually(Effect.sync(() => lines.length === 2))
      assert.throws(() => process.kill(Number(lines[0]), 0), /ESRCH/)
    }).pipe(Effect.provide(NodeServices.layer)),
  )
})
