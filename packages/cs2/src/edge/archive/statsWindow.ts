/**
 * Determines the range of days that a statistics request covers. A plan gives access only to a limited number of past
 * days. If the request names an earlier range, it fails with 403, as everywhere in the archive. If it names no range,
 * the default range is shortened to what the plan allows.
 */
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { HistoryLimit } from "@matchpoint/contracts/http/errors"
import { planTerms } from "@matchpoint/domain/plans"
import { Clock, Effect } from "effect"
import type { StatsWindow } from "../../archive/stats/window.ts"
import { MAX_WINDOW_DAYS } from "../../contract/http/data/endpoints/StatsApi.ts"

const DAY = 86_400_000

export interface WindowQuery {
  readonly days?: number | undefined
  readonly window_days?: number | undefined
}

/**
 * Returns the range of days for a request. `fallback` is the number of days to use if the request names none; null
 * means the whole archive.
 */
export const statsWindow = Effect.fnUntraced(function* (
  query: WindowQuery,
  fallback: number | null,
): Effect.fn.Return<StatsWindow, HistoryLimit, Caller> {
  const { plan } = yield* Caller
  // biome-ignore lint/plugin: compared with times in the archive
  const now = yield* Clock.currentTimeMillis
  const { historyDays } = planTerms[plan]
  const requestedDays = query.window_days ?? query.days
  if (requestedDays !== undefined && historyDays !== null && requestedDays > historyDays) {
    return yield* HistoryLimit.of(plan, now - requestedDays * DAY, now)
  }
  const days = requestedDays ?? (historyDays === null ? fallback : Math.min(fallback ?? historyDays, historyDays))
  return { days: days !== null && days > MAX_WINDOW_DAYS ? null : days, now }
})
