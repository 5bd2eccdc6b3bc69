/** Splits a line of a CSV file into its cells, and reads cells as values. Cells contain no line breaks. */
import type { ColumnKind } from "./columns.ts"

/** Commas in quoted cells belong to the cell. */
export const cellsOf = (line: string): Array<string> => {
  if (!line.includes('"')) return line.split(",")
  const cells: Array<string> = []
  const cell = /(?:"((?:[^"]|"")*)"|([^,]*))(,|$)/uy
  for (let match = cell.exec(line); match !== null; match = cell.exec(line)) {
    cells.push(match[1] === undefined ? (match[2] ?? "") : match[1].replaceAll('""', '"'))
    if (match[3] === "") break
  }
  return cells
}

/** Value of a database row. */
export type Cell = string | number | boolean | null | ReadonlyArray<number | null>

/** `null` if the cell is empty, or if it is not of this kind. */
export const cellValue = (cell: string, kind: ColumnKind, tour: string): string | number | null => {
  if (cell === "") return null
  switch (kind) {
    case "text":
      return cell.trim() || null
    case "integer":
      return integerOf(cell)
    case "player": {
      const number = integerOf(cell)
      return number === null ? null : `${tour}_${number}`
    }
    case "decimal":
      return /^\d{1,3}(?:\.\d+)?$/u.test(cell) ? Math.round(Number(cell) * 10) / 10 : null
    case "height": {
      const height = /^\d{1,3}(?:\.\d+)?$/u.test(cell) ? Number(cell) : 0
      return height === 0 ? null : Math.round(height < 3 ? height * 100 : height)
    }
  }
}

/** Reads at most 9 digits; `12.0` is 12. `null` for every other text. */
export const integerOf = (cell: string): number | null => (/^\d{1,9}(?:\.0)?$/u.test(cell) ? Number(cell) : null)

/** Reads `20240101` as `2024-01-01`. `null` if there is no such day. */
export const dateOf = (cell: string): string | null => {
  if (!/^\d{8}$/u.test(cell)) return null
  const [year, month, day] = [Number(cell.slice(0, 4)), Number(cell.slice(4, 6)), Number(cell.slice(6))]
  const isDay = year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
  return isDay ? `${cell.slice(0, 4)}-${cell.slice(4, 6)}-${cell.slice(6)}` : null
}
