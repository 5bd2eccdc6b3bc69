/**
 * Writes rows as PostgreSQL composite literals within an array literal. One text parameter then carries a whole batch.
 * The driver has no COPY, and this form is parsed by the same input functions as COPY, on both databases. Both levels of
 * quotes are written at once, because escaping each row again as an element of the array takes as long as the rest.
 */
import type { Cell } from "../rules/archive/readLine.ts"

/**
 * Returns a row such as `"(1,a b,,\"{6,7}\")"`, an element of an array literal, with its cells in the order of the
 * table's columns.
 */
export const rowLiteral = (cells: ReadonlyArray<Cell>): string => `"(${cells.map(cellLiteral).join(",")})"`

/** Returns an array of rows, for a parameter of type `<table>[]`. */
export const rowsLiteral = (rows: ReadonlyArray<string>): string => `{${rows.join(",")}}`

const cellLiteral = (cell: Cell): string => {
  if (cell === null) return ""
  if (typeof cell === "string") return cell === "" || special.test(cell) ? quoted(cell) : cell
  if (typeof cell === "object") return `\\"{${cell.map((value) => value ?? "NULL").join(",")}}\\"`
  return String(cell)
}

/** Characters that require quotes within a row. */
const special = /[(),"\\]/u

/** Quotes a cell. The row doubles its quotes and backslashes, and the array precedes each of them with a backslash. */
const quoted = (text: string): string =>
  `\\"${text.includes('"') || text.includes("\\") ? text.replace(/["\\]/gu, (character) => `\\${character}\\${character}`) : text}\\"`
