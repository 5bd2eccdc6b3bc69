import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

/** Creates a directory that is removed with the scope. */
export const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "matchpoint-test-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true })),
)
