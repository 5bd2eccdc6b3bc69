/** Responses of the statistics lists: the rows, the time window, the time of the computation, and why data is missing. */
import { pagingOf } from "@matchpoint/contracts/http/envelope"
import type { Page } from "@matchpoint/game/edge/page"
import type { StatsRows } from "../../archive/stats/ranked.ts"
import type { StatsState } from "../../archive/stats/StatsRefresh.ts"
import { isKept, type StatsWindow } from "../../archive/stats/window.ts"
import type { StatsMeta } from "../../contract/http/data/statsModels.ts"

export interface StatsRequest {
  readonly category: string
  /** Source of the statistics, e.g. "completed maps". */
  readonly dataScope: string
  readonly minMaps: number
  readonly page: Page
  readonly window: StatsWindow
}

export const statsAnswer = <A>(
  { category, dataScope, minMaps, page, window }: StatsRequest,
  { indexed, rows, total }: StatsRows<A>,
  state: StatsState,
): { readonly success: true; readonly data: ReadonlyArray<A>; readonly meta: StatsMeta } => {
  const kept = isKept(window)
  const reason = indexed ? null : kept && state.refreshedAt === null ? ("being_recomputed" as const) : ("not_yet_indexed" as const)
  const available = { dataAvailable: indexed, unavailableReason: reason }
  return {
    success: true,
    data: rows,
    meta: {
      ...pagingOf(page, rows.length, total),
      category,
      windowDays: window.days,
      minMaps,
      dataScope,
      source: "archive",
      ...available,
      // The data quality is at best "partial", because the archive is never complete.
      dataQuality: indexed ? "partial" : "unavailable",
      availability: {
        ...available,
        refreshedAt: kept && state.refreshedAt !== null ? new Date(state.refreshedAt).toISOString() : null,
        recomputing: state.recomputing,
        stale: kept && state.stale,
      },
    },
  }
}

/** The API specification requires these snake_case names in the responses about pistol rounds and clutches. */
export const snakeCaseAvailability = ({ dataAvailable, unavailableReason }: StatsMeta) => ({
  data_available: dataAvailable,
  unavailable_reason: unavailableReason,
})
