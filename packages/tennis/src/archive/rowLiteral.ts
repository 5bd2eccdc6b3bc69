/**
 * Writes rows as PostgreSQL composite literals within an array literal, so that one text parameter carries a whole
 * batch. The driver has no COPY, and this form is parsed by the same input functions as COPY, on both databases. Both
 * levels of quotes are written at once, because escaping each row again as an element of the array takes as long as the
 * rest.
 */
import type { Cell } from "../rules/archive/readLine.ts"

/** Row such as `"(1,a b,,\"{6,7}\")"`, an element of an array literal, with its cells in the order of the table's columns. */
export const rowLiteral = (cells: ReadonlyArray<Cell>): string => `"(${cells.map(cellLiteral).join(",")})"`

/** Array for a parameter of type `<table>[]`. */
export const rowsLiteral = (rows: ReadonlyArray<string>): string => `{${rows.join(",")}}`

const cellLiteral = (cell: Cell): string => {
  if (cell === null) return ""
  if (typeof cell === "string") return cell === "" || special.test(cell) ? quoted(cell) : cell
  if (typeof cell === "object") return `\\"{${cell.map((value) => value ?? "NULL").join(",")}}\\"`
  return String(cell)
}

/** Characters that require quotes within a row. */
const special = /[(),"\\]/u

/** The row doubles quotes and backslashes of a cell, and the array precedes each of them with a backslash. */
const quoted = (text: string): string =>
  `\\"${text.includes('"') || text.includes("\\") ? text.replace(/["\\]/gu, (character) => `\\${character}\\${character}`) : text}\\"`
