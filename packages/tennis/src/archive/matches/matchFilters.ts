import type { PgClient } from "@effect/sql-pg"
import type { Order } from "@matchpoint/store/paging/cursor"
import type { Fragment } from "effect/sql/Statement"
import type { Tour } from "../../rules/archive/archiveRows.ts"
import { dayLiteral } from "../dayLiteral.ts"
import { competitionIdText } from "./matchJson.ts"

/** Undefined fields do not restrict the list. */
export interface MatchFilter {
  readonly playerId?: string | undefined
  readonly opponentId?: string | undefined
  readonly tour?: Tour | undefined
  readonly circuit?: string | undefined
  /** Year of the match's date. */
  readonly year?: number | undefined
  readonly surface?: string | undefined
  readonly level?: string | undefined
  readonly round?: string | undefined
  /** Id of a tournament in one year, id of a competition, or the whole name in any case. */
  readonly tournament?: string | undefined
  /** First day, such as `2024-05-01`. */
  readonly since?: string | undefined
}

export const matchesWhere = (sql: PgClient.PgClient, filter: MatchFilter): Fragment => {
  const { circuit, level, opponentId, playerId, round, since, surface, tour, tournament, year } = filter
  const conditions: Array<Fragment> = [sql.literal("true")]
  // The columns of winner and loser are compared in separate conditions, so that PostgreSQL can use the index of each.
  if (playerId !== undefined && opponentId !== undefined) {
    conditions.push(sql`((m.winner_id = ${playerId} AND m.loser_id = ${opponentId})
      OR (m.winner_id = ${opponentId} AND m.loser_id = ${playerId}))`)
  } else if (playerId !== undefined) conditions.push(sql`(m.winner_id = ${playerId} OR m.loser_id = ${playerId})`)
  if (tour !== undefined) conditions.push(sql`m.tour = ${tour}`)
  if (circuit !== undefined) conditions.push(sql`m.circuit = ${circuit}`)
  if (year !== undefined) conditions.push(inYears(sql, year, year))
  if (surface !== undefined) conditions.push(sql`m.surface = ${surface}`)
  if (level !== undefined) conditions.push(sql`m.level = ${level}`)
  if (round !== undefined) conditions.push(sql`m.round = ${round}`)
  if (since !== undefined) conditions.push(sql`m.match_date >= ${dayLiteral(sql, since)}`)
  if (tournament !== undefined) conditions.push(ofTournament(sql, tournament))
  return sql.and(conditions)
}

/** Both ends are inclusive. */
export const inYears = (sql: PgClient.PgClient, first: number, last: number): Fragment =>
  sql`m.match_date BETWEEN ${`${first}-01-01`}::date AND ${`${last}-12-31`}::date`

const ofTournament = (sql: PgClient.PgClient, reference: string): Fragment => {
  const id = /^(atp|wta)_(.+)$/u.exec(reference)
  if (id === null) return sql`lower(m.tournament_name) = ${reference.toLowerCase()}`
  const [, tour, rest = ""] = id
  return /^\d{4}-/u.test(rest)
    ? sql`(m.tour = ${tour} AND m.tournament_id = ${rest})`
    : sql`${sql.literal(competitionIdText("m"))} = ${reference}`
}

/** Condition on matches that are over. */
export const finishedText = "m.ending NOT IN ('unfinished', 'unknown')"

/** First to last. Matches of a day are listed in the opposite order. */
const rounds = ["Q1", "Q2", "Q3", "Q4", "Q5", "PR", "ER", "CR", "R128", "R64", "R32", "RR", "R16", "QF", "BR", "SF", "F"]

const roundPlace = `CASE m.round ${rounds.map((round, place) => `WHEN '${round}' THEN ${place + 1}`).join(" ")} ELSE 0 END`

export const newestMatches: Order = {
  name: "tennis-matches-newest",
  keys: [
    { of: "m.match_date", type: "date", descending: true },
    { of: roundPlace, type: "bigint", descending: true },
    { of: "m.match_id", type: "text", descending: true },
  ],
}
