/** Fields of the ranking lists that several readers need. */
import type { CsvRow } from "./csv.ts"

/**
 * Returns true for rows of the continuous lists. The lists of the other series are made for invitations and contain the
 * same rankings, but fewer of them.
 */
export const isKept = (row: CsvRow): boolean => row.series === "live"

/** Player handles of a roster field. */
export const handlesOf = (text: string | undefined): ReadonlyArray<string> =>
  (text ?? "").split(", ").flatMap((handle) => handle.trim() || [])
