/**
 * Files of the recorded data and of the hand-written samples. The recorded data is not part of the project; suites that
 * need it are skipped by name.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import { type CsvRow, csvRows } from "@matchpoint/game/feed/import/csv"
import { Effect, Stream } from "effect"

/** Returns the text of a file, unpacked if its name ends in `.gz`. */
export const textOf = (...path: ReadonlyArray<string>): string => {
  const bytes = readFileSync(join(...path))
  return (path.at(-1)?.endsWith(".gz") === true ? gunzipSync(bytes) : bytes).toString("utf8")
}

/** Returns the rows of a CSV file. */
export const csvOf = (...path: ReadonlyArray<string>): ReadonlyArray<CsvRow> =>
  Effect.runSync(Stream.runCollect(csvRows(Stream.make(new TextEncoder().encode(textOf(...path))))))

export const samples = fileURLToPath(new URL("../../../test/fixtures/cs2", import.meta.url))

export const filesIn = (...path: ReadonlyArray<string>): ReadonlyArray<string> => readdirSync(join(...path)).sort()
