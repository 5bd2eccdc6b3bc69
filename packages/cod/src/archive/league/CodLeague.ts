import { PgClient } from "@effect/sql-pg"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeEffect, storeFn } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { CodStanding } from "../../contract/http/data/leagueModels.ts"
import { WHOLE_SEASON } from "../summaries/standings.ts"

const recordText = (kind: "map" | "match") => {
  const [wins, losses] = [`s.${kind}_wins`, `s.${kind}_losses`]
  return `json_build_object('wins', ${wins}, 'losses', ${losses}, 'winPct', round(${wins}::numeric / NULLIF(${wins} + ${losses}, 0), 3))`
}

const standingText = `json_build_object('rank', s.rank, 'orgSlug', s.team_slug, 'teamName', COALESCE(a.name, s.team_slug),
  'teamLogo', a.logo_url, 'cdlPoints', s.cdl_points, 'matchRecord', ${recordText("match")}, 'mapRecord', ${recordText("map")})`

/** `season` is null if the archive has no season. */
const Standings = Schema.Struct({
  season: Schema.NullOr(Schema.Natural),
  rows: Schema.Array(CodStanding),
  /** Finished league matches without a score. */
  unknownScores: Schema.Natural,
})
export type Standings = typeof Standings.Type

export class CodLeague extends Context.Service<
  CodLeague,
  {
    /** Seasons with at least one tournament, newest first. */
    readonly seasons: Effect.Effect<ReadonlyArray<number>, StoreError>
    /** Stages of a season in alphabetical order. */
    readonly stages: (season: number) => Effect.Effect<ReadonlyArray<string>, StoreError>
    /** Standings of a season (default: the newest) or of a stage, best first. Empty if the archive has none. */
    readonly standings: (season: number | undefined, stage: string | undefined) => Effect.Effect<Standings, StoreError>
  }
>()("@matchpoint/cod/archive/league/CodLeague") {
  static readonly layer = Layer.effect(
    CodLeague,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout
      return CodLeague.of({
        seasons: rowsOf(Schema.Natural)(
          sql`SELECT to_json(season) AS row FROM (SELECT DISTINCT season FROM cod_tournaments) AS known ORDER BY season DESC`,
        ).pipe(storeEffect("CodLeague.seasons", timeout)),
        stages: storeFn("CodLeague.stages", timeout, (season) =>
          rowsOf(Schema.String)(sql`
            SELECT to_json(stage) AS row FROM (SELECT DISTINCT stage FROM cod_standings WHERE season = ${season} AND stage <> ${WHOLE_SEASON}) AS known
            ORDER BY stage`),
        ),
        standings: storeFn("CodLeague.standings", timeout, function* (season, stage = WHOLE_SEASON) {
          const [found = { season: null, rows: [], unknownScores: 0 }] = yield* rowsOf(Standings)(sql`
            SELECT json_build_object('season', asked.season, 'rows', COALESCE(
              json_agg(${sql.literal(standingText)} ORDER BY s.rank, COALESCE(a.name, s.team_slug)) FILTER (WHERE s.team_slug IS NOT NULL), '[]'),
              'unknownScores', (
                SELECT count(*) FROM cod_matches m JOIN cod_tournaments t USING (tournament_id)
                WHERE t.is_league AND t.season = asked.season AND m.status = 'completed' AND m.score_gap IS NOT NULL
                  AND (${stage} = ${WHOLE_SEASON} OR t.stage = ${stage}))) AS row
            FROM (SELECT COALESCE(${season ?? null}::integer, (SELECT max(season) FROM cod_tournaments)) AS season) AS asked
            LEFT JOIN cod_standings s ON s.season = asked.season AND s.stage = ${stage}
            LEFT JOIN cod_teams a ON a.slug = s.team_slug
            GROUP BY asked.season`)
          return found
        }),
      })
    }),
  )
}
