/** Standings of seasons and of their stages. `packages/cod/src/rules/archive/standings.ts` has the rules. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import { standingsOf } from "../../rules/archive/standings.ts"

const Team = Schema.Struct({ season: Schema.Int, teamSlug: Schema.String })
const Played = Schema.Struct({
  season: Schema.Int,
  stage: Schema.NullOr(Schema.String),
  team1Slug: Schema.String,
  team2Slug: Schema.String,
  team1Score: Schema.NullOr(Schema.Int),
  team2Score: Schema.NullOr(Schema.Int),
  winnerSlug: Schema.NullOr(Schema.String),
  pointsPerWin: Schema.NullOr(Schema.Int),
})
const Place = Schema.Struct({
  season: Schema.Int,
  stage: Schema.NullOr(Schema.String),
  teamSlug: Schema.String,
  cdlPoints: Schema.Int,
})
const Part = Schema.Struct({ season: Schema.Int, stage: Schema.NullOr(Schema.String) })

const decodeTeams = Schema.decodeUnknownEffect(Schema.Array(Team))
const decodePlayed = Schema.decodeUnknownEffect(Schema.Array(Played))
const decodePlaces = Schema.decodeUnknownEffect(Schema.Array(Place))
const decodeParts = Schema.decodeUnknownEffect(Schema.Array(Part))

/** Stage of the rows that count a whole season. */
export const WHOLE_SEASON = ""

/** Counts finished league matches. If the franchises of a season are unknown, all teams with a match are listed. */
export const writeStandings = Effect.fnUntraced(function* (sql: PgClient.PgClient, seasons: ReadonlyArray<number>) {
  const parts = yield* Effect.flatMap(
    sql`SELECT DISTINCT season, stage FROM cod_tournaments WHERE is_league AND season = ANY(${seasons}::integer[])`,
    decodeParts,
  )
  const franchises = yield* Effect.flatMap(
    sql`SELECT season, team_slug AS "teamSlug" FROM cod_season_teams WHERE season = ANY(${seasons}::integer[])`,
    decodeTeams,
  )
  const played = yield* Effect.flatMap(
    sql`
      SELECT season, stage, team1_slug AS "team1Slug", team2_slug AS "team2Slug", team1_score AS "team1Score",
        team2_score AS "team2Score", winner_slug AS "winnerSlug", points_per_win AS "pointsPerWin"
      FROM cod_matches JOIN cod_tournaments USING (tournament_id)
      WHERE is_league AND status = 'completed' AND season = ANY(${seasons}::integer[])`,
    decodePlayed,
  )
  const places = yield* Effect.flatMap(
    sql`
      SELECT season, stage, team_slug AS "teamSlug", cdl_points AS "cdlPoints"
      FROM cod_tournament_results JOIN cod_tournaments USING (tournament_id)
      WHERE is_league AND season = ANY(${seasons}::integer[])`,
    decodePlaces,
  )
  const rows = seasons.flatMap((season) => {
    const ofSeason = <A extends { readonly season: number }>(all: ReadonlyArray<A>) => all.filter((row) => row.season === season)
    const matches = ofSeason(played)
    const listed = ofSeason(franchises).map(({ teamSlug }) => teamSlug)
    const teams = listed.length > 0 ? listed : [...new Set(matches.flatMap(({ team1Slug, team2Slug }) => [team1Slug, team2Slug]))]
    const stages = new Set(ofSeason(parts).flatMap(({ stage }) => stage ?? []))
    return [WHOLE_SEASON, ...stages].flatMap((stage) => {
      const ofStage = <A extends { readonly stage: string | null }>(all: ReadonlyArray<A>) =>
        stage === WHOLE_SEASON ? all : all.filter((row) => row.stage === stage)
      return standingsOf(teams, ofStage(matches), ofStage(ofSeason(places))).map((row) => ({ season, stage, ...row }))
    })
  })
  yield* sql`DELETE FROM cod_standings WHERE season = ANY(${seasons}::integer[])`
  yield* sql`
    INSERT INTO cod_standings (season, stage, team_slug, rank, cdl_points, match_wins, match_losses, map_wins, map_losses)
    SELECT season, stage, "teamSlug", rank, "cdlPoints", "matchWins", "matchLosses", "mapWins", "mapLosses"
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS r (season integer, stage text, "teamSlug" text, rank integer,
      "cdlPoints" integer, "matchWins" integer, "matchLosses" integer, "mapWins" integer, "mapLosses" integer)`
})
