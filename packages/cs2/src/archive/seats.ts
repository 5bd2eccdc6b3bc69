/**
 * Maintains the status and current team of each player; no other module writes these columns. Their values follow from
 * the player's last roster spell (period on a team). Source pages are used for two exceptions: players without a played
 * match, and players who were reported as coaches after their last match as a player.
 */
import type { PgClient } from "@effect/sql-pg"
import { totalOf } from "@matchpoint/store/reading"
import { Effect } from "effect"
import { bigints } from "./writer/bulk.ts"

/** A match whose start time has been changed by the current write. */
export interface Moved {
  readonly match_number: number
  /** Previous start of the match, ISO 8601. */
  readonly was: string
}

/** A player is inactive if the last match was this long before the newest completed match of the archive. */
const INACTIVE_AFTER = "180 days"

/**
 * The current team is that of the newest match that has begun, unless newer information is stored. Provisional until
 * rosters are derived. The lineups of `matches` were written; `moved` are those of them with a changed start time.
 */
export const assignTeams = (sql: PgClient.PgClient, matches: ReadonlyArray<number>, moved: ReadonlyArray<Moved>) =>
  matches.length === 0
    ? Effect.void
    : sql`
        UPDATE cs2_players p
        SET current_team_number = newest.team_number, status = 'active', status_updated_at = newest.played_at, last_synced_at = now()
        FROM (SELECT DISTINCT player_number FROM cs2_lineups WHERE match_number = ANY(${bigints(matches)}::bigint[]) AND role = 'player') who
        CROSS JOIN LATERAL (
          SELECT l.player_number, l.team_number, l.played_at FROM cs2_lineups l JOIN cs2_series s USING (match_number)
          WHERE l.player_number = who.player_number AND s.status IN ('live', 'completed')
          ORDER BY l.played_at DESC, l.team_number LIMIT 1) newest
        WHERE p.player_number = newest.player_number
          AND (p.status_updated_at IS NULL OR p.status_updated_at <= newest.played_at OR EXISTS (
            SELECT FROM jsonb_to_recordset(${sql.json(moved)}) AS m (match_number bigint, was timestamptz)
            JOIN cs2_lineups l USING (match_number) WHERE l.player_number = p.player_number AND m.was = p.status_updated_at))
          AND (p.current_team_number, p.status, p.status_updated_at)
            IS DISTINCT FROM (newest.team_number, 'active', newest.played_at)`

/** Sets the reported values of players without a played match, without waiting for the derivation of rosters. */
export const applyReportedTeams = (sql: PgClient.PgClient, players: ReadonlyArray<number>) =>
  players.length === 0 ? Effect.void : Effect.asVoid(deriveStatuses(sql, players))

/** Sets the status and team according to the stored roster spells. Returns how many players changed. */
export const deriveStatuses = (sql: PgClient.PgClient, players: ReadonlyArray<number>) =>
  totalOf(sql`
    WITH seated AS (
      SELECT p.player_number, seat.*
      FROM cs2_players p
      LEFT JOIN LATERAL (
        SELECT * FROM cs2_roster_spells s WHERE s.player_number = p.player_number ORDER BY s.last_match_at DESC, s.first_match_at DESC LIMIT 1
      ) stay ON true
      CROSS JOIN LATERAL (
        SELECT CASE
          WHEN p.told_at IS NOT NULL AND (stay.player_number IS NULL OR (p.told_role = 'coach' AND p.told_at > stay.last_match_at)) THEN 'told'
          WHEN stay.player_number IS NULL THEN CASE WHEN EXISTS (
            SELECT FROM cs2_lineups l JOIN cs2_series s USING (match_number)
            WHERE l.player_number = p.player_number AND s.status = 'completed') THEN 'guest' ELSE 'new' END
          WHEN stay.left_at IS NOT NULL THEN 'left'
          WHEN stay.benched_at IS NOT NULL THEN 'benched'
          WHEN stay.last_match_at < (SELECT max(starts_at) FROM cs2_series WHERE status = 'completed') - interval '${sql.literal(INACTIVE_AFTER)}' THEN 'idle'
          ELSE 'playing' END AS state
      ) how
      CROSS JOIN LATERAL (
        SELECT
          CASE how.state WHEN 'told' THEN p.told_team_number WHEN 'guest' THEN NULL WHEN 'left' THEN NULL ELSE stay.team_number END AS team,
          CASE how.state WHEN 'told' THEN CASE p.told_role WHEN 'coach' THEN 'coach' ELSE 'active' END WHEN 'guest' THEN 'active'
            WHEN 'playing' THEN CASE stay.role WHEN 'coach' THEN 'coach' ELSE 'active' END ELSE 'inactive' END AS status,
          CASE how.state WHEN 'told' THEN p.told_at WHEN 'left' THEN stay.left_at WHEN 'benched' THEN stay.benched_at
            ELSE stay.last_match_at END AS since
      ) seat
      WHERE p.player_number = ANY(${bigints(players)}::bigint[]) AND how.state <> 'new'
    ), written AS (
      UPDATE cs2_players p
      SET current_team_number = seated.team, status = seated.status, status_updated_at = seated.since, last_synced_at = now()
      FROM seated
      WHERE p.player_number = seated.player_number
        AND (p.current_team_number, p.status, p.status_updated_at) IS DISTINCT FROM (seated.team, seated.status, seated.since)
      RETURNING 1
    ) SELECT count(*) AS total FROM written`)
