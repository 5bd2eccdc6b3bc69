/**
 * Entry of the process that unpacks the content of a new embedded database, because unpacking leaves 90 MB of buffers in
 * the memory of its process. Arguments: the directory, and the path of a dump; without one, the database is empty.
 * Prints the reason of a failure on stderr. It ends with its parent, which holds the lock of the directory.
 */
import { createReadStream } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import { dataDir as emptyDatabase } from "@electric-sql/pglite-prepopulatedfs"
import { makeDirectory } from "@matchpoint/files/makeDirectory"
import { extract } from "tar"

const [, , directory = "", dump] = process.argv

process.once("disconnect", () => process.exit(1))
try {
  const content = dump === undefined ? (await emptyDatabase()).stream() : createReadStream(dump)
  const unfinished = `${directory}.new`
  await rm(unfinished, { recursive: true, force: true })
  await makeDirectory(unfinished)
  await pipeline(content, extract({ cwd: unfinished }))
  await rename(unfinished, directory)
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
process.removeAllListeners("disconnect")
process.disconnect()
