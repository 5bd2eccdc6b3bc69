/** Reads maps of matches: scores, player lines, rounds, events. Which matches there are is `MatchArchive`'s. */
import { PgClient } from "@effect/sql-pg"
import { Game, GamePlayerStats, GameScore, MapOfMatch } from "@matchpoint/contracts/http/cs2/data/gameModels"
import { GameEvent, GameEventType, GameRound } from "@matchpoint/contracts/http/cs2/data/gameTimelineModels"
import { Array as Arr, Context, Effect, Layer, type Option, Schema } from "effect"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"
import { gameJoins, gameJson, gameScoreJson, mapOfMatchJson, playerStatsJoins, playerStatsJson, playerStatsOrder } from "./gameFragments.ts"
import { gameEventJoins, gameEventJson, gameRoundJson } from "./gameTimelineFragments.ts"
import type { Rows } from "./MatchArchive.ts"
import { rowsOf, totalOf, type Window } from "./reading.ts"

/** One map. */
export interface GameRef {
  readonly matchNumber: number
  readonly mapNumber: number
}

/** One map, or all of a match. */
export interface GamesRef {
  readonly matchNumber: number
  readonly mapNumber?: number | undefined
}

export interface GameEventFilter {
  readonly type?: GameEventType | undefined
  readonly round?: number | undefined
}

const Head = Schema.Struct({ startsAt: Schema.Date, source: Schema.String })

/** When the map's match began, and who told of the map. */
export type GameHead = typeof Head.Type

const FoundGame = Schema.Struct({ ...Head.fields, game: Game })

export interface GameEvents extends Rows<GameEvent> {
  /** Of the whole map, whatever was asked for. */
  readonly types: ReadonlyArray<GameEventType>
}

export class GameArchive extends Context.Service<
  GameArchive,
  {
    readonly head: (game: GameRef) => Effect.Effect<Option.Option<GameHead>, StoreError>
    readonly find: (game: GameRef) => Effect.Effect<Option.Option<typeof FoundGame.Type>, StoreError>
    /** In playing order. */
    readonly gamesOf: (matchNumber: number) => Effect.Effect<ReadonlyArray<GameScore>, StoreError>
    /** In playing order, with everything that belongs to them. */
    readonly mapsOf: (matchNumber: number) => Effect.Effect<ReadonlyArray<MapOfMatch>, StoreError>
    /** By map, team 1 first, best rating first. */
    readonly playerStats: (of: GamesRef, window: Window) => Effect.Effect<Rows<GamePlayerStats>, StoreError>
    readonly rounds: (game: GameRef, window: Window) => Effect.Effect<Rows<GameRound>, StoreError>
    /** In the order they happened. */
    readonly events: (game: GameRef, filter: GameEventFilter, window: Window) => Effect.Effect<GameEvents, StoreError>
  }
>()("@matchpoint/store/cs2/GameArchive") {
  static readonly layer = Layer.effect(
    GameArchive,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout
      const gamesOfMatches = sql.literal("FROM cs2_games g JOIN cs2_series s ON s.match_number = g.match_number")
      const head = sql.literal(`s.starts_at AS "startsAt", g.source`)
      const page = (window: Window) => sql`LIMIT ${window.limit} OFFSET ${window.offset}`
      /** `row`: alias of the table. */
      const of = (row: string, { matchNumber, mapNumber }: GamesRef) =>
        sql.and([
          sql`${sql.literal(row)}.match_number = ${matchNumber}`,
          ...(mapNumber === undefined ? [] : [sql`${sql.literal(row)}.map_number = ${mapNumber}`]),
        ])
      const wanted = ({ round, type }: GameEventFilter) =>
        sql.and([
          sql.literal("true"),
          ...(type === undefined ? [] : [sql`v.type = ${type}`]),
          ...(round === undefined ? [] : [sql`v.round = ${round}`]),
        ])

      const selectHead = (game: GameRef) => findOne(Head, sql`SELECT ${head} ${gamesOfMatches} WHERE ${of("g", game)}`)

      const selectGame = (game: GameRef) =>
        findOne(FoundGame, sql`SELECT ${head}, ${gameJson(sql)} AS game ${gamesOfMatches} ${gameJoins(sql)} WHERE ${of("g", game)}`)

      const selectGames = (matchNumber: number) =>
        rowsOf(GameScore)(sql`SELECT ${gameScoreJson(sql)} AS row FROM cs2_games g WHERE ${of("g", { matchNumber })} ORDER BY g.map_number`)

      const selectMaps = (matchNumber: number) =>
        rowsOf(MapOfMatch)(sql`
          SELECT ${mapOfMatchJson(sql)} AS row ${gamesOfMatches} ${gameJoins(sql)}
          WHERE ${of("g", { matchNumber })} ORDER BY g.map_number`)

      const selectLines = (games: GamesRef, window: Window) =>
        rowsOf(GamePlayerStats)(sql`
          SELECT ${playerStatsJson(sql)} AS row
          ${gamesOfMatches}
          JOIN cs2_player_games l ON l.match_number = g.match_number AND l.map_number = g.map_number ${playerStatsJoins(sql)}
          WHERE ${of("g", games)} ORDER BY g.map_number, ${playerStatsOrder(sql)} ${page(window)}`)

      const selectRounds = (game: GameRef, window: Window) =>
        rowsOf(GameRound)(sql`
          SELECT ${gameRoundJson(sql)} AS row
          ${gamesOfMatches} JOIN cs2_rounds r ON r.match_number = g.match_number AND r.map_number = g.map_number
          WHERE ${of("g", game)} ORDER BY r.round ${page(window)}`)

      const selectEvents = (game: GameRef, filter: GameEventFilter, window: Window) =>
        rowsOf(GameEvent)(sql`
          SELECT ${gameEventJson(sql)} AS row
          FROM cs2_games g JOIN cs2_game_events v ON v.match_number = g.match_number AND v.map_number = g.map_number ${gameEventJoins(sql)}
          WHERE ${of("g", game)} AND ${wanted(filter)} ORDER BY v.ordinal ${page(window)}`)

      const tellEvents = (game: GameRef, filter: GameEventFilter) =>
        Effect.flatMap(
          sql`
            SELECT count(*) FILTER (WHERE ${wanted(filter)}) AS total, COALESCE(array_agg(DISTINCT v.type), '{}') AS types
            FROM cs2_game_events v WHERE ${of("v", game)}`,
          decodeTold,
        )

      return GameArchive.of({
        head: Effect.fn("GameArchive.head")(selectHead, storeOperation("GameArchive.head", limit)),
        find: Effect.fn("GameArchive.find")(selectGame, storeOperation("GameArchive.find", limit)),
        gamesOf: Effect.fn("GameArchive.gamesOf")(selectGames, storeOperation("GameArchive.gamesOf", limit)),
        mapsOf: Effect.fn("GameArchive.mapsOf")(selectMaps, storeOperation("GameArchive.mapsOf", limit)),
        playerStats: Effect.fn("GameArchive.playerStats")(
          function* (games: GamesRef, window: Window) {
            const rows = yield* selectLines(games, window)
            const total = yield* totalOf(sql`SELECT count(*) AS total FROM cs2_player_games l WHERE ${of("l", games)}`)
            return { rows, total }
          },
          storeOperation("GameArchive.playerStats", limit),
        ),
        rounds: Effect.fn("GameArchive.rounds")(
          function* (game: GameRef, window: Window) {
            const rows = yield* selectRounds(game, window)
            const total = yield* totalOf(sql`SELECT count(*) AS total FROM cs2_rounds r WHERE ${of("r", game)}`)
            return { rows, total }
          },
          storeOperation("GameArchive.rounds", limit),
        ),
        events: Effect.fn("GameArchive.events")(
          function* (game: GameRef, filter: GameEventFilter, window: Window) {
            const rows = yield* selectEvents(game, filter, window)
            const [told] = yield* tellEvents(game, filter)
            return { rows, ...told }
          },
          storeOperation("GameArchive.events", limit),
        ),
      })
    }),
  )
}

const decodeTold = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ total: Counter, types: Schema.Array(GameEventType) })))

const findOne = <A, I, E>(model: Schema.Codec<A, I>, statement: Effect.Effect<ReadonlyArray<unknown>, E>) =>
  Effect.map(Effect.flatMap(statement, Schema.decodeUnknownEffect(Schema.Array(model))), Arr.head)
