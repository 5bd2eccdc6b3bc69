/**
 * Reads the CSV files of a tennis archive for checks. Shares no code with the import, so that a mistake there cannot
 * hide here.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"

export type Tour = "atp" | "wta"

/** A line of a file by column. */
export type CsvRow = (column: string) => string

/** Names of the files of a folder that match, in alphabetical order. */
export const filesOf = (folder: string, name: RegExp): ReadonlyArray<string> =>
  readdirSync(folder)
    .filter((file) => name.test(file))
    .sort()
    .map((file) => join(folder, file))

/** Calls `take` for each line after the header. The row is valid during the call only. */
export const readCsv = (file: string, take: (row: CsvRow) => void): void => {
  const bytes = readFileSync(file)
  const [header = "", ...lines] = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8").split("\n")
  const places = new Map(
    header
      .trim()
      .split(",")
      .map((column, index) => [column, index]),
  )
  let cells: ReadonlyArray<string> = []
  const row: CsvRow = (column) => cells[places.get(column) ?? -1] ?? ""
  for (const line of lines) {
    if (line.trim() === "") continue
    cells = cellsOf(line.trimEnd())
    take(row)
  }
}

const cellsOf = (line: string): ReadonlyArray<string> => {
  if (!line.includes('"')) return line.split(",")
  const cells: Array<string> = []
  let cell = ""
  let isQuoted = false
  for (const character of line) {
    if (character === '"') isQuoted = !isQuoted
    else if (character === "," && !isQuoted) {
      cells.push(cell)
      cell = ""
    } else cell += character
  }
  return [...cells, cell]
}
