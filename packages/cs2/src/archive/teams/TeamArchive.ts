/** Reads teams in the format of API responses. `Rosters` reads the history of their rosters, `Rankings` their rankings. */
import { PgClient } from "@effect/sql-pg"
import type { Order } from "@matchpoint/store/paging/cursor"
import { type ForeignCursor, type Listed, type PageWindow, readList } from "@matchpoint/store/paging/listReader"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn } from "@matchpoint/store/StoreError"
import { Array as Arr, Context, Effect, Layer, type Option } from "effect"
import { Team } from "../../contract/http/data/models.ts"
import { TeamProfile, TeamTrends, type TrendUnit } from "../../contract/http/data/teamModels.ts"
import { matchJoins, matchJson, playerJson, teamJson } from "../fragments.ts"
import { named } from "../search/words.ts"
import { teamsOfRegion } from "./regionSql.ts"
import { formText, mapsText, periodsText, recordsText, type Span, teamMatches } from "./teamSql.ts"

export interface TeamFilter extends PageWindow {
  readonly text?: string | undefined
  readonly region?: string | undefined
  /** ISO 3166 code in upper case. */
  readonly countryCode?: string | undefined
  readonly ranked?: boolean | undefined
  readonly order: "ranking" | "name"
}

export class TeamArchive extends Context.Service<
  TeamArchive,
  {
    readonly list: (filter: TeamFilter) => Effect.Effect<Listed<Team>, StoreError | ForeignCursor>
    /** By id or slug. With `since`, only matches that started at or after it count in results and statistics. */
    readonly profile: (reference: string, since?: Date) => Effect.Effect<Option.Option<TeamProfile>, StoreError>
    readonly trends: (reference: string, unit: TrendUnit, span: Span) => Effect.Effect<Option.Option<TeamTrends>, StoreError>
  }
>()("@matchpoint/cs2/archive/teams/TeamArchive") {
  static readonly layer = Layer.effect(
    TeamArchive,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const where = ({ countryCode, ranked, region, text }: TeamFilter) =>
        sql.and([
          sql`true`,
          ...(text === undefined ? [] : [named(sql, "team", "t.team_number", text)]),
          ...(region === undefined ? [] : [teamsOfRegion(sql, "t", region)]),
          ...(countryCode === undefined ? [] : [sql`t.country_code = ${countryCode}`]),
          ...(ranked === undefined ? [] : [ranked ? sql`t.world_ranking IS NOT NULL` : sql`t.world_ranking IS NULL`]),
        ])

      // The current roster by the status and team of players, which `RosterDerivation` derives.
      const roster = sql`(
        SELECT jsonb_build_object(
          'players', COALESCE(jsonb_agg(member ORDER BY last_played DESC NULLS LAST, nickname) FILTER (WHERE place = 'player'), '[]'),
          'coach', jsonb_agg(member) FILTER (WHERE place = 'coach')->0,
          'inactive', COALESCE(jsonb_agg(member ORDER BY last_played DESC NULLS LAST, nickname) FILTER (WHERE place = 'inactive'), '[]'))
        FROM (
          SELECT p.nickname, seen.last_played, ${playerJson(sql, "p")} || jsonb_build_object('lastPlayedAt', iso_utc(seen.last_played)) AS member,
            CASE
              WHEN p.status = 'coach' AND row_number() OVER (PARTITION BY p.status ORDER BY seen.last_played DESC NULLS LAST, p.player_number) = 1
                THEN 'coach'
              WHEN p.status = 'active' THEN 'player'
              ELSE 'inactive' END AS place
          FROM cs2_players p
          CROSS JOIN LATERAL (SELECT max(l.played_at) AS last_played FROM cs2_lineups l JOIN cs2_series s USING (match_number)
            WHERE l.player_number = p.player_number AND l.team_number = p.current_team_number AND s.status = 'completed') AS seen
          WHERE p.current_team_number = (SELECT team_number FROM team)
          ORDER BY seen.last_played DESC NULLS LAST, p.player_number LIMIT 50) AS members)`

      const recent = sql`(
        SELECT COALESCE(jsonb_agg(${matchJson(sql, "s", "t1", "t2", "e")} ORDER BY newest), '[]')
        FROM played JOIN cs2_series s ON s.match_number = played.match_number ${matchJoins(sql)} WHERE newest <= 10)`

      // Omits announced matches that should have started more than 6 hours ago: they are unlikely to be played.
      const upcoming = sql`(
        SELECT COALESCE(jsonb_agg(${matchJson(sql, "s", "t1", "t2", "e")} ORDER BY s.starts_at, s.match_number), '[]')
        FROM (SELECT next.* FROM team JOIN cs2_series next ON next.team1_number = team.team_number OR next.team2_number = team.team_number
          WHERE next.status = 'upcoming' AND next.starts_at >= now() - interval '6 hours'
          ORDER BY next.starts_at, next.match_number LIMIT 5) AS s ${matchJoins(sql)})`

      return TeamArchive.of({
        list: (filter) =>
          readList(
            sql,
            {
              model: Team,
              order: orders[filter.order],
              from: sql`cs2_teams t WHERE ${where(filter)}`,
              of: "cs2_teams t",
              key: ["team_number"],
              row: teamJson(sql, "t"),
            },
            filter,
            { name: "TeamArchive.list", timeout },
          ),
        profile: storeFn("TeamArchive.profile", timeout, function* (reference, since) {
          const found = yield* profiles(sql`
            ${teamMatches(sql, reference, { from: since })}
            SELECT ${teamJson(sql, "t")} || jsonb_build_object('entityType', 'cs2_team', 'roster', ${roster},
              'form', ${sql.literal(formText)}, 'stats', (SELECT jsonb_build_object(${sql.literal(recordsText)}) FROM per_match),
              'recentMatches', ${recent}, 'upcomingMatches', ${upcoming}) AS row
            FROM team t`)
          return Arr.head(found)
        }),
        trends: storeFn("TeamArchive.trends", timeout, function* (reference, unit, span) {
          const found = yield* trends(sql`
            ${teamMatches(sql, reference, span)}
            SELECT jsonb_build_object('entityType', 'cs2_team_trends', 'teamId', cs2_team_id(t.team_number), 'teamName', t.name,
              'dataAvailable', EXISTS (SELECT FROM played),
              'unavailableReason', CASE WHEN NOT EXISTS (SELECT FROM played) THEN 'not_yet_indexed' END,
              'unit', ${unit}::text, 'periods', ${sql.literal(periodsText(unit))}, 'maps', ${sql.literal(mapsText)}) AS row
            FROM team t`)
          return Arr.head(found)
        }),
      })
    }),
  )
}

const profiles = rowsOf(TeamProfile)
const trends = rowsOf(TeamTrends)

const orders: Record<TeamFilter["order"], Order> = {
  ranking: {
    name: "teams-by-ranking",
    keys: [
      { of: "t.world_ranking", type: "bigint", nullable: true },
      { of: "t.team_number", type: "bigint" },
    ],
  },
  name: {
    name: "teams-by-name",
    keys: [
      { of: "lower(t.name)", type: "text" },
      { of: "t.team_number", type: "bigint" },
    ],
  },
}
