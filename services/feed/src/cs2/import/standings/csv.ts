/** Reads CSV rows (RFC 4180, without line breaks within fields) as objects keyed by column name. */
import { Stream } from "effect"

export type CsvRow = Readonly<Record<string, string>>

/**
 * Parses lines into rows. The first line contains the column names. Fields missing at the end of a line are empty;
 * surplus fields are ignored.
 */
export const csvRows = <E, R>(lines: Stream.Stream<string, E, R>): Stream.Stream<CsvRow, E, R> =>
  lines.pipe(
    Stream.filter((line) => line.trim() !== ""),
    Stream.mapAccum(
      (): ReadonlyArray<string> | undefined => undefined,
      (columns, line) => {
        const fields = fieldsOf(line)
        if (columns === undefined) return [fields, []] as const
        return [columns, [Object.fromEntries(columns.map((name, index) => [name, fields[index] ?? ""]))]] as const
      },
    ),
  )

const field = /("(?:[^"]|"")*"|[^,]*)(,|$)/y

export const fieldsOf = (line: string): ReadonlyArray<string> => {
  const fields: Array<string> = []
  field.lastIndex = 0
  for (;;) {
    const found = field.exec(line)
    // Here a quoted field is not closed, so the rest of the line is taken unchanged.
    if (found === null) return [...fields, line.slice(field.lastIndex)]
    const [, text = "", end] = found
    fields.push(text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text)
    if (end === "") return fields
  }
}
