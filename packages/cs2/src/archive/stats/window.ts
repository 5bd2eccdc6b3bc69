/**
 * Defines which maps and matches are included in statistics: those that were played within a given number of days
 * before now and whose result every plan is allowed to see. Some plans see results only after a delay.
 */
import type { PgClient } from "@effect/sql-pg"
import { DELAY_SECONDS } from "@matchpoint/domain/plans"
import type { Fragment } from "effect/sql/Statement"

/**
 * Time window of statistics: the last `days` days before `now` (epoch milliseconds). If `days` is null, the window
 * covers the whole archive.
 */
export interface StatsWindow {
  readonly days: number | null
  readonly now: number
}

/**
 * Lengths, in days, of the time windows whose statistics are precomputed: those used by plans and as defaults. Null
 * stands for the whole archive. Statistics of other windows are computed on request.
 */
export const KEPT_WINDOWS: ReadonlyArray<number | null> = [30, 90, 365, null]

export const isKept = ({ days }: StatsWindow): boolean => KEPT_WINDOWS.includes(days)

/** Returns the value of the column `window_days` for a time window: its length in days, or 0 for the whole archive. */
export const windowKey = ({ days }: StatsWindow): number => days ?? 0

const DAY = 86_400_000

/**
 * How long after its end a match is first included in statistics, in milliseconds. Until then, the result is hidden
 * from plans that receive live data with a delay.
 */
const SETTLED_AFTER_MS = DELAY_SECONDS * 1_000

/** Maximum duration of a match, in milliseconds. Used to find matches that may have just ended. */
const LONGEST_SERIES = DAY

export const windowStart = ({ days, now }: StatsWindow): Date | undefined => (days === null ? undefined : new Date(now - days * DAY))

/**
 * Returns an SQL condition that is true if a map or match belongs to the time window and its result is visible to every
 * plan. `at` and `match` are the columns with the time and the match number, such as `g.played_at` and
 * `g.match_number`.
 */
export const inWindow = (sql: PgClient.PgClient, window: StatsWindow, at: string, match: string): Fragment => {
  const start = windowStart(window)
  const settled = sql`${sql.literal(match)} <> ALL (ARRAY(
      SELECT fresh.match_number FROM cs2_series fresh
      WHERE fresh.starts_at > ${new Date(window.now - LONGEST_SERIES)} AND fresh.ends_at > ${new Date(window.now - SETTLED_AFTER_MS)}))`
  return start === undefined ? settled : sql`${sql.literal(at)} >= ${start} AND ${settled}`
}
