/**
 * Reads the record of the matches between two teams (head-to-head), and the recent form of a team. Both are computed on
 * request from matches found by index, so they are always current, unlike precomputed statistics.
 */
import { PgClient } from "@effect/sql-pg"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer } from "effect"
import { HeadToHeadStats, TeamForm } from "../../contract/http/data/statsModels.ts"
import { teamJson } from "../fragments.ts"
import { roundedText } from "../rates.ts"
import { teamNumberOf } from "../references.ts"
import { inWindow, type StatsWindow } from "./window.ts"

/** Recent matches that a head-to-head lists individually. */
const RECENT = 20

export class HeadToHeads extends Context.Service<
  HeadToHeads,
  {
    /** Teams are ids or slugs. Undefined if a team is unknown or both are the same team. */
    readonly headToHead: (team1: string, team2: string, window: StatsWindow) => Effect.Effect<HeadToHeadStats | undefined, StoreError>
    /** The results of a team's last `matches` matches. Undefined if the team does not exist. */
    readonly form: (team: string, window: StatsWindow, matches: number) => Effect.Effect<TeamForm | undefined, StoreError>
  }
>()("@matchpoint/cs2/archive/stats/HeadToHeads") {
  static readonly layer = Layer.effect(
    HeadToHeads,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout
      const rivals = rowsOf(HeadToHeadStats)
      const forms = rowsOf(TeamForm)

      /** `team1` of the result is always the first argument, regardless of the order in which a match lists the teams. */
      const headToHead = (team1: string, team2: string, window: StatsWindow) => sql`
        WITH pair AS MATERIALIZED (
          SELECT a.team_number AS one, b.team_number AS two, ${teamJson(sql, "a")} AS team1, ${teamJson(sql, "b")} AS team2
          FROM cs2_teams a JOIN cs2_teams b ON b.team_number = ${teamNumberOf(sql, team2)} AND b.team_number <> a.team_number
          WHERE a.team_number = ${teamNumberOf(sql, team1)}
        ), met AS MATERIALIZED (
          SELECT s.match_number, s.starts_at, s.event_number, s.winner_team_number, s.is_forfeit, s.team1_number = pair.one AS straight,
            CASE WHEN s.team1_number = pair.one THEN s.team1_score ELSE s.team2_score END AS score1,
            CASE WHEN s.team1_number = pair.one THEN s.team2_score ELSE s.team1_score END AS score2
          FROM pair JOIN cs2_series s
            ON (s.team1_number = pair.one AND s.team2_number = pair.two) OR (s.team1_number = pair.two AND s.team2_number = pair.one)
          WHERE s.status = 'completed' AND ${inWindow(sql, window, "s.starts_at", "s.match_number")}
        ), maps AS (
          SELECT g.map_id, g.winner_team_number,
            CASE WHEN met.straight THEN g.team1_score ELSE g.team2_score END AS rounds1,
            CASE WHEN met.straight THEN g.team2_score ELSE g.team1_score END AS rounds2
          FROM met JOIN cs2_games g ON g.match_number = met.match_number
          WHERE NOT met.is_forfeit AND g.status = 'completed' AND g.result_type = 'played'
        )
        SELECT jsonb_build_object('entityType', 'cs2_head_to_head_stats', 'team1', pair.team1, 'team2', pair.team2)
          || (SELECT jsonb_build_object('matches', count(*), 'team1Wins', count(*) FILTER (WHERE winner_team_number = pair.one),
              'team2Wins', count(*) FILTER (WHERE winner_team_number = pair.two)) FROM met WHERE NOT is_forfeit)
          || (SELECT jsonb_build_object('maps', count(*), 'team1MapWins', count(*) FILTER (WHERE winner_team_number = pair.one),
              'team2MapWins', count(*) FILTER (WHERE winner_team_number = pair.two),
              'team1Rounds', COALESCE(sum(rounds1), 0), 'team2Rounds', COALESCE(sum(rounds2), 0)) FROM maps)
          || jsonb_build_object('byMap', COALESCE((
              SELECT jsonb_agg(jsonb_build_object('mapName', b.map_id, 'played', b.played, 'team1Wins', b.won1, 'team2Wins', b.won2)
                ORDER BY b.played DESC, b.map_id)
              FROM (SELECT map_id, count(*) AS played, count(*) FILTER (WHERE winner_team_number = pair.one) AS won1,
                  count(*) FILTER (WHERE winner_team_number = pair.two) AS won2 FROM maps GROUP BY map_id) b), '[]'::jsonb),
            'recent', COALESCE((
              SELECT jsonb_agg(jsonb_build_object('matchId', cs2_match_id(r.match_number), 'startsAt', iso_utc(r.starts_at),
                  'eventName', (SELECT name FROM cs2_events e WHERE e.event_number = r.event_number), 'team1Score', r.score1,
                  'team2Score', r.score2, 'winnerTeamId', cs2_team_id(r.winner_team_number), 'isForfeit', r.is_forfeit)
                ORDER BY r.starts_at DESC, r.match_number DESC)
              FROM (SELECT * FROM met ORDER BY starts_at DESC, match_number DESC LIMIT ${RECENT}) r), '[]'::jsonb)) AS row
        FROM pair`

      /** Each side, team 1 or team 2, has an index of its own: the query reads at most as many rows as are returned. */
      const newest = (side: "1" | "2", window: StatsWindow, matches: number) => {
        const [own, other] = side === "1" ? ["1", "2"] : ["2", "1"]
        return sql`
          (SELECT s.match_number, s.starts_at, s.winner_team_number,
            ${sql.literal(`s.team${other}_number AS opponent, s.team${own}_score AS score, s.team${other}_score AS opponent_score`)}
          FROM cs2_series s
          WHERE ${sql.literal(`s.team${own}_number`)} = (SELECT team_number FROM named) AND s.status = 'completed' AND NOT s.is_forfeit
            AND ${inWindow(sql, window, "s.starts_at", "s.match_number")}
          ORDER BY s.starts_at DESC, s.match_number DESC LIMIT ${matches})`
      }

      const form = (team: string, window: StatsWindow, matches: number) => sql`
        WITH named AS MATERIALIZED (
          SELECT t.team_number, ${teamJson(sql, "t")} AS team FROM cs2_teams t WHERE t.team_number = ${teamNumberOf(sql, team)}
        ), played AS (
          SELECT p.*, row_number() OVER (ORDER BY p.starts_at DESC, p.match_number DESC) AS place,
            CASE WHEN p.winner_team_number IS NULL THEN NULL WHEN p.winner_team_number = named.team_number THEN 'win' ELSE 'loss' END AS outcome
          FROM (${newest("1", window, matches)} UNION ALL ${newest("2", window, matches)}) p CROSS JOIN named
          ORDER BY p.starts_at DESC, p.match_number DESC LIMIT ${matches}
        ), decided AS (SELECT outcome, row_number() OVER (ORDER BY place) AS place FROM played WHERE outcome IS NOT NULL),
        streak AS (
          SELECT (SELECT outcome FROM decided WHERE place = 1) AS outcome,
            (SELECT count(*) FROM decided d WHERE NOT EXISTS (
              SELECT FROM decided b WHERE b.place <= d.place AND b.outcome <> (SELECT outcome FROM decided WHERE place = 1))) AS length
        )
        SELECT jsonb_build_object('entityType', 'cs2_team_form', 'team', named.team, 'matches', tally.matches, 'wins', tally.wins,
          'losses', tally.losses, 'winPercent', ${sql.literal(roundedText("100.0 * tally.wins / NULLIF(tally.wins + tally.losses, 0)"))},
          'streak', jsonb_build_object('outcome', streak.outcome, 'length', streak.length),
          'sequence', COALESCE(tally.sequence, ''), 'results', COALESCE(tally.results, '[]'::jsonb)) AS row
        FROM named CROSS JOIN streak CROSS JOIN (
          SELECT count(*) AS matches, count(*) FILTER (WHERE p.outcome = 'win') AS wins, count(*) FILTER (WHERE p.outcome = 'loss') AS losses,
            string_agg(CASE p.outcome WHEN 'win' THEN 'W' WHEN 'loss' THEN 'L' ELSE '-' END, '' ORDER BY p.place) AS sequence,
            jsonb_agg(jsonb_build_object('matchId', cs2_match_id(p.match_number), 'startsAt', iso_utc(p.starts_at),
              'opponentId', cs2_team_id(p.opponent), 'opponentName', o.name, 'score', p.score, 'opponentScore', p.opponent_score,
              'outcome', p.outcome) ORDER BY p.place) AS results
          FROM played p JOIN cs2_teams o ON o.team_number = p.opponent
        ) tally`

      return HeadToHeads.of({
        headToHead: storeFn("HeadToHeads.headToHead", limit, function* (team1, team2, window) {
          return (yield* rivals(headToHead(team1, team2, window)))[0]
        }),
        form: storeFn("HeadToHeads.form", limit, function* (team, window, matches) {
          return (yield* forms(form(team, window, matches)))[0]
        }),
      })
    }),
  )
}
