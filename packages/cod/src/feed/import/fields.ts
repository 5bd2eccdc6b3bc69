/** Reads the cells of a CSV row. A cell that cannot be read gives a reason, which names the column. */
import type { CsvRow } from "@matchpoint/game/feed/import/csv"
import { Result } from "effect"

type Read<A> = Result.Result<A, string>

/** Reads a text that must not be empty. */
export const textIn = (row: CsvRow, column: string): Read<string> => {
  const text = row[column]?.trim() ?? ""
  return text === "" ? Result.fail(`${column} is empty`) : Result.succeed(text)
}

/** An integer from 0 to 999,999,999, or null if the cell is empty. `12.0` is read as 12. */
export const countOrNullIn = (row: CsvRow, column: string): Read<number | null> => {
  const text = row[column]?.trim() ?? ""
  if (text === "") return Result.succeed(null)
  return /^\d{1,9}(?:\.0+)?$/u.test(text) ? Result.succeed(Number(text)) : Result.fail(`${column} is not a whole number: ${text}`)
}

/** As {@link countOrNullIn}, but the cell must not be empty. */
export const countIn = (row: CsvRow, column: string): Read<number> =>
  Result.flatMap(countOrNullIn(row, column), (count) => (count === null ? Result.fail(`${column} is empty`) : Result.succeed(count)))

/** A number from 0 with at most 9 digits before the point, or null if the cell is empty. */
export const decimalOrNullIn = (row: CsvRow, column: string): Read<number | null> => {
  const text = row[column]?.trim() ?? ""
  if (text === "") return Result.succeed(null)
  return /^\d{1,9}(?:\.\d{1,9})?$/u.test(text) ? Result.succeed(Number(text)) : Result.fail(`${column} is not a number: ${text}`)
}

/** Reads a day such as `2022-12-02`. */
export const dayIn = (row: CsvRow, column: string): Read<string> =>
  Result.flatMap(textIn(row, column), (text) =>
    /^\d{4}-\d{2}-\d{2}$/u.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true
      ? Result.succeed(text)
      : Result.fail(`${column} is not a day such as 2022-12-02: ${text}`),
  )

/** `True` or `False` in any case. */
export const flagIn = (row: CsvRow, column: string): Read<boolean> =>
  Result.flatMap(textIn(row, column), (text) => {
    const flag = text.toLowerCase()
    return flag === "true" || flag === "false" ? Result.succeed(flag === "true") : Result.fail(`${column} is not True or False: ${text}`)
  })
