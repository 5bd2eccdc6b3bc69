/** The temporary folder of a run: data directories and logs. Removed at the end unless the run keeps it. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, type Scope } from "effect"

export interface Workspace {
  readonly path: string
  /** Creates a folder below it and returns its path. */
  readonly folder: (name: string) => string
  readonly logFile: (name: string) => string
}

export const makeWorkspace = (keep: boolean): Effect.Effect<Workspace, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync((): Workspace => {
      const path = mkdtempSync(join(tmpdir(), "matchpoint-fault-"))
      // PostgreSQL runs as another user and must be able to pass through.
      chmodSync(path, 0o755)
      mkdirSync(join(path, "logs"))
      const folder = (name: string) => {
        const made = join(path, name)
        mkdirSync(made, { recursive: true })
        return made
      }
      return { path, folder, logFile: (name) => join(path, "logs", `${name}.log`) }
    }),
    ({ path }) => Effect.sync(() => (keep ? undefined : rmSync(path, { recursive: true, force: true, maxRetries: 5 }))),
  )
