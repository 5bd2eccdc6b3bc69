/** Tournament statistics that `ApexSummaries` has computed. */
import { PgClient } from "@effect/sql-pg"
import type { Order } from "@matchpoint/store/paging/cursor"
import { type ForeignCursor, type Listed, type PageWindow, readList } from "@matchpoint/store/paging/listReader"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { ApexEventLegends, ApexEventStats, ApexPlayerTotals } from "../../contract/http/data/statsModels.ts"
import type { Region } from "../../rules/archive/series.ts"

export interface EventFilter {
  readonly region?: Region | undefined
  /** Only tournaments whose last series starts at this time or later. */
  readonly from?: Date | undefined
  readonly year?: number | undefined
}

export type PlayerSort = "kills" | "damage" | "assists" | "knockdowns" | "games"

/** `sortAt` is the start of the last series, epoch ms. */
const FoundEvent = Schema.Struct({ eventId: Schema.String, sortAt: Schema.Finite, computedAt: Schema.NullOr(Schema.Finite) })
export type FoundEvent = typeof FoundEvent.Type

export class ApexStatistics extends Context.Service<
  ApexStatistics,
  {
    readonly events: (filter: EventFilter, window: PageWindow) => Effect.Effect<Listed<ApexEventStats>, StoreError | ForeignCursor>
    readonly find: (eventId: string) => Effect.Effect<FoundEvent | undefined, StoreError>
    /** Highest value first. Players without the value are last. */
    readonly players: (
      eventId: string,
      filter: { readonly sort: PlayerSort; readonly team?: string | undefined },
      window: PageWindow,
    ) => Effect.Effect<Listed<ApexPlayerTotals>, StoreError | ForeignCursor>
    /** Undefined if the legends have not been computed. */
    readonly legends: (eventId: string) => Effect.Effect<ApexEventLegends | undefined, StoreError>
  }
>()("@matchpoint/apex/archive/read/ApexStatistics") {
  static readonly layer = Layer.effect(
    ApexStatistics,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      return ApexStatistics.of({
        events: ({ from, region, year }, window) =>
          readList(
            sql,
            {
              model: ApexEventStats,
              order: NEWEST,
              from: sql`apex_tournaments e WHERE ${sql.and([
                sql`e.summary IS NOT NULL`,
                ...(region === undefined ? [] : [sql`e.region = ${region}`]),
                ...(from === undefined ? [] : [sql`e.sort_at >= ${from}`]),
                ...(year === undefined
                  ? []
                  : [sql`extract(year FROM COALESCE(e.starts_on, (e.sort_at AT TIME ZONE 'UTC')::date)) = ${year}`]),
              ])}`,
              of: "apex_tournaments e",
              key: ["tournament_id"],
              row: sql.literal("e.summary"),
            },
            window,
            { name: "ApexStatistics.events", timeout },
          ),
        find: storeFn("ApexStatistics.find", timeout, function* (eventId) {
          const [row] = yield* foundEvents(sql`
            SELECT json_build_object('eventId', tournament_id, 'sortAt', extract(epoch FROM sort_at) * 1000,
              'computedAt', floor(extract(epoch FROM computed_at) * 1000)) AS row
            FROM apex_tournaments WHERE tournament_id = ${eventId}`)
          return row
        }),
        players: (eventId, { sort, team }, window) =>
          readList(
            sql,
            {
              model: ApexPlayerTotals,
              order: highest[sort],
              from: sql`apex_player_totals e WHERE e.tournament_id = ${eventId} AND ${
                team === undefined ? sql`true` : sql`lower(e.team_name) = lower(${team})`
              }`,
              of: "apex_player_totals e",
              key: ["tournament_id", "player_id"],
              row: sql.literal("e.details"),
            },
            window,
            { name: "ApexStatistics.players", timeout },
          ),
        legends: storeFn("ApexStatistics.legends", timeout, function* (eventId) {
          const [row] = yield* legendRows(sql`
            SELECT legends AS row FROM apex_tournaments WHERE tournament_id = ${eventId} AND legends IS NOT NULL`)
          return row
        }),
      })
    }),
  )
}

const foundEvents = rowsOf(FoundEvent)
const legendRows = rowsOf(ApexEventLegends)

const NEWEST: Order = {
  name: "apex-events-newest",
  keys: [
    { of: "e.sort_at", type: "timestamptz", descending: true },
    { of: "e.tournament_id", type: "text", descending: true },
  ],
}

const highestOf = (column: PlayerSort): Order => ({
  name: `apex-players-${column}`,
  keys: [
    { of: `e.${column}`, type: "bigint", descending: true, nullable: true },
    { of: "e.player_id", type: "text" },
  ],
})

const highest = {
  kills: highestOf("kills"),
  damage: highestOf("damage"),
  assists: highestOf("assists"),
  knockdowns: highestOf("knockdowns"),
  games: highestOf("games"),
} as const
