/** Weekly rankings: published lists, their dates, and the history of a player. `RankingMoves` reads movers. */
import { PgClient } from "@effect/sql-pg"
import type { Order } from "@matchpoint/store/paging/cursor"
import { type ForeignCursor, type Listed, type PageWindow, readList } from "@matchpoint/store/paging/listReader"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { TennisPlayerRef } from "../../contract/http/data/matchModels.ts"
import { RankedPlayer, RankingCareer, RankingHistoryRow, RankingWeek } from "../../contract/http/data/rankingModels.ts"
import { readRankings } from "./rankingPage.ts"
import { playerRefText } from "./rankingSql.ts"
import { careerText } from "./rankingSummaries.ts"

/** Tour as in the tables. */
export type RankedTour = "atp" | "wta"

const FoundWeeks = Schema.Struct({ newest: Schema.NullOr(RankingWeek), dated: Schema.NullOr(RankingWeek) })
export type FoundWeeks = typeof FoundWeeks.Type

export interface DateFilter extends PageWindow {
  readonly tour: RankedTour
  readonly year?: number | undefined
  /** First day of the lists, `YYYY-MM-DD`. */
  readonly from?: string | undefined
}

export interface HistoryFilter extends PageWindow {
  readonly playerId: string
  /** First day of the lists, `YYYY-MM-DD`. */
  readonly from?: string | undefined
}

export interface RankingHistory extends Listed<RankingHistoryRow> {
  readonly player: TennisPlayerRef
  readonly career: RankingCareer | null
}

export class TennisRankings extends Context.Service<
  TennisRankings,
  {
    /** The newest list of a tour, and the list of a date. Each is null if there is none, or no date is given. */
    readonly find: (tour: RankedTour, date?: string) => Effect.Effect<FoundWeeks, StoreError>
    /** Dates of the last list before a day and of the first list after it, if they exist. */
    readonly neighbours: (tour: RankedTour, date: string) => Effect.Effect<ReadonlyArray<string>, StoreError>
    /** Best rank first. Players with equal ranks are ordered by their ids. */
    readonly list: (
      tour: RankedTour,
      week: RankingWeek,
      page: PageWindow,
    ) => Effect.Effect<Listed<RankedPlayer>, StoreError | ForeignCursor>
    /** Published lists, newest first. */
    readonly weeks: (filter: DateFilter) => Effect.Effect<Listed<RankingWeek>, StoreError | ForeignCursor>
    /** Places of a player, newest first. Undefined if neither a profile nor a list has the player. */
    readonly history: (filter: HistoryFilter) => Effect.Effect<RankingHistory | undefined, StoreError | ForeignCursor>
  }
>()("@matchpoint/tennis/archive/rankings/TennisRankings") {
  static readonly layer = Layer.effect(
    TennisRankings,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const weekRow = sql.literal(
        "jsonb_build_object('date', w.ranking_date::text, 'previous_date', w.previous_date::text, 'entries', w.entries)",
      )

      const profile = (playerId: string) =>
        rowsOf(Profile)(sql`
          SELECT jsonb_build_object('player', ${sql.literal(playerRefText("known.id", "p"))}, 'career', ${sql.literal(CAREER)}) AS row
          FROM (SELECT ${playerId}::text AS id) known
          LEFT JOIN tennis_players p ON p.player_id = known.id
          LEFT JOIN tennis_ranking_careers c ON c.player_id = known.id
          WHERE p.player_id IS NOT NULL OR c.player_id IS NOT NULL`)

      /** Computed from the lists since `from`. These are few, because only plans with a short history ask for them. */
      const careerSince = (playerId: string, from: string) =>
        rowsOf(RankingCareer)(sql`
          SELECT ${sql.literal(CAREER)} AS row
          FROM (SELECT r.player_id, ${sql.literal(careerText)} FROM tennis_rankings r
            WHERE r.player_id = ${playerId} AND r.ranking_date >= ${from}::date GROUP BY r.player_id) c`)

      return TennisRankings.of({
        find: storeFn("TennisRankings.find", timeout, function* (tour, date) {
          const [found = { newest: null, dated: null }] = yield* rowsOf(FoundWeeks)(sql`
            SELECT jsonb_build_object(
              'newest', (SELECT ${weekRow} FROM tennis_ranking_weeks w WHERE w.tour = ${tour} ORDER BY w.ranking_date DESC LIMIT 1),
              'dated', (SELECT ${weekRow} FROM tennis_ranking_weeks w WHERE w.tour = ${tour} AND w.ranking_date = ${date ?? null}::date)) AS row`)
          return found
        }),
        neighbours: storeFn("TennisRankings.neighbours", timeout, (tour, date) =>
          rowsOf(Schema.String)(sql`
            SELECT to_jsonb(near.at::text) AS row FROM (
              SELECT max(ranking_date) AS at FROM tennis_ranking_weeks WHERE tour = ${tour} AND ranking_date < ${date}::date UNION ALL
              SELECT min(ranking_date) FROM tennis_ranking_weeks WHERE tour = ${tour} AND ranking_date > ${date}::date
            ) near WHERE near.at IS NOT NULL ORDER BY near.at`),
        ),
        list: (tour, { date, entries, previous_date }, page) =>
          readRankings(
            sql,
            {
              model: RankedPlayer,
              order: BY_RANK,
              where: sql`r.tour = ${tour} AND r.ranking_date = ${date}::date`,
              joins: sql`
                  LEFT JOIN tennis_rankings b ON b.player_id = r.player_id AND b.ranking_date = ${previous_date}::date
                  LEFT JOIN tennis_players p ON p.player_id = r.player_id`,
              row: sql`json_build_object(${sql.literal(PLACE)}, 'player', ${sql.literal(playerRefText("r.player_id", "p"))},
                  'is_new', ${sql.literal(String(previous_date !== null))} AND b.rank IS NULL)`,
            },
            page,
            { name: "TennisRankings.list", timeout },
          ).pipe(Effect.map((found) => ({ ...found, total: entries }))),
        weeks: ({ from, tour, year, ...page }) =>
          readList(
            sql,
            {
              model: RankingWeek,
              order: NEWEST_WEEK,
              from: sql`tennis_ranking_weeks w WHERE ${sql.and([
                sql`w.tour = ${tour}`,
                ...(year === undefined ? [] : [sql`w.ranking_date BETWEEN make_date(${year}, 1, 1) AND make_date(${year}, 12, 31)`]),
                ...(from === undefined ? [] : [sql`w.ranking_date >= ${from}::date`]),
              ])}`,
              of: "tennis_ranking_weeks w",
              key: ["tour", "ranking_date"],
              row: weekRow,
            },
            page,
            { name: "TennisRankings.weeks", timeout },
          ),
        history: Effect.fnUntraced(function* ({ from, playerId, ...page }) {
          const [known] = yield* profile(playerId).pipe(storeOperation("TennisRankings.history", timeout))
          if (known === undefined) return undefined
          const [career = null] =
            from === undefined ? [known.career] : yield* careerSince(playerId, from).pipe(storeOperation("TennisRankings.history", timeout))
          const found = yield* readRankings(
            sql,
            {
              model: RankingHistoryRow,
              order: NEWEST_PLACE,
              where: sql`r.player_id = ${playerId} ${from === undefined ? sql`` : sql`AND r.ranking_date >= ${from}::date`}`,
              joins: sql`
                LEFT JOIN tennis_ranking_weeks w ON w.tour = r.tour AND w.ranking_date = r.ranking_date
                LEFT JOIN tennis_rankings b ON b.player_id = r.player_id AND b.ranking_date = w.previous_date`,
              row: sql`jsonb_build_object('date', r.ranking_date::text, ${sql.literal(PLACE)})`,
            },
            page,
            { name: "TennisRankings.history", timeout },
          )
          return { ...found, total: career?.weeks ?? 0, player: known.player, career }
        }),
      })
    }),
  )
}

const Profile = Schema.Struct({ player: TennisPlayerRef, career: Schema.NullOr(RankingCareer) })

/** The model `RankingCareer` from a row `c`; null if there is no such row. */
const CAREER = `CASE WHEN c.player_id IS NOT NULL THEN jsonb_build_object(
    'weeks', c.weeks, 'weeks_at_number_one', c.weeks_at_number_one, 'first_date', c.first_date::text, 'last_date', c.last_date::text,
    'career_high', jsonb_build_object('rank', c.best_rank, 'date', c.best_date::text)) END`

/** Fields of a place `r` with the place `b` of the same player in the previous list. */
const PLACE = `'rank', r.rank, 'points', r.points, 'tournaments', r.tournaments, 'previous_rank', b.rank, 'movement', b.rank - r.rank`

const BY_RANK: Order = {
  name: "tennis-ranking-by-rank",
  keys: [
    { of: "r.rank", type: "bigint" },
    { of: "r.player_id", type: "text" },
  ],
}

const NEWEST_WEEK: Order = { name: "tennis-ranking-weeks", keys: [{ of: "w.ranking_date", type: "date", descending: true }] }

const NEWEST_PLACE: Order = { name: "tennis-ranking-history", keys: [{ of: "r.ranking_date", type: "date", descending: true }] }
