/**
 * Moves matches with their details, entries in standings, and prizes of one team to another. The caller must run this
 * in a transaction that has acquired the archive lock, and must derive the rosters of both teams again afterwards.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import type { Fragment } from "effect/sql/Statement"

/** From `from` (inclusive) until `until` (exclusive). Null: open at that end. */
export interface Period {
  readonly from: Date | null
  readonly until: Date | null
}

export const moveTeam = Effect.fnUntraced(function* (sql: PgClient.PgClient, from: number, into: number, period: Period) {
  const within = (column: string): Fragment =>
    sql.and([
      sql`true`,
      ...(period.from === null ? [] : [sql`${sql.literal(column)} >= ${period.from}`]),
      ...(period.until === null ? [] : [sql`${sql.literal(column)} < ${period.until}`]),
    ])
  const swap = (columns: ReadonlyArray<string>): Fragment =>
    sql.csv(columns.map((column) => sql`${sql(column)} = CASE ${sql(column)} WHEN ${from} THEN ${into} ELSE ${sql(column)} END`))

  yield* sql`CREATE TEMPORARY TABLE moved_matches ON COMMIT DROP AS
    SELECT match_number, event_number FROM cs2_series s
    WHERE (team1_number = ${from} OR team2_number = ${from}) AND ${within("starts_at")}`
  const ofMoved = sql`match_number IN (SELECT match_number FROM moved_matches)`
  // `last_synced_at` makes all data derived from these matches be derived again.
  yield* sql`
    UPDATE cs2_series SET ${swap(["team1_number", "team2_number", "winner_team_number"])}, last_synced_at = now(),
      veto = (SELECT jsonb_agg(CASE WHEN (step->>'teamNumber')::bigint = ${from} THEN jsonb_set(step, '{teamNumber}', to_jsonb(${into}::bigint)) ELSE step END ORDER BY place)
        FROM jsonb_array_elements(veto) WITH ORDINALITY AS steps (step, place))
    WHERE ${ofMoved}`
  yield* sql`UPDATE cs2_lineups SET team_number = ${into} WHERE team_number = ${from} AND ${ofMoved}`
  yield* sql`UPDATE cs2_games SET ${swap(["pick_team_number", "winner_team_number"])} WHERE ${ofMoved}`
  yield* sql`UPDATE cs2_player_games SET team_number = ${into} WHERE team_number = ${from} AND ${ofMoved}`
  yield* sql`UPDATE cs2_rounds SET ${swap(["ct_team_number", "t_team_number", "winner_team_number"])} WHERE ${ofMoved}`

  yield* sql`
    INSERT INTO cs2_event_teams (event_number, team_number, seed, placement, prize)
    SELECT DISTINCT e.event_number, ${into}::bigint, e.seed, e.placement, e.prize
    FROM cs2_event_teams e JOIN moved_matches m USING (event_number) WHERE e.team_number = ${from}
    ON CONFLICT DO NOTHING`
  yield* sql`
    DELETE FROM cs2_event_teams e USING moved_matches m WHERE e.event_number = m.event_number AND e.team_number = ${from}
      AND NOT EXISTS (SELECT FROM cs2_series s WHERE s.event_number = e.event_number AND ${from} IN (s.team1_number, s.team2_number))`
  yield* sql`
    UPDATE cs2_events SET last_synced_at = now(), prize_distribution = (
      SELECT jsonb_agg(CASE WHEN (prize->>'teamNumber')::bigint = ${from} THEN jsonb_set(prize, '{teamNumber}', to_jsonb(${into}::bigint)) ELSE prize END ORDER BY place)
      FROM jsonb_array_elements(prize_distribution) WITH ORDINALITY AS prizes (prize, place))
    WHERE prize_distribution IS NOT NULL AND event_number IN (SELECT event_number FROM moved_matches)`

  yield* sql`
    DELETE FROM cs2_rankings r WHERE r.team_number = ${from} AND (r.ranking = 'world' OR ${within("r.ranked_on")} AND EXISTS (
      SELECT FROM cs2_rankings o WHERE o.team_number = ${into} AND o.ranking = r.ranking AND o.region = r.region
        AND o.ranked_on = r.ranked_on AND o.rank = r.rank))`
  yield* sql`UPDATE cs2_rankings SET team_number = ${into} WHERE team_number = ${from} AND ${within("ranked_on")}`
  yield* sql`
    WITH moved AS (DELETE FROM cs2_prizes WHERE team_number = ${from} AND ${within("ended_on")} RETURNING *)
    INSERT INTO cs2_prizes (team_number, ended_on, ordinal, usd_cents, source)
    SELECT ${into}, ended_on, ordinal, usd_cents, source FROM moved
    ON CONFLICT (team_number, ended_on, ordinal) DO UPDATE SET usd_cents = cs2_prizes.usd_cents + excluded.usd_cents`

  yield* sql`DELETE FROM cs2_team_players WHERE team_number IN (${from}, ${into})`
  yield* sql`
    INSERT INTO cs2_team_players (team_number, player_number, first_played_at, last_played_at, matches)
    SELECT team_number, player_number, min(played_at), max(played_at), count(*) FROM cs2_lineups
    WHERE team_number IN (${from}, ${into}) GROUP BY team_number, player_number`
  yield* sql`DROP TABLE moved_matches`
})
