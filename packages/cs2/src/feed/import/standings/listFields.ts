/** Parses fields of the ranking lists. Shared by several readers of the standings. */
import type { CsvRow } from "@matchpoint/game/feed/import/csv"

/**
 * Returns true if a row belongs to the ranking list that is published continuously. Only these rows are imported. The
 * other lists are made for event invitations and contain only some of the same rankings.
 */
export const isKept = (row: CsvRow): boolean => row.series === "live"

/** Splits a roster field into the handles (nicknames) of the players. */
export const handlesOf = (text: string | undefined): ReadonlyArray<string> =>
  (text ?? "").split(", ").flatMap((handle) => handle.trim() || [])
