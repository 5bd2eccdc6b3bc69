/** Reads the maps played in matches: scores, player lines (one player's statistics on one map), rounds and events. */
import { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import type { Order } from "@matchpoint/store/paging/cursor"
import { type ForeignCursor, type Listed, type PageWindow, readList, readPage } from "@matchpoint/store/paging/listReader"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { Game, GamePlayerStats, GameScore, MapOfMatch } from "../../contract/http/data/gameModels.ts"
import { GameEvent, GameEventType, GameRound } from "../../contract/http/data/gameTimelineModels.ts"
import { gameJoins, gameJson, gameScoreJson, mapOfMatchJson, playerStatsJoins, playerStatsJson } from "./gameFragments.ts"
import { gameEventJoins, gameEventJson, gameRoundJson } from "./gameTimelineFragments.ts"

export interface GameRef {
  readonly matchNumber: number
  readonly mapNumber: number
}

/** Identifies one map, or all maps of a match. */
export interface GamesRef {
  readonly matchNumber: number
  readonly mapNumber?: number | undefined
}

export interface GameEventFilter {
  readonly type?: GameEventType | undefined
  readonly round?: number | undefined
}

const Head = Schema.Struct({ startsAt: Schema.Date, source: Schema.String })

export type GameHead = typeof Head.Type

const FoundGame = Schema.Struct({ ...Head.fields, game: Game })

export interface GameEvents extends Listed<GameEvent> {
  /** Types of all events on the map, including events that the filter excludes. */
  readonly types: ReadonlyArray<GameEventType>
}

export class GameArchive extends Context.Service<
  GameArchive,
  {
    readonly head: (game: GameRef) => Effect.Effect<Option.Option<GameHead>, StoreError>
    readonly find: (game: GameRef) => Effect.Effect<Option.Option<typeof FoundGame.Type>, StoreError>
    /** Returns the scores of a match's maps in playing order. */
    readonly gamesOf: (matchNumber: number) => Effect.Effect<ReadonlyArray<GameScore>, StoreError>
    /** Returns a match's maps with all details, in playing order. */
    readonly mapsOf: (matchNumber: number) => Effect.Effect<ReadonlyArray<MapOfMatch>, StoreError>
    /** On each map, team 1 comes first. The players of a team are sorted by rating, highest first. */
    readonly playerStats: (of: GamesRef, window: PageWindow) => Effect.Effect<Listed<GamePlayerStats>, StoreError | ForeignCursor>
    readonly rounds: (game: GameRef, window: PageWindow) => Effect.Effect<Listed<GameRound>, StoreError | ForeignCursor>
    /** Lists events in chronological order. */
    readonly events: (game: GameRef, filter: GameEventFilter, window: PageWindow) => Effect.Effect<GameEvents, StoreError | ForeignCursor>
  }
>()("@matchpoint/cs2/archive/matches/GameArchive") {
  static readonly layer = Layer.effect(
    GameArchive,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout
      const gamesOfMatches = sql.literal("FROM cs2_games g JOIN cs2_series s ON s.match_number = g.match_number")
      const head = sql.literal(`s.starts_at AS "startsAt", g.source`)
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

      const countEvents = Effect.fnUntraced(
        function* (game: GameRef, filter: GameEventFilter) {
          const [counts] = yield* Effect.flatMap(
            sql`
            SELECT count(*) FILTER (WHERE ${wanted(filter)}) AS total, COALESCE(array_agg(DISTINCT v.type), '{}') AS types
            FROM cs2_game_events v WHERE ${of("v", game)}`,
            decodeCounts,
          )
          return counts
        },
        storeOperation("GameArchive.events", timeout),
      )

      return GameArchive.of({
        head: storeFn("GameArchive.head", timeout, selectHead),
        find: storeFn("GameArchive.find", timeout, selectGame),
        gamesOf: storeFn("GameArchive.gamesOf", timeout, selectGames),
        mapsOf: storeFn("GameArchive.mapsOf", timeout, selectMaps),
        playerStats: (games, window) =>
          readList(
            sql,
            {
              model: GamePlayerStats,
              order: BEST_FIRST,
              from: sql`cs2_player_games l JOIN cs2_series s ON s.match_number = l.match_number WHERE ${of("l", games)}`,
              of: "cs2_player_games l",
              key: ["match_number", "map_number", "player_number"],
              joins: sql`
                JOIN cs2_games g ON g.match_number = l.match_number AND g.map_number = l.map_number
                JOIN cs2_series s ON s.match_number = l.match_number ${playerStatsJoins(sql)}`,
              row: playerStatsJson(sql),
            },
            window,
            { name: "GameArchive.playerStats", timeout },
          ),
        rounds: (game, window) =>
          readList(
            sql,
            {
              model: GameRound,
              order: BY_ROUND,
              from: sql`cs2_rounds r WHERE ${of("r", game)}`,
              of: "cs2_rounds r",
              key: ["match_number", "map_number", "round"],
              joins: sql`
                JOIN cs2_games g ON g.match_number = r.match_number AND g.map_number = r.map_number
                JOIN cs2_series s ON s.match_number = r.match_number`,
              row: gameRoundJson(sql),
            },
            window,
            { name: "GameArchive.rounds", timeout },
          ),
        events: Effect.fn("GameArchive.events")(function* (game, filter, window) {
          const page = yield* readPage(
            sql,
            {
              model: GameEvent,
              order: AS_HAPPENED,
              from: sql`cs2_game_events v WHERE ${of("v", game)} AND ${wanted(filter)}`,
              of: "cs2_game_events v",
              key: ["match_number", "map_number", "ordinal"],
              joins: sql`
                JOIN cs2_games g ON g.match_number = v.match_number AND g.map_number = v.map_number ${gameEventJoins(sql)}`,
              row: gameEventJson(sql),
            },
            window,
            { name: "GameArchive.events", timeout },
          )
          return { ...page, ...(yield* countEvents(game, filter)) }
        }),
      })
    }),
  )
}

const decodeCounts = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ total: Counter, types: Schema.Array(GameEventType) })))

const findOne = <A, I, E>(model: Schema.Codec<A, I>, statement: Effect.Effect<ReadonlyArray<unknown>, E>) =>
  Effect.flatMap(statement, ([row]) => (row === undefined ? Effect.succeedNone : Effect.asSome(Schema.decodeUnknownEffect(model)(row))))

const BEST_FIRST: Order = {
  name: "lines-best-first",
  keys: [
    { of: "l.map_number", type: "bigint" },
    { of: "(l.team_number <> s.team1_number)::integer", type: "bigint" },
    { of: "l.rating", type: "double precision", descending: true, nullable: true },
    { of: "l.kills", type: "bigint", descending: true },
    { of: "l.player_number", type: "bigint" },
  ],
}

const BY_ROUND: Order = { name: "rounds", keys: [{ of: "r.round", type: "bigint" }] }

const AS_HAPPENED: Order = { name: "events-as-happened", keys: [{ of: "v.ordinal", type: "bigint" }] }
