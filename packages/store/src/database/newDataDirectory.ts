/**
 * Creates the data directory of a new embedded database by unpacking an archive. PGlite could create it too, with
 * `initdb`, but then the first start takes 6 s of CPU instead of 1, and the process keeps 200 MB more, because
 * WebAssembly memory is never returned to the system.
 */
import { createReadStream, existsSync } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { dataDir as emptyDatabase } from "@electric-sql/pglite-prepopulatedfs"
import { makeDirectory } from "@matchpoint/files/makeDirectory"
import { extract } from "tar"

/**
 * Creates `directory` unless it contains a database. The content is the dump at the path `dump`, or an empty database
 * by default. If the process dies meanwhile, the next call starts over: the directory gets its name when it is complete.
 */
export const newDataDirectory = async (directory: string, dump: string | undefined): Promise<void> => {
  if (existsSync(join(directory, "PG_VERSION"))) return
  const content = dump === undefined ? (await emptyDatabase()).stream() : createReadStream(dump)
  const unfinished = `${directory}.new`
  await rm(unfinished, { recursive: true, force: true })
  await makeDirectory(unfinished)
  await pipeline(content, extract({ cwd: unfinished }))
  await rename(unfinished, directory)
}
