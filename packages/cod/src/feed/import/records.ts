import { type CsvRow, csvRows } from "@matchpoint/game/feed/import/csv"
import { bytesOf } from "@matchpoint/game/feed/import/files"
import { accept, type ImportFile, type ReadRecord, reject, type UnreadableFile } from "@matchpoint/game/feed/import/ImportSource"
import { Effect, Result, Stream } from "effect"
import { CodArchiveWriter } from "../../archive/CodArchiveWriter.ts"
import { combineRows } from "../../rules/archive/combineRows.ts"
import type { ArchiveRows } from "../../rules/archive/rows.ts"

/** A season has a few thousand rows. */
export const rowsIn = (file: ImportFile): Effect.Effect<ReadonlyArray<CsvRow>, UnreadableFile> => Stream.runCollect(csvRows(bytesOf(file)))

/** `source` is the record as in the file. */
export const recordOf = <A>(read: Result.Result<A, string>, source: unknown): ReadRecord<A> =>
  Result.isSuccess(read) ? accept(read.success) : reject(read.failure, source)

/** A row that several records contain is written once. */
export const writeRows = (records: ReadonlyArray<ArchiveRows>) =>
  Effect.flatMap(CodArchiveWriter, (writer) => writer.write(combineRows(records)))
