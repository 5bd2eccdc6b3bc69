import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { eventually } from "@matchpoint/testing/realTime"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Effect, Fiber, Layer } from "effect"
import { Sandbox, type SandboxRun } from "../src/sandbox/Sandbox.ts"
import { TranscriberConfig } from "../src/TranscriberConfig.ts"
import { processesIn, settings } from "./pipelineStack.ts"

const sandboxIn = (parent: string) =>
  Sandbox.layer.pipe(Layer.provide(Layer.succeed(TranscriberConfig, settings(parent))), Layer.provide(NodeServices.layer))

/** Runs a program in a new private directory. */
const run = (program: string, args: ReadonlyArray<string>, given: Partial<SandboxRun> = {}) =>
  Effect.gen(function* () {
    const sandbox = yield* Sandbox
    const directory = yield* sandbox.directory
    return yield* sandbox.run({
      ...{ program, args, directory, timeoutMs: 20_000, maxOutputBytes: 100_000 },
      limits: { cpuSeconds: 10, memoryBytes: 200_000_000, fileBytes: 1_000_000 },
      ...given,
    })
  }).pipe(Effect.scoped)

const inSandbox = <A, E>(test: (parent: string) => Effect.Effect<A, E, Sandbox>) =>
  Effect.gen(function* () {
    const parent = yield* temporaryDirectory
    const result = yield* Effect.provide(test(parent), sandboxIn(parent))
    assert.deepStrictEqual(processesIn(parent), [])
    assert.deepStrictEqual(readdirSync(parent), [])
    return result
  })

describe("Sandbox", () => {
  it.live("returns exit code, output and errors", () =>
    inSandbox(() =>
      Effect.gen(function* () {
        const result = yield* run("sh", ["-c", "echo out; echo err >&2; exit 3"])
        assert.deepStrictEqual(result, { exitCode: 3, stdout: "out\n", stderr: "err\n" })
      }),
    ),
  )

  it.live("gives the program nothing of this process's environment", () =>
    inSandbox((parent) =>
      Effect.gen(function* () {
        const { stdout } = yield* run("env", [], { environment: { GIVEN: "1" } })
        const names = stdout
          .trim()
          .split("\n")
          .map((line) => line.split("=")[0])
        assert.sameMembers(names, ["HOME", "TMPDIR", "LANG", "PATH", "GIVEN"])
        assert.include(stdout, `HOME=${parent}/`)
      }),
    ),
  )

  it.live("arguments are not read by a shell", () =>
    inSandbox(() =>
      Effect.gen(function* () {
        const { stdout } = yield* run("echo", ["$(id)", "; id", "*"])
        assert.strictEqual(stdout, "$(id) ; id *\n")
      }),
    ),
  )

  it.live("the directory is private", () =>
    inSandbox(() =>
      Effect.gen(function* () {
        const { directory } = yield* Sandbox
        const mode = yield* Effect.scoped(Effect.map(directory, (path) => statSync(path).mode & 0o777))
        assert.strictEqual(mode, 0o700)
      }),
    ),
  )

  it.live("a program that writes without end is ended", () =>
    inSandbox(() =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(run("yes", []))
        assert.strictEqual(failure._tag, "OutputTooLong")
      }),
    ),
  )

  it.live("errors are cut off, not refused", () =>
    inSandbox(() =>
      Effect.gen(function* () {
        const { exitCode, stderr } = yield* run("sh", ["-c", "head -c 300000 /dev/zero | tr '\\0' x >&2"], {
          environment: { PATH: "/usr/bin:/bin" },
        })
        assert.deepStrictEqual([exitCode, stderr.length], [0, 16_384])
      }),
    ),
  )

  it.live("a program that takes too long is ended with its children", () =>
    inSandbox(() =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(run("sh", ["-c", "/bin/sleep 300 & /bin/sleep 300"], { timeoutMs: 200 }))
        assert.strictEqual(failure._tag, "ProgramTimeout")
      }),
    ),
  )

  it.live("an interruption ends the program", () =>
    inSandbox((parent) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(run("sleep", ["300"]))
        yield* eventually(Effect.sync(() => processesIn(parent).length === 1))
        yield* Fiber.interrupt(fiber)
      }),
    ),
  )

  it.live("a missing program is an error with its name", () =>
    inSandbox(() =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(run("no-such-program", []))
        assert.strictEqual(failure.message, "no-such-program could not be started: not found")
      }),
    ),
  )

  it.live("removes the directories of processes that have ended, and no others", () =>
    Effect.gen(function* () {
      const parent = yield* temporaryDirectory
      // Process ids are at most 4,194,304 on Linux.
      const names = ["matchpoint-transcripts-9999999-a", `matchpoint-transcripts-${process.pid}-b`, "matchpoint-transcripts-x", "other"]
      for (const name of names) mkdirSync(join(parent, name))
      yield* Effect.provide(Effect.asVoid(Sandbox), sandboxIn(parent))
      assert.deepStrictEqual(
        names.map((name) => existsSync(join(parent, name))),
        [false, true, true, true],
      )
    }),
  )
})

describe.skipIf(process.platform !== "linux")("Sandbox on Linux", () => {
  it.live("limits memory", () =>
    inSandbox(() =>
      Effect.gen(function* () {
        const bomb = ["if=/dev/zero", "of=/dev/null", "count=1"]
        assert.strictEqual((yield* run("dd", [...bomb, "bs=50M"])).exitCode, 0)
        assert.notStrictEqual((yield* run("dd", [...bomb, "bs=500M"])).exitCode, 0)
      }),
    ),
  )

  it.live("limits the size of files", () =>
    inSandbox(() =>
      Effect.gen(function* () {
        const { directory, run: runIn } = yield* Sandbox
        const size = yield* Effect.scoped(
          Effect.gen(function* () {
            const path = yield* directory
            const { exitCode } = yield* runIn({
              ...{ program: "dd", args: ["if=/dev/zero", "of=big", "bs=100k", "count=100"], directory: path },
              ...{ timeoutMs: 20_000, maxOutputBytes: 10_000 },
              limits: { cpuSeconds: 10, memoryBytes: 200_000_000, fileBytes: 1_000_000 },
            })
            assert.notStrictEqual(exitCode, 0)
            return statSync(join(path, "big")).size
          }),
        )
        assert.isAtMost(size, 1_000_000)
      }),
    ),
  )

  it.live("gives programs a low priority", () =>
    inSandbox(() =>
      Effect.gen(function* () {
        const { stdout } = yield* run("nice", [])
        assert.strictEqual(stdout, "10\n")
      }),
    ),
  )

  it.live("limits CPU time", () =>
    inSandbox(() =>
      Effect.gen(function* () {
        const limits = { cpuSeconds: 1, memoryBytes: 200_000_000, fileBytes: 1_000_000 }
        const { exitCode } = yield* run("sh", ["-c", "while :; do :; done"], { limits })
        assert.isNull(exitCode)
      }),
    ),
  )
})
