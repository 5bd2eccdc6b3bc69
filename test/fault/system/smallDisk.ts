/** A small file system in memory, to fill it without filling the machine. Needs root. */
import { execFileSync } from "node:child_process"
import { closeSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { MissingProgram } from "./executables.ts"

const SIZE = "256m"
const MOUNT_WITHIN_MS = 5_000
const PIECE = Buffer.alloc(64 * 1024)

export const mountSmallDisk = (folder: string): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      if (process.getuid?.() !== 0) throw new MissingProgram("a small file system can only be mounted by root")
      execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE}`, "tmpfs", folder], { timeout: MOUNT_WITHIN_MS })
    }),
    // Lazily, because the process that used it may need a moment to end.
    () => Effect.sync(() => execFileSync("umount", ["-l", folder], { timeout: MOUNT_WITHIN_MS })),
  )

const filler = (folder: string): string => join(folder, "filler")

/** Writes a file until the file system of the folder has no space left. */
export const fillDisk = (folder: string): Effect.Effect<void> =>
  Effect.sync(() => {
    const file = openSync(filler(folder), "w")
    try {
      for (;;) writeSync(file, PIECE)
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error
    } finally {
      closeSync(file)
    }
  })

export const freeDisk = (folder: string): Effect.Effect<void> => Effect.sync(() => rmSync(filler(folder)))
