/** Tests the supervision of child processes with real ones. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { eventually } from "@matchpoint/testing/realTime"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Effect, Fiber } from "effect"
import { superviseChild } from "../src/supervision/superviseChild.ts"

/** Writes a script, supervises it, and returns the lines that it has printed so far. */
const supervised = Effect.fnUntraced(function* (text: string) {
  const script = join(yield* temporaryDirectory, "child.mjs")
  yield* Effect.promise(() => writeFile(script, text))
  const lines: Array<string> = []
  const print = (_: unknown, line: string) => Effect.sync(() => lines.push(line))
  const child = { name: "child-1", script, args: ["an argument"], env: { GREETING: "hello" } }
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
})
