/**
 * Totals of match lists from the summaries, without counting matches. Lists with a limit that the summaries do not know,
 * such as a tournament, are counted when they are read.
 */
import type { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import { Effect, Schema } from "effect"
import type { MatchFilter } from "./matchFilters.ts"

/** All matches of the list are between the years `first` and `last`, which are null if there are none. */
export interface MatchTotals {
  readonly total: number
  readonly first: number | null
  readonly last: number | null
}

const Row = Schema.Struct({ total: Counter, first: Schema.NullOr(Schema.Natural), last: Schema.NullOr(Schema.Natural) })
const decode = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Row))

/** Undefined if the summaries do not have the totals. */
export const readMatchTotals = (sql: PgClient.PgClient, filter: MatchFilter) => {
  const { opponentId, playerId, round, since, tournament } = filter
  if (
    tournament !== undefined &&
    tournamentId.test(tournament) &&
    Object.values(filter).filter((value) => value !== undefined).length === 1
  )
    return Effect.map(Effect.flatMap(fromTournaments(sql, tournament), decode), ([row]) => row)
  if (opponentId !== undefined || since !== undefined || tournament !== undefined) return undefined
  if (playerId === undefined) return Effect.map(Effect.flatMap(fromCounts(sql, filter), decode), ([row]) => row)
  return round === undefined ? Effect.map(Effect.flatMap(fromYears(sql, playerId, filter), decode), ([row]) => row) : undefined
}

const tournamentId = /^(?:atp|wta)_/u

/** The year of a tournament may differ by one from that of a match at the turn of the year. */
const fromTournaments = (sql: PgClient.PgClient, reference: string) =>
  sql`
    SELECT COALESCE(sum(matches), 0) AS total, min(year) - 1 AS first, max(year) + 1 AS last FROM tennis_tournaments
    WHERE id = ${reference} OR competition_id = ${reference}`

const fromCounts = (sql: PgClient.PgClient, { circuit = "*", level = "*", round = "*", surface = "*", tour, year }: MatchFilter) =>
  sql`
    SELECT COALESCE(sum(matches), 0) AS total, min(year) AS first, max(year) AS last FROM tennis_match_counts
    WHERE tour IN ${sql.in(tour === undefined ? ["atp", "wta"] : [tour])} AND circuit = ${circuit} AND level = ${level}
      AND surface = ${surface} AND round = ${round} ${year === undefined ? sql.literal("") : sql`AND year = ${year}`}`

const fromYears = (sql: PgClient.PgClient, playerId: string, { circuit, level, surface, tour, year }: MatchFilter) =>
  sql`
    SELECT COALESCE(sum(listed), 0) AS total, min(year) AS first, max(year) AS last FROM tennis_player_years
    WHERE ${sql.and([
      sql`player_id = ${playerId}`,
      ...(tour === undefined ? [] : [sql`starts_with(player_id, ${tour})`]),
      ...(circuit === undefined ? [] : [sql`circuit = ${circuit}`]),
      ...(level === undefined ? [] : [sql`level = ${level}`]),
      ...(surface === undefined ? [] : [sql`surface = ${surface}`]),
      ...(year === undefined ? [] : [sql`year = ${year}`]),
    ])}`
