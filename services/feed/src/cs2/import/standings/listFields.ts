/** Parses the fields of the ranking lists that several readers of the standings need. */
import type { CsvRow } from "./csv.ts"

/**
 * Returns true for rows of the continuous lists, which are imported. The other lists are made for event invitations and
 * contain only some of the same rankings.
 */
export const isKept = (row: CsvRow): boolean => row.series === "live"

/** Splits a roster field into the handles of the players. */
export const handlesOf = (text: string | undefined): ReadonlyArray<string> =>
  (text ?? "").split(", ").flatMap((handle) => handle.trim() || [])
