import type { CsvRow } from "@matchpoint/game/feed/import/csv"

/**
 * Only the list that is published continuously is imported. The others are made for event invitations and contain only
 * some of the same rankings.
 */
export const isKept = (row: CsvRow): boolean => row.series === "live"

export const handlesOf = (text: string | undefined): ReadonlyArray<string> =>
  (text ?? "").split(", ").flatMap((handle) => handle.trim() || [])
