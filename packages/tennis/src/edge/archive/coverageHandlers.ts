import { one, reading, storeUnavailable } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { DateTime, Duration, Effect, Exit } from "effect"
import { type NewestData, TennisCoverage } from "../../archive/content/TennisCoverage.ts"
import { SummaryProgress, type SummaryProgressRow } from "../../archive/summaries/SummaryProgress.ts"
import { type Health, STALE_AFTER_DAYS } from "../../contract/http/data/coverageModels.ts"
import { TennisApi } from "../../contract/http/TennisApi.ts"
import { summariesMessage } from "./summariesMessage.ts"

const DAY_MS = 86_400_000

/** The coverage changes with imports and with finished matches. */
const COVERAGE_KEPT_FOR = "1 minute"
const HEALTH_KEPT_FOR = "5 seconds"

export const CoverageHandlers = endpointGroup(
  TennisApi,
  "tennis-coverage",
  Effect.fn(function* (handlers) {
    const archive = yield* TennisCoverage
    const coverage = yield* Effect.cachedWithTTL(archive.coverage, keptFor(COVERAGE_KEPT_FOR))
    const progress = yield* SummaryProgress
    const health = yield* Effect.cachedWithTTL(Effect.all([archive.newest, progress.read]), keptFor(HEALTH_KEPT_FOR))
    const sync = yield* Effect.cachedWithTTL(archive.sync, keptFor(HEALTH_KEPT_FOR))

    return handlers.handleAll({
      coverage: () => Effect.map(coverage, one).pipe(Effect.catchTag("StoreError", storeUnavailable)),
      health: () =>
        Effect.map(health, ([newest, summaries]) => one(healthOf(newest, summaries))).pipe(Effect.catchTag("StoreError", storeUnavailable)),
      sync: reading(function* () {
        const { tours, ...rest } = yield* sync
        const checkedAt = yield* DateTime.now
        const now = checkedAt.epochMilliseconds
        const ages = tours.map(({ match, ranking, tour }) => ({ tour, matches: ageOf(match, now), rankings: ageOf(ranking, now) }))
        return one({
          checked_at: DateTime.formatIso(checkedAt),
          stale: ages.some(({ matches, rankings }) => matches.stale || rankings.stale),
          stale_after_days: STALE_AFTER_DAYS,
          tours: ages,
          ...rest,
        })
      }),
    })
  }),
)

const healthOf = (newest: NewestData, progress: SummaryProgressRow): Health => {
  const { done, state, steps } = progress
  return {
    status: state !== "complete" ? `summaries_${state}` : newest.newest_match_date === null ? "empty" : "ok",
    summaries: { state, steps_done: done, steps, message: summariesMessage(progress) },
    ...newest,
  }
}

/** A day in the future, such as that of a list published in advance, has the age 0. */
const ageOf = (day: string | null, now: number) => {
  const age = day === null ? null : Math.max(0, Math.floor((now - Date.parse(day)) / DAY_MS))
  return { newest_date: day, age_days: age, stale: age === null || age > STALE_AFTER_DAYS }
}

const keptFor = (duration: Duration.Input) => (exit: Exit.Exit<unknown, unknown>) => (Exit.isSuccess(exit) ? duration : Duration.zero)
