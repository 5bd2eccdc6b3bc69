/**
 * Writes rows as PostgreSQL composite literals, and batches of rows as array literals. One text parameter then carries a
 * whole batch. The driver has no COPY, and this form is parsed by the same input functions as COPY, on both databases.
 */
import type { Cell } from "@matchpoint/domain/tennis/archive/readLine"

/** Returns a row such as `(1,"a b",,{6,7})`, with its cells in the order of the table's columns. */
export const rowLiteral = (cells: ReadonlyArray<Cell>): string => `(${cells.map(cellLiteral).join(",")})`

/** Returns an array of rows, for a parameter of type `<table>[]`. */
export const rowsLiteral = (rows: ReadonlyArray<string>): string => `{${rows.map((row) => quoted(row, backslashed)).join(",")}}`

const cellLiteral = (cell: Cell): string => {
  if (cell === null) return ""
  if (typeof cell === "string") return cell === "" || special.test(cell) ? quoted(cell, doubled) : cell
  if (typeof cell === "object") return `"{${cell.map((value) => value ?? "NULL").join(",")}}"`
  return String(cell)
}

/** Characters that require quotes within a row. */
const special = /[(),"\\\s]/u

const quoted = (text: string, escaped: (text: string) => string): string => `"${escaped(text)}"`

const doubled = (text: string): string => text.replace(/["\\]/gu, "$&$&")

const backslashed = (text: string): string => (text.includes('"') || text.includes("\\") ? text.replace(/["\\]/gu, "\\$&") : text)
