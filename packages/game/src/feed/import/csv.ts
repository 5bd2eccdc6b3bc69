/** Reads CSV (RFC 4180) as objects keyed by column name. */
import { Stream } from "effect"
import { Csv } from "effect/encoding"
import { UnreadableFile } from "./ImportSource.ts"

export type CsvRow = Readonly<Record<string, string>>

/**
 * The first row contains the column names. Blank rows are ignored. Missing fields of a row are empty; surplus fields are
 * ignored, so `headers` of `Csv`, which rejects both, is not used. Invalid quotes end the reading.
 */
export const csvRows = (bytes: Stream.Stream<Uint8Array, UnreadableFile>): Stream.Stream<CsvRow, UnreadableFile> =>
  bytes.pipe(
    Stream.pipeThroughChannel(Csv.decode()),
    Stream.catchTag("CsvError", ({ line, message }) => Stream.fail(new UnreadableFile({ reason: `line ${line}: ${message}` }))),
    Stream.filter(isFilled),
    Stream.mapAccum(
      (): Csv.Row | undefined => undefined,
      (columns, fields) => {
        if (columns === undefined) return [fields, []] as const
        return [columns, [Object.fromEntries(columns.map((name, index) => [name, fields[index] ?? ""]))]] as const
      },
    ),
  )

const isFilled = (fields: Csv.Row): boolean => fields.length > 1 || fields[0]?.trim() !== ""
