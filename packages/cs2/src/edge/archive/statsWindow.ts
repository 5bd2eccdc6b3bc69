/**
 * Determines the days that a statistics request covers. If the request names an earlier range than the plan gives
 * access to, it fails with 403, as everywhere in the archive. If it names no range, the default is shortened to what
 * the plan allows.
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

/** `fallback` is the number of days if the request names none; null means the whole archive. */
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
