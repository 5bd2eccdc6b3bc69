import { assert } from "@effect/vitest"
import { inRun } from "@matchpoint/testing/bothRuns"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { ArchiveWriter } from "../../../src/archive/ArchiveWriter.ts"
import type { ArchivedMatch } from "../../../src/rules/archive/ArchivedMatch.ts"
import { emptied, type WriterIt } from "../emptied.ts"
import { dice, reportsOf, rosterOn, season, shuffled } from "./reportedSeason.ts"

const Seed = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))

const written = Effect.fnUntraced(function* (matches: ReadonlyArray<ArchivedMatch>, batch: number) {
  const writer = yield* ArchiveWriter
  yield* emptied
  for (let at = 0; at < matches.length; at += batch) yield* writer.matches(matches.slice(at, at + batch))
  return yield* contents
})

/** All content except numbers, slugs and write times. A team is identified by all players who have played for it. */
const contents = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const team = (number: string) =>
    sql.literal(`(SELECT string_agg(p.nickname_key, ' ' ORDER BY p.nickname_key COLLATE "C") FROM cs2_team_players tp
      JOIN cs2_players p USING (player_number) WHERE tp.team_number = ${number})`)
  const rows = (statement: Effect.Effect<ReadonlyArray<object>, SqlError>) =>
    Effect.map(Effect.orDie(statement), (found) => found.map((row) => JSON.stringify(row)).sort())
  return {
    teams: yield* rows(sql`SELECT ${team("t.team_number")} AS who, name, name_key, confidence FROM cs2_teams t`),
    players: yield* rows(sql`
      SELECT nickname, nickname_key, confidence, maps_played, career_rating, last_rating, status, status_updated_at::text,
        ${team("pl.current_team_number")} AS team FROM cs2_players pl`),
    events: yield* rows(sql`SELECT name, starts_at::text, ends_at::text FROM cs2_events`),
    eventTeams: yield* rows(sql`SELECT ${team("et.team_number")} AS team FROM cs2_event_teams et`),
    spells: yield* rows(sql`
      SELECT ${team("known.team_number")} AS team, p.nickname_key, first_played_at::text, last_played_at::text, matches::integer
      FROM cs2_team_players known JOIN cs2_players p USING (player_number)`),
    series: yield* rows(sql`
      SELECT starts_at::text, starts_precision, status, best_of, source, confidence, data_quality, event_number IS NULL AS alone,
        ${team("s.winner_team_number")} AS winner, GREATEST(team1_score, team2_score) AS high, LEAST(team1_score, team2_score) AS low,
        LEAST(${team("s.team1_number")}, ${team("s.team2_number")}) AS one, GREATEST(${team("s.team1_number")}, ${team("s.team2_number")}) AS two
      FROM cs2_series s`),
    lineups: yield* rows(sql`
      SELECT s.starts_at::text, ${team("l.team_number")} AS team, p.nickname_key, l.played_at::text
      FROM cs2_lineups l JOIN cs2_series s USING (match_number) JOIN cs2_players p USING (player_number)`),
    lines: yield* rows(sql`
      SELECT g.map_id, g.detail, g.source, pg.played_at::text, ${team("pg.team_number")} AS team, p.nickname_key, pg.kills
      FROM cs2_player_games pg JOIN cs2_games g USING (match_number, map_number) JOIN cs2_players p USING (player_number)`),
    names: yield* rows(sql`
      SELECT entity_type, source, name_key, name, first_seen_at::text, last_seen_at::text FROM cs2_names`),
    keys: yield* rows(sql`SELECT entity_type, source, source_key FROM cs2_source_keys`),
    search: yield* rows(sql`SELECT entity_type, words FROM cs2_search`),
  }
})

const endsTheSame = Effect.fnUntraced(function* (seed: number) {
  const played = season(seed)
  const reports = reportsOf(played, seed)
  const roll = dice(seed + 13)
  const inOrder = yield* written(reports, 200)
  assert.strictEqual(inOrder.series.length, played.length)
  assert.strictEqual(inOrder.teams.length, new Set(played.flatMap((match) => match.sides)).size)
  const players = new Set(played.flatMap((match) => match.sides.flatMap((side) => rosterOn(side, match.day))))
  assert.strictEqual(inOrder.players.length, players.size)
  const again = shuffled([...reports, ...reports.slice(0, reports.length / 2)], roll)
  assert.deepStrictEqual(yield* written(again, 5 + roll(15)), inOrder)
  const outcomes = yield* (yield* ArchiveWriter).matches(shuffled(reports, roll))
  assert.isTrue(outcomes.every(({ outcome }) => outcome === "unchanged"))
  assert.deepStrictEqual(yield* contents, inOrder)
})

export const writesInAnyOrder = (it: WriterIt) => {
  it.effect.prop(
    "a season reported by three sources gives the same archive in any order, any batches and with repetitions",
    [Seed],
    ([seed]) => endsTheSame(seed),
    { arbitrary: { runs: inRun(1, 4) }, timeout: 120_000 },
  )

  it.effect(
    "seed 792,503 (regression): a name first reported in a match that changes nothing is searchable",
    () => endsTheSame(792_503),
    120_000,
  )
}
