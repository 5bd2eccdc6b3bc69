/** Reads the rows of one archive file line by line. Rows that occur again in the same file are marked as repeats. */
import { bytesOf } from "@matchpoint/game/feed/import/files"
import { accept, type ImportFile, type ReadRecord, reject, UnreadableFile } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Stream } from "effect"
import { rowLiteral } from "../../archive/rowLiteral.ts"
import type { TennisTable } from "../../archive/TennisArchiveWriter.ts"
import type { ArchiveRow, RowReader } from "../../rules/archive/archiveRows.ts"

/** A literal of the table. `row` is undefined if the file has already stated the row. */
export interface ArchiveRecord {
  readonly table: TennisTable
  readonly row: string | undefined
}

/** Rows per transaction. One statement writes them, with a parameter of about 1 MB. */
export const BATCH_SIZE = 4_000

/** Longest line in characters. A match has about 300. The id of a row must fit into an index. */
const LONGEST_LINE = 2_000

/** Rows that are read while the database writes. */
const READ_AHEAD = 2 * BATCH_SIZE

/** `readerOf` returns a reader for the file's header, or the name of a column that the header does not have. */
export const rowsOf = (
  file: ImportFile,
  table: TennisTable,
  readerOf: (header: string) => RowReader | string,
): Stream.Stream<ReadRecord<ArchiveRecord>, UnreadableFile> =>
  Stream.suspend(() => {
    const decoder = new TextDecoder()
    const seen = new Set<string>()
    let reader: RowReader | undefined
    let number = 0
    let rest = ""

    const read = (line: string, current: RowReader): ReadRecord<ArchiveRecord> => {
      if (line.length > LONGEST_LINE) return reject(`the line has ${line.length} characters, at most ${LONGEST_LINE}`, { line: number })
      if (line.includes("\0")) return reject("the line has a null character, which the database cannot store", { line: number })
      const row: ArchiveRow | string = current(line)
      if (typeof row === "string") return reject(row, { line: number, text: line })
      if (seen.has(row.id)) return accept({ table, row: undefined })
      seen.add(row.id)
      return accept({ table, row: rowLiteral(row.cells) })
    }

    const readAll = Effect.fnUntraced(function* (lines: ReadonlyArray<string>) {
      const records: Array<ReadRecord<ArchiveRecord>> = []
      for (const ended of lines) {
        number += 1
        const line = ended.endsWith("\r") ? ended.slice(0, -1) : ended
        if (line === "") continue
        if (reader !== undefined) {
          records.push(read(line, reader))
          continue
        }
        const made = readerOf(line)
        if (typeof made === "string") return yield* new UnreadableFile({ reason: `the header has no column ${made}` })
        reader = made
      }
      return records
    })

    const whole = bytesOf(file).pipe(
      Stream.mapEffect((bytes) => {
        const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n")
        rest = lines.pop() ?? ""
        return readAll(lines)
      }),
    )
    const last = Stream.fromEffect(Effect.suspend(() => readAll([rest + decoder.decode()])))
    return Stream.concat(whole, last).pipe(Stream.flattenIterable, Stream.buffer({ capacity: READ_AHEAD }))
  })
