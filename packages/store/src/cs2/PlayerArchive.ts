/** Reads players of the archive as answers show them, and what they have played in numbers. Transfers are `Transfers`'. */
import { PgClient } from "@effect/sql-pg"
import { Player } from "@matchpoint/contracts/http/cs2/data/models"
import { PlayerCareer, PlayerProfile, PlayerSeasons, PlayerStats } from "@matchpoint/contracts/http/cs2/data/playerModels"
import { Array as Arr, Context, Effect, Layer, type Option } from "effect"
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"
import { matchJoins, matchJson, playerCardJson, playerJson, teamJson } from "./fragments.ts"
import { playerStatsJson } from "./gameFragments.ts"
import type { Rows } from "./MatchArchive.ts"
import {
  availabilityText,
  careerEventsJson,
  careerMapsJson,
  careerTeamsJson,
  type LineFilter,
  lineTotalsJson,
  playerMatches,
  seasonsJson,
  totalsJson,
} from "./playerSql.ts"
import { rowsOf, totalOf, type Window } from "./reading.ts"
import { teamNumberOf } from "./references.ts"
import { named } from "./words.ts"

/** Undefined: whatever it is. */
export interface PlayerFilter extends Window {
  readonly text?: string | undefined
  /** His current team: id or slug. */
  readonly team?: string | undefined
  /** ISO 3166, in capitals. */
  readonly countryCode?: string | undefined
  readonly minMaps?: number | undefined
  readonly order: "maps" | "rating" | "name"
}

/** References are ids or slugs; `since`: matches count from then on. */
export class PlayerArchive extends Context.Service<
  PlayerArchive,
  {
    readonly list: (filter: PlayerFilter) => Effect.Effect<Rows<Player>, StoreError>
    readonly profile: (reference: string, since?: Date) => Effect.Effect<Option.Option<PlayerProfile>, StoreError>
    /** One page of the lines, and the totals of all that the filter keeps, which count them. */
    readonly stats: (reference: string, filter: LineFilter & Window) => Effect.Effect<Option.Option<PlayerStats>, StoreError>
    readonly career: (reference: string, since?: Date) => Effect.Effect<Option.Option<PlayerCareer>, StoreError>
    readonly seasons: (reference: string, since?: Date) => Effect.Effect<Option.Option<PlayerSeasons>, StoreError>
  }
>()("@matchpoint/store/cs2/PlayerArchive") {
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

      const inOrder = {
        maps: sql`p.maps_played DESC, p.player_number`,
        rating: sql`p.career_rating DESC NULLS LAST, p.player_number`,
        name: sql`lower(p.nickname), p.player_number`,
      }

      const recent = sql`(
        SELECT COALESCE(jsonb_agg(${matchJson(sql, "s", "t1", "t2", "e")} ORDER BY s.starts_at DESC, s.match_number DESC), '[]')
        FROM (SELECT match_number FROM appearances ORDER BY starts_at DESC, match_number DESC LIMIT 10) AS mine
        JOIN cs2_series s ON s.match_number = mine.match_number ${matchJoins(sql)})`

      const page = ({ limit, offset }: Window) => sql`(
        SELECT COALESCE(jsonb_agg(${playerStatsJson(sql)} ORDER BY l.played_at DESC, l.match_number DESC, l.map_number DESC), '[]')
        FROM (SELECT * FROM lines ORDER BY played_at DESC, match_number DESC, map_number DESC LIMIT ${limit} OFFSET ${offset}) AS l
        JOIN cs2_games g ON g.match_number = l.match_number AND g.map_number = l.map_number
        JOIN cs2_teams t ON t.team_number = l.team_number)`

      return PlayerArchive.of({
        list: Effect.fn("PlayerArchive.list")(
          function* (filter) {
            const rows = yield* players(sql`
              SELECT ${playerJson(sql, "p")} AS row
              FROM (SELECT * FROM cs2_players p WHERE ${where(filter)}
                ORDER BY ${inOrder[filter.order]} LIMIT ${filter.limit} OFFSET ${filter.offset}) AS p
              ORDER BY ${inOrder[filter.order]}`)
            return { rows, total: yield* totalOf(sql`SELECT count(*) AS total FROM cs2_players p WHERE ${where(filter)}`) }
          },
          storeOperation("PlayerArchive.list", timeout),
        ),
        profile: Effect.fn("PlayerArchive.profile")(
          function* (reference, since) {
            const found = yield* profiles(sql`
              ${playerMatches(sql, reference, { from: since })}
              SELECT ${playerJson(sql, "p")} || jsonb_build_object('entityType', 'cs2_player',
                'team', CASE WHEN t.team_number IS NULL THEN NULL ELSE ${teamJson(sql, "t")} END,
                'stats', ${sql.literal(totalsJson())}, 'recentMatches', ${recent}) AS row
              FROM player p LEFT JOIN cs2_teams t ON t.team_number = p.current_team_number`)
            return Arr.head(found)
          },
          storeOperation("PlayerArchive.profile", timeout),
        ),
        stats: Effect.fn("PlayerArchive.stats")(
          function* (reference, filter) {
            const found = yield* stats(sql`
              ${playerMatches(sql, reference, filter)}
              SELECT jsonb_build_object('entityType', 'cs2_player_stats', 'playerId', cs2_player_id(p.player_number),
                'player', ${playerJson(sql, "p")}, 'dataAvailable', EXISTS (SELECT FROM lines),
                'unavailableReason', CASE WHEN NOT EXISTS (SELECT FROM lines) THEN 'not_yet_indexed' END,
                'totals', ${sql.literal(lineTotalsJson())}, 'maps', ${page(filter)}) AS row
              FROM player p`)
            return Arr.head(found)
          },
          storeOperation("PlayerArchive.stats", timeout),
        ),
        career: Effect.fn("PlayerArchive.career")(
          function* (reference, since) {
            const found = yield* careers(sql`
              ${playerMatches(sql, reference, { from: since })}
              SELECT jsonb_build_object('entityType', 'cs2_player_career', 'playerId', cs2_player_id(p.player_number),
                'player', ${playerCardJson(sql, "p")}, ${sql.literal(`${availabilityText},
                'firstMatchAt', (SELECT iso_utc(min(starts_at)) FROM appearances),
                'lastMatchAt', (SELECT iso_utc(max(starts_at)) FROM appearances), 'totals', ${totalsJson()},
                'teams', ${careerTeamsJson}, 'maps', ${careerMapsJson}, 'events', ${careerEventsJson}`)}) AS row
              FROM player p`)
            return Arr.head(found)
          },
          storeOperation("PlayerArchive.career", timeout),
        ),
        seasons: Effect.fn("PlayerArchive.seasons")(
          function* (reference, since) {
            const found = yield* seasons(sql`
              ${playerMatches(sql, reference, { from: since })}
              SELECT jsonb_build_object('entityType', 'cs2_player_seasons', 'playerId', cs2_player_id(p.player_number),
                'player', ${playerCardJson(sql, "p")}, ${sql.literal(`${availabilityText}, 'seasons', ${seasonsJson}`)}) AS row
              FROM player p`)
            return Arr.head(found)
          },
          storeOperation("PlayerArchive.seasons", timeout),
        ),
      })
    }),
  )
}

const players = rowsOf(Player)
const profiles = rowsOf(PlayerProfile)
const stats = rowsOf(PlayerStats)
const careers = rowsOf(PlayerCareer)
const seasons = rowsOf(PlayerSeasons)
