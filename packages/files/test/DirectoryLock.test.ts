import { spawnSync } from "node:child_process"
import { readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Effect, Exit, Scope } from "effect"
import { lockDirectory } from "../src/DirectoryLock.ts"

/** Returns the pid of a process that has ended. The kernel assigns pids in a cycle, so it stays free for a while. */
const deadPid = (): number => spawnSync(process.execPath, ["--version"]).pid

const writeLock = (directory: string, number: number, content: string) =>
  Effect.promise(() => writeFile(join(directory, `lock.${number}`), content))

const files = (directory: string) => Effect.promise(() => readdir(directory))

describe("DirectoryLock", () => {
  it.effect("creates the directory, holds it for the scope and releases it", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryDirectory, "new", "nested")
      const scope = yield* Scope.make()
      yield* lockDirectory(directory).pipe(Scope.provide(scope))
      assert.deepInclude(yield* Effect.flip(lockDirectory(directory)), { _tag: "DirectoryLocked", directory, pid: process.pid })
      yield* Scope.close(scope, Exit.void)
      yield* lockDirectory(directory)
      assert.deepStrictEqual(yield* files(directory), ["lock.2"])
    }),
  )

  it.effect("lets exactly one of many processes take over from a dead holder", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 20; round++) {
        const directory = yield* temporaryDirectory
        yield* writeLock(directory, 7, JSON.stringify({ pid: deadPid(), born: "1", released: false }))
        const outcomes = yield* Effect.all(
          Array.from({ length: 12 }, () => Effect.exit(lockDirectory(directory))),
          { concurrency: "unbounded" },
        )
        assert.strictEqual(outcomes.filter(Exit.isSuccess).length, 1)
        assert.deepStrictEqual(yield* files(directory), ["lock.8"])
      }
    }),
  )

  it.effect("never has two holders while holders come and go", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      let holding = 0
      let held = 0
      const visit = Effect.gen(function* () {
        yield* lockDirectory(directory)
        assert.strictEqual(++holding, 1)
        held++
        yield* Effect.promise(() => readdir(directory))
        holding--
      }).pipe(
        Effect.scoped,
        Effect.catchTag("DirectoryLocked", () => Effect.void),
      )
      yield* Effect.all(
        Array.from({ length: 8 }, () => Effect.repeat(visit, { times: 30 })),
        { concurrency: "unbounded", discard: true },
      )
      assert.isAbove(held, 8)
    }),
  )

  it.effect("takes over from a dead process whose pid now belongs to another process", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* writeLock(directory, 1, JSON.stringify({ pid: process.pid, born: "1", released: false }))
      yield* lockDirectory(directory)
      assert.deepStrictEqual(yield* files(directory), ["lock.2"])
    }),
  )

  it.effect("takes over an empty lock file left by a crash of the host", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      yield* writeLock(directory, 1, "")
      yield* lockDirectory(directory)
    }),
  )

  it.effect("reports why a directory cannot be used", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "file")
      yield* Effect.promise(() => writeFile(file, ""))
      const error = yield* Effect.flip(lockDirectory(file))
      assert.deepInclude(error, { _tag: "DirectoryLockError", directory: file, operation: "create directory" })
    }),
  )
})
