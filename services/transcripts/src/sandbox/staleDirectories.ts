/** The name of a sandbox directory contains the id of its process, so that the next process can remove what a crash has left. */
import { join } from "node:path"
import { Effect, FileSystem } from "effect"

const START = "matchpoint-transcripts-"

/** Prefix of the directories of this process. */
export const sandboxPrefix = `${START}${process.pid}-`

/** Removes the directories of processes that do not run any more. Errors are only logged. */
export const removeStale = Effect.fn("removeStale")(
  function* (parent: string) {
    const fs = yield* FileSystem.FileSystem
    const names = yield* fs.readDirectory(parent)
    const stale = names.filter((name) => name.startsWith(START) && !isAlive(Number.parseInt(name.slice(START.length), 10)))
    yield* Effect.forEach(stale, (name) => fs.remove(join(parent, name), { recursive: true, force: true }), { discard: true })
  },
  Effect.catch((error) => Effect.logWarning("Directories of earlier transcripts could not be removed", error)),
)

const isAlive = (pid: number): boolean => {
  if (!(pid > 0)) return true
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}
