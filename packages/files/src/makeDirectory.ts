/**
 * Replaces Node's `mkdir` with `recursive`, which never returns on file systems in which no directory can be created
 * (such as `/proc`): it uses a full CPU core and blocks the event loop.
 */
import { mkdir, stat } from "node:fs/promises"
import { dirname, resolve } from "node:path"

/** Creates a directory and its missing parents, if necessary. Rejects with the error of the file system. */
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
