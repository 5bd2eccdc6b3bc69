/**
 * Statistics include matches played within a number of days before now whose result every plan is allowed to see. Some
 * plans see results only after a delay.
 */
import type { PgClient } from "@effect/sql-pg"
import { DELAY_SECONDS } from "@matchpoint/domain/plans"
import type { Fragment } from "effect/sql/Statement"

/** The last `days` days before `now` (epoch ms). If `days` is null, the whole archive. */
export interface StatsWindow {
  readonly days: number | null
  readonly now: number
}

/** Precomputed lengths in days, null for the whole archive: those of plans and defaults. Others are computed on request. */
export const KEPT_WINDOWS: ReadonlyArray<number | null> = [30, 90, 365, null]

export const isKept = ({ days }: StatsWindow): boolean => KEPT_WINDOWS.includes(days)

/** The value of the column `window_days`: the length in days, or 0 for the whole archive. */
export const windowKey = ({ days }: StatsWindow): number => days ?? 0

const DAY = 86_400_000

/** A match counts this many ms after its end. Until then, plans with delayed live data do not see the result. */
const SETTLED_AFTER_MS = DELAY_SECONDS * 1_000

/** Longest duration of a match, in milliseconds. Used to find matches that may have just ended. */
const LONGEST_SERIES = DAY

export const windowStart = ({ days, now }: StatsWindow): Date | undefined => (days === null ? undefined : new Date(now - days * DAY))

/**
 * True if the match is in the window and every plan may see its result. `at` and `match` are columns with the time and
 * the match number, such as `g.played_at` and `g.match_number`.
 */
export const inWindow = (sql: PgClient.PgClient, window: StatsWindow, at: string, match: string): Fragment => {
  const start = windowStart(window)
  const settled = sql`${sql.literal(match)} <> ALL (ARRAY(
      SELECT fresh.match_number FROM cs2_series fresh
      WHERE fresh.starts_at > ${new Date(window.now - LONGEST_SERIES)} AND fresh.ends_at > ${new Date(window.now - SETTLED_AFTER_MS)}))`
  return start === undefined ? settled : sql`${sql.literal(at)} >= ${start} AND ${settled}`
}
