/** Updates data derived from matches, only for the players and events affected by a write. Unchanged rows are not written. */
import type { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { bigints } from "./bulk.ts"

/** Maps played and ratings, recomputed from all statistics of the players. */
export const countPlayers = (sql: PgClient.PgClient, players: ReadonlyArray<number>) =>
  players.length === 0
    ? Effect.void
    : sql`
        UPDATE cs2_players p
        SET maps_played = made.maps, career_rating = made.career, last_rating = made.last, last_synced_at = now()
        FROM (
          SELECT who.player_number, count(pg.match_number)::integer AS maps,
            sum(pg.rating * pg.rounds) / NULLIF(sum(pg.rounds) FILTER (WHERE pg.rating IS NOT NULL), 0) AS career,
            (array_agg(pg.rating ORDER BY pg.played_at DESC, pg.match_number DESC, pg.map_number DESC)
              FILTER (WHERE pg.rating IS NOT NULL))[1] AS last
          FROM unnest(${bigints(players)}::bigint[]) AS who (player_number) LEFT JOIN cs2_player_games pg USING (player_number)
          GROUP BY who.player_number) made
        WHERE p.player_number = made.player_number
          AND (p.maps_played, p.career_rating, p.last_rating) IS DISTINCT FROM (made.maps, made.career, made.last)`

/**
 * Adds the teams of `matches` to their events. Also sets the dates of `events` for which no source has reported any:
 * from the first to the last match. An unfinished match counts with its longest expected duration, so that the event
 * does not end while it is being played.
 */
export const dateEvents = Effect.fnUntraced(function* (
  sql: PgClient.PgClient,
  events: ReadonlyArray<number>,
  matches: ReadonlyArray<number>,
) {
  if (matches.length > 0) {
    yield* sql`
      INSERT INTO cs2_event_teams (event_number, team_number)
      SELECT DISTINCT s.event_number, t.team_number FROM cs2_series s, LATERAL (VALUES (s.team1_number), (s.team2_number)) AS t (team_number)
      WHERE s.match_number = ANY(${bigints(matches)}::bigint[]) AND s.event_number IS NOT NULL
      ON CONFLICT DO NOTHING`
  }
  if (events.length === 0) return
  yield* sql`
    UPDATE cs2_events e SET starts_at = played.first_at, ends_at = played.last_at, last_synced_at = now()
    FROM (
      SELECT event_number, min(starts_at) AS first_at, max(COALESCE(ends_at, CASE
          WHEN status IN ('completed', 'cancelled') THEN starts_at
          WHEN starts_precision = 'day' THEN starts_at + interval '1 day' ELSE starts_at + interval '6 hours' END)) AS last_at
      FROM cs2_series WHERE event_number = ANY(${bigints(events)}::bigint[]) GROUP BY event_number) played
    WHERE e.event_number = played.event_number AND e.confirmed_status = 'source_listed'
      AND (e.starts_at, e.ends_at) IS DISTINCT FROM (played.first_at, played.last_at)`
})
