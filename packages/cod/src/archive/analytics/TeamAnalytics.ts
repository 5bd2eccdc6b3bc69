/** Reads the values from which the analytics of teams are computed. The rules have the formulas. */
import { PgClient } from "@effect/sql-pg"
import { OperationTimeout, type StoreError, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { TeamModeSums } from "../../rules/analytics/playstyle.ts"
import type { TeamMeeting } from "../../rules/analytics/teamMeetings.ts"
import { gameModes } from "../../rules/archive/modes.ts"
import type { AnalyticsScope } from "./PlayerAnalytics.ts"
import { teamMapColumns, teamMapsText } from "./teamMaps.ts"
import { ALL_MAPS, ALL_SEASONS } from "./writeAnalytics.ts"

const Team = Schema.Struct({ slug: Schema.String, name: Schema.String })
export type AnalyticsTeam = typeof Team.Type

const ModeSums = Schema.Struct({
  teamSlug: Schema.String,
  mode: Schema.Literals(gameModes),
  maps: Schema.Natural,
  wins: Schema.Natural,
  points: Schema.Natural,
  pointsAgainst: Schema.Natural,
  linePoints: Schema.Natural,
  kills: Schema.Natural,
  deaths: Schema.Natural,
  objectives: Schema.Natural,
  objectiveMaps: Schema.Natural,
})

const TeamMap = Schema.Struct({
  teamSlug: Schema.String,
  mapName: Schema.String,
  mode: Schema.Literals(gameModes),
  maps: Schema.Natural,
  wins: Schema.Natural,
  picks: Schema.Natural,
  points: Schema.Natural,
  pointsAgainst: Schema.Natural,
  /** ISO 8601 in UTC. */
  lastPlayed: Schema.String,
})
export type TeamMap = typeof TeamMap.Type

const Meeting = Schema.Struct({
  season: Schema.Int,
  startsAt: Schema.String,
  team1Slug: Schema.String,
  team1Score: Schema.NullOr(Schema.Natural),
  team2Score: Schema.NullOr(Schema.Natural),
  winnerSlug: Schema.NullOr(Schema.String),
})

export class TeamAnalytics extends Context.Service<
  TeamAnalytics,
  {
    /** Teams in the order of the slugs. Unknown slugs are left out. */
    readonly teams: (slugs: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<AnalyticsTeam>, StoreError>
    /** Sums of all teams. */
    readonly modeSums: (scope: AnalyticsScope) => Effect.Effect<ReadonlyArray<TeamModeSums>, StoreError>
    /** Sorted by mode and map. */
    readonly maps: (slugs: ReadonlyArray<string>, scope: AnalyticsScope) => Effect.Effect<ReadonlyArray<TeamMap>, StoreError>
    /** Completed matches between two teams, newest first. */
    readonly meetings: (team1: string, team2: string, scope: AnalyticsScope) => Effect.Effect<ReadonlyArray<TeamMeeting>, StoreError>
  }
>()("@matchpoint/cod/archive/analytics/TeamAnalytics") {
  static readonly layer = Layer.effect(
    TeamAnalytics,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      /** Rows of `cod_team_maps`, or the same of a limited history, where `condition` holds for the map's name. */
      const source = ({ from, season }: AnalyticsScope, condition: Fragment) =>
        from === undefined
          ? sql`(SELECT * FROM cod_team_maps WHERE season = ${season ?? ALL_SEASONS} AND ${condition})`
          : sql`(${sql.literal(teamMapsText(`m.starts_at >= ${timeText(from)} ${season === undefined ? "" : `AND t.season = ${Math.trunc(season)}`}`))})`

      const selectTeams = (slugs: ReadonlyArray<string>) =>
        Effect.flatMap(
          sql`
            SELECT t.slug, t.name FROM unnest(${[...slugs]}::text[]) WITH ORDINALITY AS wanted (slug, place)
            JOIN cod_teams t ON t.slug = wanted.slug ORDER BY wanted.place`,
          decodeTeams,
        )

      const selectModeSums = (scope: AnalyticsScope) =>
        Effect.flatMap(
          sql`
            SELECT s.team_slug AS "teamSlug", s.mode, sum(s.maps)::integer AS maps, sum(s.wins)::integer AS wins,
              sum(s.points)::integer AS points, sum(s.points_against)::integer AS "pointsAgainst",
              sum(s.line_points)::integer AS "linePoints", sum(s.kills)::integer AS kills, sum(s.deaths)::integer AS deaths,
              sum(s.objectives)::integer AS objectives, sum(s.objective_maps)::integer AS "objectiveMaps"
            FROM ${source(scope, sql`map_name = ${ALL_MAPS}`)} AS s (${sql.literal(teamMapColumns)}) GROUP BY s.team_slug, s.mode`,
          decodeModeSums,
        )

      const selectMaps = (slugs: ReadonlyArray<string>, scope: AnalyticsScope) =>
        Effect.flatMap(
          sql`
            SELECT s.team_slug AS "teamSlug", s.map_name AS "mapName", s.mode, sum(s.maps)::integer AS maps, sum(s.wins)::integer AS wins,
              sum(s.picks)::integer AS picks, sum(s.points)::integer AS points, sum(s.points_against)::integer AS "pointsAgainst",
              to_char(max(s.last_played) AT TIME ZONE 'UTC', ${ISO}) AS "lastPlayed"
            FROM ${source(scope, sql`map_name <> ${ALL_MAPS}`)} AS s (${sql.literal(teamMapColumns)}) WHERE s.team_slug = ANY(${[...slugs]}::text[])
            GROUP BY s.team_slug, s.mode, s.map_name ORDER BY s.mode, s.map_name, s.team_slug`,
          decodeMaps,
        )

      const selectMeetings = (team1: string, team2: string, { from, season }: AnalyticsScope) =>
        Effect.flatMap(
          sql`
            SELECT t.season, to_char(m.starts_at AT TIME ZONE 'UTC', ${ISO}) AS "startsAt", m.team1_slug AS "team1Slug",
              m.team1_score AS "team1Score", m.team2_score AS "team2Score", m.winner_slug AS "winnerSlug"
            FROM cod_matches m JOIN cod_tournaments t USING (tournament_id)
            WHERE m.status = 'completed' AND ((m.team1_slug = ${team1} AND m.team2_slug = ${team2}) OR (m.team1_slug = ${team2} AND m.team2_slug = ${team1}))
              ${season === undefined ? sql`` : sql`AND t.season = ${season}`} ${from === undefined ? sql`` : sql`AND m.starts_at >= ${from}`}
            ORDER BY m.starts_at DESC, m.start_order DESC, m.match_id DESC`,
          decodeMeetings,
        )

      const operation = (name: string) => storeOperation(`TeamAnalytics.${name}`, timeout)
      return TeamAnalytics.of({
        teams: Effect.fn("TeamAnalytics.teams")(selectTeams, operation("teams")),
        modeSums: Effect.fn("TeamAnalytics.modeSums")(selectModeSums, operation("modeSums")),
        maps: Effect.fn("TeamAnalytics.maps")(selectMaps, operation("maps")),
        meetings: Effect.fn("TeamAnalytics.meetings")(selectMeetings, operation("meetings")),
      })
    }),
  )
}

const ISO = 'YYYY-MM-DD"T"HH24:MI:SS"Z"'

const timeText = (at: Date): string => `'${at.toISOString()}'::timestamptz`

const decodeTeams = Schema.decodeUnknownEffect(Schema.Array(Team))
const decodeModeSums = Schema.decodeUnknownEffect(Schema.Array(ModeSums))
const decodeMaps = Schema.decodeUnknownEffect(Schema.Array(TeamMap))
const decodeMeetings = Schema.decodeUnknownEffect(Schema.Array(Meeting))
