/** Reads team rankings by date, with each team's move since the previous one. `RankingWriter` writes them. */
import { PgClient } from "@effect/sql-pg"
import type { Order } from "@matchpoint/store/paging/cursor"
import { type ForeignCursor, type Listed, type PageWindow, readList } from "@matchpoint/store/paging/listReader"
import { OperationTimeout, type StoreError, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { RankedTeam, type RankingRegion, type RankingSource } from "../../contract/http/data/rankingModels.ts"
import { partOfRegion } from "../../rules/archive/regions.ts"
import { unmixedPlacesText } from "../excludeSimulated.ts"
import { teamJson } from "../fragments.ts"
import { teamNumberOf } from "../references.ts"
import { teamsOfRegion } from "../teams/regionSql.ts"

export interface RankingFilter extends PageWindow {
  readonly source: RankingSource
  readonly region: RankingRegion
  /** Selects the newest ranking dated at or before this time. If undefined, the newest ranking of all is selected. */
  readonly at?: Date | undefined
  /** Id or slug of the only team to return. */
  readonly team?: string | undefined
}

export interface Ranking extends Listed<RankedTeam> {
  /** `date` (YYYY-MM-DD) is null if all rankings are newer than requested, `previousDate` if none precedes it. */
  readonly date: string | null
  readonly previousDate: string | null
}

export class Rankings extends Context.Service<
  Rankings,
  {
    /**
     * Ordered by rank.
     * - A region restricts the world ranking to its teams, which keep their worldwide ranks.
     * - The regional standings may list a team with several lineups. It is returned once, at its best rank.
     * - Standings of a simulated season are excluded as soon as other standings exist.
     */
    readonly ranking: (filter: RankingFilter) => Effect.Effect<Ranking, StoreError | ForeignCursor>
  }
>()("@matchpoint/cs2/archive/rankings/Rankings") {
  static readonly layer = Layer.effect(
    Rankings,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const stored = ({ region, source }: RankingFilter) => (source === "world" ? "global" : (partOfRegion(region)?.partOf ?? region))

      const dates = (filter: RankingFilter) =>
        SqlSchema.findOne({
          Request: Schema.Void,
          Result: Dates,
          execute: () => {
            const of = sql`ranking = ${filter.source} AND region = ${stored(filter)} AND ${sql.literal(unmixedPlacesText("cs2_rankings"))}`
            const until = filter.at === undefined ? sql`true` : sql`ranked_on <= ${filter.at.toISOString().slice(0, 10)}::date`
            return sql`
              SELECT d.newest::text AS date, (SELECT max(ranked_on)::text FROM cs2_rankings WHERE ${of} AND ranked_on < d.newest) AS "previousDate"
              FROM (SELECT max(ranked_on) AS newest FROM cs2_rankings WHERE ${of} AND ${until}) d`
          },
        })().pipe(Effect.catchTag("NoSuchElementError", Effect.die), storeOperation("Rankings.ranking", timeout))

      const where = (filter: RankingFilter, date: string) =>
        sql.and([
          sql`r.ranking = ${filter.source}`,
          sql`r.region = ${stored(filter)}`,
          sql`r.ranked_on = ${date}::date`,
          sql.literal(BEST_PLACE),
          sql.literal(unmixedPlacesText("r")),
          ...(filter.region !== stored(filter) ? [teamsOfRegion(sql, "t", filter.region)] : []),
          ...(filter.team === undefined ? [] : [sql`r.team_number = ${teamNumberOf(sql, filter.team)}`]),
        ])

      const teams = (filter: RankingFilter, date: string, previousDate: string | null) =>
        readList(
          sql,
          {
            model: RankedTeam,
            order: BY_RANK,
            from: sql`cs2_rankings r JOIN cs2_teams t ON t.team_number = r.team_number WHERE ${where(filter, date)}`,
            of: "cs2_rankings r",
            key: ["ranking", "region", "ranked_on", "rank", "team_number"],
            joins: sql`
              JOIN cs2_teams t ON t.team_number = r.team_number
              LEFT JOIN LATERAL (
                SELECT b.rank, b.points FROM cs2_rankings b
                WHERE b.team_number = r.team_number AND b.ranking = r.ranking AND b.region = r.region AND b.ranked_on = ${previousDate}::date
                ORDER BY b.rank LIMIT 1
              ) p ON true`,
            row: sql`jsonb_build_object(
              'entityType', 'cs2_ranked_team', 'rank', r.rank, 'previousRank', p.rank, 'movement', p.rank - r.rank, 'points', r.points,
              'pointsChange', round((r.points - p.points)::numeric, 3), 'region', t.region, 'teamId', cs2_team_id(t.team_number),
              'teamName', t.name, 'team', ${teamJson(sql, "t")}, 'roster', to_jsonb(r.roster), 'factors', r.factors)`,
          },
          filter,
          { name: "Rankings.ranking", timeout },
        )

      return Rankings.of({
        ranking: Effect.fn("Rankings.ranking")(function* (filter) {
          const { date, previousDate } = yield* dates(filter)
          if (date === null) return { rows: [], total: 0, before: filter.offset, next: null, date, previousDate }
          return { ...(yield* teams(filter, date, previousDate)), date, previousDate }
        }),
      })
    }),
  )
}

/** Row `r` is the best place of its team: a ranking may list several lineups. One or two index reads per row. */
const BEST_PLACE = `NOT EXISTS (SELECT FROM cs2_rankings better WHERE better.team_number = r.team_number AND better.ranking = r.ranking
    AND better.region = r.region AND better.ranked_on = r.ranked_on AND better.rank < r.rank)`

const BY_RANK: Order = {
  name: "ranking-by-rank",
  keys: [
    { of: "r.rank", type: "bigint" },
    { of: "r.team_number", type: "bigint" },
  ],
}

const Dates = Schema.Struct({ date: Schema.NullOr(Schema.String), previousDate: Schema.NullOr(Schema.String) })
