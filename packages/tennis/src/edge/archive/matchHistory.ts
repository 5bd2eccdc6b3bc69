/** Limits requests for tennis matches to the history of the caller's plan, and converts query parameters to filters. */
import { ValidationError } from "@matchpoint/contracts/http/errors"
import { since, withinHistory } from "@matchpoint/game/edge/archive"
import { Effect } from "effect"
import type { TourName } from "../../contract/http/data/references.ts"
import type { Tour } from "../../rules/archive/archiveRows.ts"
import { dayOf, endOf, readSurface } from "./parameters.ts"

/** Tour as in the tables. */
export const givenTour = (tour: TourName | undefined): Tour | undefined => (tour === undefined ? undefined : tour === "WTA" ? "wta" : "atp")

/** First day of the caller's history, such as `2024-05-01`, or undefined if the history is unlimited. */
export const sinceDay = Effect.suspend(() => Effect.map(since(), (start) => (start === undefined ? undefined : dayOf(start))))

/** Fails if the whole day, such as `2024-07-14`, or the whole year is before the caller's history. */
export const endWithinHistory = (dayOrYear: string | number | undefined) =>
  dayOrYear === undefined ? Effect.void : withinHistory(endOf(dayOrYear))

/** Filter of a career or head-to-head. Fails if the years are in the wrong order or before the caller's history. */
export const recordFilterOf = Effect.fnUntraced(function* (query: {
  readonly surface?: string | undefined
  readonly level?: string | undefined
  readonly year_from?: number | undefined
  readonly year_to?: number | undefined
}) {
  const { level, surface, year_from: yearFrom, year_to: yearTo } = query
  if (yearFrom !== undefined && yearTo !== undefined && yearFrom > yearTo) {
    return yield* ValidationError.because(`year_from (${yearFrom}) must not be after year_to (${yearTo})`, { parameter: "year_from" })
  }
  yield* endWithinHistory(yearTo)
  return { surface: yield* readSurface(surface), level: level?.toUpperCase(), yearFrom, yearTo, since: yield* sinceDay }
})

interface MatchQuery {
  readonly opponent_id?: string | undefined
  readonly year?: number | undefined
  readonly surface?: string | undefined
  readonly tournament?: string | undefined
  readonly round?: string | undefined
  readonly level?: string | undefined
  readonly circuit?: string | undefined
}

/** Limited to the caller's history. Fails if the surface is unknown, or if the year is before the history. */
export const matchFilterOf = Effect.fnUntraced(function* (query: MatchQuery) {
  const { circuit, level, opponent_id: opponentId, round, surface, tournament, year } = query
  yield* endWithinHistory(year)
  return {
    opponentId,
    year,
    surface: yield* readSurface(surface),
    tournament,
    round: round?.toUpperCase(),
    level: level?.toUpperCase(),
    circuit,
    since: yield* sinceDay,
  }
})
