/** Contents of the archive: numbers of rows and the dates that they cover. */
import { PgClient } from "@effect/sql-pg"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeEffect } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { ApexCoverage } from "../../contract/http/data/statsModels.ts"

export class ApexCoverageReader extends Context.Service<
  ApexCoverageReader,
  { readonly coverage: Effect.Effect<ApexCoverage, StoreError> }
>()("@matchpoint/apex/archive/read/ApexCoverageReader") {
  static readonly layer = Layer.effect(
    ApexCoverageReader,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const sumOf = (field: string) => `COALESCE((SELECT sum((contents->>'${field}')::integer) FROM apex_tournaments), 0)`
      const countOf = (column: string) =>
        `COALESCE((SELECT json_object_agg(value, series) FROM (SELECT COALESCE(${column}, 'unknown') AS value, count(*) AS series
          FROM apex_series WHERE copy_of IS NULL GROUP BY value) AS counted), '{}')`
      const seen = `FROM apex_series WHERE copy_of IS NULL AND sort_at > 'epoch'`
      const dayOf = (of: string) => `(SELECT (${of}(sort_at) AT TIME ZONE 'UTC')::date::text ${seen})`

      return ApexCoverageReader.of({
        coverage: Effect.gen(function* () {
          const [read] = yield* facts(
            sql`SELECT json_build_object(${sql.literal(`
            'tournaments', COALESCE((SELECT json_agg(json_build_object('id', tournament_id, 'name', name, 'startsOn', starts_on::text,
              'series', (contents->>'series')::integer, 'games', (contents->>'games')::integer) ORDER BY sort_at DESC, tournament_id)
              FROM apex_tournaments WHERE (contents->>'series')::integer > 0), '[]'),
            'real', (SELECT count(*) FROM apex_series WHERE source <> 'simulator'),
            'simulated', (SELECT count(*) FROM apex_series WHERE source = 'simulator'),
            'copies', (SELECT count(*) FROM apex_series WHERE copy_of IS NOT NULL),
            'teams', (SELECT count(DISTINCT team) FROM apex_tournaments, unnest(team_names) AS team),
            'players', (SELECT count(*) FROM apex_players),
            'transactions', (SELECT count(*) FROM apex_transactions),
            'firstDay', ${dayOf("min")}, 'lastDay', ${dayOf("max")},
            'statuses', ${countOf("status")}, 'regions', ${countOf("region")},
            'computedAt', (SELECT floor(extract(epoch FROM max(computed_at)) * 1000) FROM apex_tournaments),
            'contents', json_build_object(${domains.map((field) => `'${field}', ${sumOf(field)}`).join(", ")})`)}) AS row`,
          )
          return read === undefined ? yield* Effect.die("the statement always has a row") : coverageOf(read)
        }).pipe(storeEffect("ApexCoverageReader.coverage", limit)),
      })
    }),
  )
}

/** Kinds of data whose series are counted. */
const domains = ["standings", "placements", "kills", "teamStatistics", "playerStatistics", "legends", "bans"] as const

const Facts = Schema.Struct({
  tournaments: ApexCoverage.fields.tournaments,
  real: Schema.Natural,
  simulated: Schema.Natural,
  copies: Schema.Natural,
  teams: Schema.Natural,
  players: Schema.Natural,
  transactions: Schema.Natural,
  firstDay: Schema.NullOr(Schema.String),
  lastDay: Schema.NullOr(Schema.String),
  statuses: ApexCoverage.fields.statuses,
  regions: ApexCoverage.fields.regions,
  computedAt: Schema.NullOr(Schema.Finite),
  contents: Schema.Record(Schema.Literals(domains), Schema.Natural),
})
const facts = rowsOf(Facts)

const coverageOf = ({ contents, real, simulated, tournaments, ...rest }: typeof Facts.Type): ApexCoverage => {
  const domain = (series: number) => ({ available: series > 0, series, reason: series > 0 ? null : "not_recorded" })
  const sum = (of: "series" | "games") => tournaments.reduce((total, one) => total + one[of], 0)
  return {
    league: "algs",
    isSimulated: simulated > 0 && real === 0,
    totals: {
      tournaments: tournaments.length,
      series: sum("series"),
      games: sum("games"),
      teams: rest.teams,
      players: rest.players,
      transactions: rest.transactions,
    },
    firstDay: rest.firstDay,
    lastDay: rest.lastDay,
    statuses: rest.statuses,
    regions: rest.regions,
    tournaments,
    data: {
      standings: domain(contents.standings),
      placements: domain(contents.placements),
      kills: domain(contents.kills),
      teamStatistics: domain(contents.teamStatistics),
      playerStatistics: domain(contents.playerStatistics),
      legends: domain(contents.legends),
      bans: domain(contents.bans),
      transactions: { available: rest.transactions > 0, reason: rest.transactions > 0 ? null : "not_recorded" },
      images: { available: false, reason: "images_not_licensed" },
    },
    copies: rest.copies,
    computedAt: rest.computedAt === null ? null : new Date(rest.computedAt).toISOString(),
  }
}
