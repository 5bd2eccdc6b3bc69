/**
 * Slices of the archive: half-open ranges of years, players or tours. A summary is computed slice by slice, so that a
 * step takes seconds. The slices of a list cover everything, also values that were not known when it was made.
 */

/** Values from `from`, inclusive, to `before`, exclusive. Null: no bound. Years are text here. */
export interface Slice {
  readonly from: string | null
  readonly before: string | null
}

export const everything: Slice = { from: null, before: null }

/** Rows below one value of the key, such as the matches of a year. */
export interface KeyCount {
  readonly key: string
  readonly rows: number
}

/** Slices in the order of the database, of at most `most` rows each. A key with more rows is a slice of its own. */
export const slicesOf = (counts: ReadonlyArray<KeyCount>, most: number): ReadonlyArray<Slice> => {
  const starts: Array<string> = []
  let inSlice = 0
  for (const [index, { key, rows }] of counts.entries()) {
    if (index > 0 && inSlice + rows > most) {
      starts.push(key)
      inSlice = 0
    }
    inSlice += rows
  }
  return [null, ...starts].map((from, index): Slice => ({ from, before: starts[index] ?? null }))
}

/** Name for people, such as `1990 to before 1995`. Empty for the slice that has everything. */
export const sliceName = ({ before, from }: Slice): string => {
  if (from === null) return before === null ? "" : `before ${before}`
  return before === null ? `from ${from}` : `${from} to before ${before}`
}

/** `column` is a text, such as the id of a player. */
export const idsIn = (column: string, slice: Slice): string => within(column, slice, quoted)

/** `column` is a number. */
export const yearsIn = (column: string, slice: Slice): string => within(column, slice, (year) => String(Number(year)))

/** `column` is a date, which may be at most `margin` years outside the slice. */
export const daysIn = (column: string, { before, from }: Slice, margin = 0): string =>
  within(column, { from: shifted(from, -margin), before: shifted(before, margin) }, (year) => `date '${year.padStart(4, "0")}-01-01'`)

const within = (column: string, { before, from }: Slice, literal: (value: string) => string): string =>
  [...(from === null ? [] : [`${column} >= ${literal(from)}`]), ...(before === null ? [] : [`${column} < ${literal(before)}`])].join(
    " AND ",
  ) || "true"

const shifted = (year: string | null, by: number): string | null => (year === null ? null : String(Number(year) + by))

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
