/** Reads players and their statistics in the format of API responses. `Transfers` reads their transfers. */
import { PgClient } from "@effect/sql-pg"
import type { Order } from "@matchpoint/store/paging/cursor"
import { type ForeignCursor, type Listed, type PageWindow, readList, readPage } from "@matchpoint/store/paging/listReader"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn, storeOperation } from "@matchpoint/store/StoreError"
import { Array as Arr, Context, Effect, Layer, Option, Schema, Struct } from "effect"
import { GamePlayerStats } from "../../contract/http/data/gameModels.ts"
import { Player } from "../../contract/http/data/models.ts"
import { PlayerCareer, PlayerProfile, PlayerSeasons, PlayerStats } from "../../contract/http/data/playerModels.ts"
import { matchJoins, matchJson, playerCardJson, playerJson, teamJson } from "../fragments.ts"
import { playerStatsJoins, playerStatsJson } from "../matches/gameFragments.ts"
import { teamNumberOf } from "../references.ts"
import { named } from "../search/words.ts"
import {
  availabilityText,
  careerEventsJson,
  careerMapsJson,
  careerTeamsJson,
  type LineFilter,
  lineTotalsJson,
  playerLines,
  playerMatches,
  seasonsJson,
  totalsJson,
} from "./playerSql.ts"

export interface PlayerFilter extends PageWindow {
  readonly text?: string | undefined
  /** Id or slug of the player's current team. */
  readonly team?: string | undefined
  /** Country of the player: an ISO 3166 code in upper case. */
  readonly countryCode?: string | undefined
  readonly minMaps?: number | undefined
  readonly order: "maps" | "rating" | "name"
}

/** `response` is the complete API response: the lines of this page, and the totals of all matching lines. */
export interface PlayerLines extends Listed<GamePlayerStats> {
  readonly response: PlayerStats
}

/** `reference` is the id or slug of a player. With `since`, only matches that started at or after it are included. */
export class PlayerArchive extends Context.Service<
  PlayerArchive,
  {
    readonly list: (filter: PlayerFilter) => Effect.Effect<Listed<Player>, StoreError | ForeignCursor>
    readonly profile: (reference: string, since?: Date) => Effect.Effect<Option.Option<PlayerProfile>, StoreError>
    /** A page of the matching player lines (statistics on one map each), and the totals of all of them. */
    readonly stats: (
      reference: string,
      filter: LineFilter & PageWindow,
    ) => Effect.Effect<Option.Option<PlayerLines>, StoreError | ForeignCursor>
    readonly career: (reference: string, since?: Date) => Effect.Effect<Option.Option<PlayerCareer>, StoreError>
    readonly seasons: (reference: string, since?: Date) => Effect.Effect<Option.Option<PlayerSeasons>, StoreError>
  }
>()("@matchpoint/cs2/archive/players/PlayerArchive") {
  static readonly layer = Layer.effect(
    PlayerArchive,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const where = ({ countryCode, minMaps, team, text }: PlayerFilter) =>
        sql.and([
          sql`true`,
          ...(text === undefined ? [] : [named(sql, "player", "p.player_number", text)]),
          ...(team === undefined ? [] : [sql`p.current_team_number = ${teamNumberOf(sql, team)}`]),
          ...(countryCode === undefined ? [] : [sql`p.country_code = ${countryCode}`]),
          ...(minMaps === undefined ? [] : [sql`p.maps_played >= ${minMaps}`]),
        ])

      const recent = sql`(
        SELECT COALESCE(jsonb_agg(${matchJson(sql, "s", "t1", "t2", "e")} ORDER BY s.starts_at DESC, s.match_number DESC), '[]')
        FROM (SELECT match_number FROM appearances ORDER BY starts_at DESC, match_number DESC LIMIT 10) AS mine
        JOIN cs2_series s ON s.match_number = mine.match_number ${matchJoins(sql)})`

      const selectTotals = (reference: string, filter: LineFilter) =>
        Effect.map(
          totals(sql`
            ${playerMatches(sql, reference, filter)}
            SELECT jsonb_build_object('entityType', 'cs2_player_stats', 'playerId', cs2_player_id(p.player_number),
              'player', ${playerJson(sql, "p")}, 'dataAvailable', EXISTS (SELECT FROM lines),
              'unavailableReason', CASE WHEN NOT EXISTS (SELECT FROM lines) THEN 'not_yet_indexed' END,
              'totals', ${sql.literal(lineTotalsJson())}) AS row
            FROM player p`),
          Arr.head,
        )

      const linesOf = (reference: string, filter: LineFilter) => ({
        model: GamePlayerStats,
        order: NEWEST_LINES,
        from: playerLines(sql, reference, filter),
        of: "cs2_player_games l",
        key: ["match_number", "map_number", "player_number"],
        joins: sql`
          JOIN cs2_games g ON g.match_number = l.match_number AND g.map_number = l.map_number ${playerStatsJoins(sql)}`,
        row: playerStatsJson(sql),
      })

      return PlayerArchive.of({
        list: (filter) =>
          readList(
            sql,
            {
              model: Player,
              order: orders[filter.order],
              from: sql`cs2_players p WHERE ${where(filter)}`,
              of: "cs2_players p",
              key: ["player_number"],
              row: playerJson(sql, "p"),
            },
            filter,
            { name: "PlayerArchive.list", timeout },
          ),
        profile: storeFn("PlayerArchive.profile", timeout, function* (reference, since) {
          const found = yield* profiles(sql`
            ${playerMatches(sql, reference, { from: since })}
            SELECT ${playerJson(sql, "p")} || jsonb_build_object('entityType', 'cs2_player',
              'team', CASE WHEN t.team_number IS NULL THEN NULL ELSE ${teamJson(sql, "t")} END,
              'stats', ${sql.literal(totalsJson())}, 'recentMatches', ${recent}) AS row
            FROM player p LEFT JOIN cs2_teams t ON t.team_number = p.current_team_number`)
          return Arr.head(found)
        }),
        stats: Effect.fn("PlayerArchive.stats")(function* (reference, filter) {
          const page = yield* readPage(sql, linesOf(reference, filter), filter, { name: "PlayerArchive.stats", timeout })
          const found = yield* storeOperation("PlayerArchive.stats", timeout)(selectTotals(reference, filter))
          return Option.map(found, (playerStats) => ({
            ...page,
            total: playerStats.totals.maps,
            response: { ...playerStats, maps: page.rows },
          }))
        }),
        career: storeFn("PlayerArchive.career", timeout, function* (reference, since) {
          const found = yield* careers(sql`
            ${playerMatches(sql, reference, { from: since })}
            SELECT jsonb_build_object('entityType', 'cs2_player_career', 'playerId', cs2_player_id(p.player_number),
              'player', ${playerCardJson(sql, "p")}, ${sql.literal(`${availabilityText},
              'firstMatchAt', (SELECT iso_utc(min(starts_at)) FROM appearances),
              'lastMatchAt', (SELECT iso_utc(max(starts_at)) FROM appearances), 'totals', ${totalsJson()},
              'teams', ${careerTeamsJson}, 'maps', ${careerMapsJson}, 'events', ${careerEventsJson}`)}) AS row
            FROM player p`)
          return Arr.head(found)
        }),
        seasons: storeFn("PlayerArchive.seasons", timeout, function* (reference, since) {
          const found = yield* seasons(sql`
            ${playerMatches(sql, reference, { from: since })}
            SELECT jsonb_build_object('entityType', 'cs2_player_seasons', 'playerId', cs2_player_id(p.player_number),
              'player', ${playerCardJson(sql, "p")}, ${sql.literal(`${availabilityText}, 'seasons', ${seasonsJson}`)}) AS row
            FROM player p`)
          return Arr.head(found)
        }),
      })
    }),
  )
}

const profiles = rowsOf(PlayerProfile)
const totals = rowsOf(Schema.Struct(Struct.omit(PlayerStats.fields, ["maps"])))
const careers = rowsOf(PlayerCareer)
const seasons = rowsOf(PlayerSeasons)

const orders: Record<PlayerFilter["order"], Order> = {
  maps: {
    name: "players-by-maps",
    keys: [
      { of: "p.maps_played", type: "bigint", descending: true },
      { of: "p.player_number", type: "bigint" },
    ],
  },
  rating: {
    name: "players-by-rating",
    keys: [
      { of: "p.career_rating", type: "double precision", descending: true, nullable: true },
      { of: "p.player_number", type: "bigint" },
    ],
  },
  name: {
    name: "players-by-name",
    keys: [
      { of: "lower(p.nickname)", type: "text" },
      { of: "p.player_number", type: "bigint" },
    ],
  },
}

const NEWEST_LINES: Order = {
  name: "lines-newest",
  keys: [
    { of: "l.played_at", type: "timestamptz", descending: true },
    { of: "l.match_number", type: "bigint", descending: true },
    { of: "l.map_number", type: "bigint", descending: true },
  ],
}
