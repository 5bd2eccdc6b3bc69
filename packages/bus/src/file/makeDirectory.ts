/**
 * Creates a directory and its missing parents. It replaces Node's recursive `mkdir`, which never returns on a file
 * system that does not allow new entries, such as `/proc`. There, Node's `mkdir` blocks the event loop and fully loads
 * a processor.
 */
import { mkdir, stat } from "node:fs/promises"
import { dirname, resolve } from "node:path"

/** Creates the directory if it does not exist. Rejects with the error of the file system. */
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
