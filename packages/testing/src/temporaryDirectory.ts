import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

/** Creates a temporary directory that is removed when the scope closes. */
export const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "matchpoint-test-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true })),
)
