/** Rows of CSV (RFC 4180, without line breaks inside of fields) by the names of their columns. */
import { Stream } from "effect"

export type CsvRow = Readonly<Record<string, string>>

/** The first line names the columns; a line that is shorter has empty fields, what is longer is left out. */
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
    // A quote that is not closed: the rest of the line as it stands.
    if (found === null) return [...fields, line.slice(field.lastIndex)]
    const [, text = "", end] = found
    fields.push(text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text)
    if (end === "") return fields
  }
}
