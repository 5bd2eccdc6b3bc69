/** Reads leaderboards of players, and lists by topic such as opening duels. See also `TeamAndMapStats`. */
import { PgClient } from "@effect/sql-pg"
import { OperationTimeout, type StoreError, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, type Schema } from "effect"
import {
  ClutchesRow,
  EconomyRow,
  FlashAssistsRow,
  LeaderboardMetric,
  LeaderboardRow,
  OpeningDuelsRow,
  PlayerStatsRow,
  UtilityRow,
} from "../../contract/http/data/statsModels.ts"
import { statsTables } from "./measured.ts"
import {
  CLUTCHES_ROW,
  ECONOMY_ROW,
  FLASH_ASSISTS_ROW,
  LEADERBOARD_ROW,
  METRIC_COLUMN,
  OPENING_DUELS_ROW,
  PLAYER_STATS_ROW,
  UTILITY_ROW,
} from "./playerRows.ts"
import { PLAYER_JOINS, ranked, type StatsPage, type StatsRows } from "./ranked.ts"

export interface PlayerPage extends StatsPage {
  /** Players with fewer maps that have data on the topic of the list (such as opening duels) are not listed. */
  readonly minMaps: number
}

type Read<A, Page = PlayerPage> = (page: Page) => Effect.Effect<StatsRows<A>, StoreError>

/** Each list is sorted by its main statistic, highest value first, then by player number. */
export class PlayerStats extends Context.Service<
  PlayerStats,
  {
    readonly leaderboard: (metric: LeaderboardMetric, page: PlayerPage) => Effect.Effect<StatsRows<LeaderboardRow>, StoreError>
    readonly players: Read<PlayerStatsRow>
    readonly openingDuels: Read<OpeningDuelsRow>
    readonly clutches: Read<ClutchesRow, PlayerPage & { readonly minAttempts: number }>
    readonly flashAssists: Read<FlashAssistsRow>
    readonly utility: Read<UtilityRow>
    readonly economy: Read<EconomyRow>
  }
>()("@matchpoint/cs2/archive/stats/PlayerStats") {
  static readonly layer = Layer.effect(
    PlayerStats,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      /** `by` sorts the list; players without a value in it are not listed. `maps` is the number of maps with such data. */
      const list = <A, I>(name: string, model: Schema.Codec<A, I>, row: string, by: string, maps: string) => {
        const read = ranked(sql, {
          model,
          row,
          table: statsTables.players,
          joins: PLAYER_JOINS,
          order: `m.${by} DESC, m.player_number`,
          condition: `m.${by} IS NOT NULL`,
        })
        return (page: PlayerPage, more = sql`true`) =>
          read(page, sql`${sql(`m.${maps}`)} >= ${page.minMaps} AND ${more}`).pipe(
            storeOperation(`PlayerStats.${name}`, limit),
            Effect.withSpan(`PlayerStats.${name}`),
          )
      }

      const byMetric = (metric: LeaderboardMetric) =>
        list("leaderboard", LeaderboardRow, LEADERBOARD_ROW, METRIC_COLUMN[metric], metric === "opening-kills" ? "opening_maps" : "maps")
      const leaderboards = Object.fromEntries(LeaderboardMetric.literals.map((metric) => [metric, byMetric(metric)] as const))
      const clutches = list("clutches", ClutchesRow, CLUTCHES_ROW, "clutches_won", "clutch_maps")

      return PlayerStats.of({
        leaderboard: (metric, page) => (leaderboards[metric] ?? byMetric(metric))(page),
        players: list("players", PlayerStatsRow, PLAYER_STATS_ROW, "kills", "maps"),
        openingDuels: list("openingDuels", OpeningDuelsRow, OPENING_DUELS_ROW, "opening_kills", "opening_maps"),
        clutches: (page) => clutches(page, sql`m.clutch_attempts >= ${page.minAttempts}`),
        flashAssists: list("flashAssists", FlashAssistsRow, FLASH_ASSISTS_ROW, "flash_assists", "flash_maps"),
        utility: list("utility", UtilityRow, UTILITY_ROW, "utility_events", "utility_maps"),
        economy: list("economy", EconomyRow, ECONOMY_ROW, "total_spend", "economy_maps"),
      })
    }),
  )
}
