/**
 * Defines which maps and matches are included in statistics: those played in the most recent days whose result every
 * plan may already see.
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
 * Lengths in days of the time windows whose statistics are precomputed: those used by plans and as defaults. Null is
 * the whole archive. Statistics of other windows are computed on request.
 */
export const KEPT_WINDOWS: ReadonlyArray<number | null> = [30, 90, 365, null]

export const isKept = ({ days }: StatsWindow): boolean => KEPT_WINDOWS.includes(days)

/** Value of `window_days` for the window. 0 is the whole archive. */
export const windowKey = ({ days }: StatsWindow): number => days ?? 0

const DAY = 86_400_000

/**
 * How long after its end, in milliseconds, a match is included in statistics. Until then, plans with a delay may not
 * see the result live.
 */
const SETTLED_AFTER_MS = DELAY_SECONDS * 1_000

/** Upper bound for the duration of a match, in milliseconds. */
const LONGEST_SERIES = DAY

export const windowStart = ({ days, now }: StatsWindow): Date | undefined => (days === null ? undefined : new Date(now - days * DAY))

/**
 * Returns the condition that a map or match is in the window. `at` and `match` are columns, such as `g.played_at` and
 * `g.match_number`.
 */
export const inWindow = (sql: PgClient.PgClient, window: StatsWindow, at: string, match: string): Fragment => {
  const start = windowStart(window)
  const settled = sql`${sql.literal(match)} <> ALL (ARRAY(
      SELECT fresh.match_number FROM cs2_series fresh
      WHERE fresh.starts_at > ${new Date(window.now - LONGEST_SERIES)} AND fresh.ends_at > ${new Date(window.now - SETTLED_AFTER_MS)}))`
  return start === undefined ? settled : sql`${sql.literal(at)} >= ${start} AND ${settled}`
}
