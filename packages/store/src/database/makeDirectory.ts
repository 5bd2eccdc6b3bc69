/**
 * Creates a directory and the missing ones above it. It replaces Node's `mkdir` with `recursive`, which never returns where a file system
 * takes no new names (`/proc`): it keeps a processor busy and the event loop blocked.
 */
import { mkdir, stat } from "node:fs/promises"
import { dirname, resolve } from "node:path"

/** Does nothing if the directory exists. Rejects with the reason of the file system. */
export const makeDirectory = async (path: string): Promise<void> => {
  const absolute = resolve(path)
  try {
    await mkdir(absolute)
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined
    if (code === "EEXIST" && (await stat(absolute)).isDirectory()) return
    if (code !== "ENOENT" || (await exists(dirname(absolute)))) throw cause
    await makeDirectory(dirname(absolute))
    await makeDirectory(absolute)
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
