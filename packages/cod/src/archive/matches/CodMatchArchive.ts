/** Matches of the league: lists of finished and coming matches, the schedule, and single matches. */
import { PgClient } from "@effect/sql-pg"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn } from "@matchpoint/store/StoreError"
import { Array as Arr, Context, Effect, Layer, type Option, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { CodScheduleItem } from "../../contract/http/data/leagueModels.ts"
import { CodMatchItem, CodUpcomingMatch } from "../../contract/http/data/matchModels.ts"
import { comingTables } from "./comingMatches.ts"
import {
  comingItemText,
  matchItemText,
  matchTables,
  scheduleItemText,
  storedMatchText,
  teamTables,
  upcomingMatchText,
} from "./matchJson.ts"
import { StoredMatch } from "./StoredMatch.ts"

export interface CodMatchFilter {
  readonly team?: string | undefined
  readonly tournamentId?: string | undefined
  readonly season?: number | undefined
  /** Start of the first match, inclusive. */
  readonly from?: Date | undefined
  /** Start of the last match, exclusive. */
  readonly before?: Date | undefined
}

export interface PageRange {
  readonly limit: number
  readonly offset: number
}

const pageOf = <Row extends Schema.Codec<unknown, unknown>>(row: Row) => Schema.Struct({ total: Schema.Natural, rows: Schema.Array(row) })

const MatchPage = pageOf(CodMatchItem)
export type MatchPage = typeof MatchPage.Type
const UpcomingPage = pageOf(CodUpcomingMatch)
export type UpcomingPage = typeof UpcomingPage.Type
const SchedulePage = pageOf(CodScheduleItem)
export type SchedulePage = typeof SchedulePage.Type

export class CodMatchArchive extends Context.Service<
  CodMatchArchive,
  {
    /** Finished matches, newest first. */
    readonly completed: (filter: CodMatchFilter, page: PageRange) => Effect.Effect<MatchPage, StoreError>
    /** Matches that have not ended, in the order of their start. */
    readonly upcoming: (filter: CodMatchFilter, page: PageRange) => Effect.Effect<UpcomingPage, StoreError>
    /** Matches in the order of their start: those that have not ended, or all of the filter. */
    readonly schedule: (upcoming: boolean, filter: CodMatchFilter, page: PageRange) => Effect.Effect<SchedulePage, StoreError>
    readonly find: (matchId: string) => Effect.Effect<Option.Option<StoredMatch>, StoreError>
  }
>()("@matchpoint/cod/archive/matches/CodMatchArchive") {
  static readonly layer = Layer.effect(
    CodMatchArchive,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      /** One row with the total and the rows of the page. */
      const page = ({ direction, item, tables }: Listing, where: Fragment, { limit, offset }: PageRange) => sql`
        SELECT json_build_object(
          'total', (SELECT count(*) FROM ${sql.literal(tables)} WHERE ${where}),
          'rows', COALESCE((SELECT json_agg(row) FROM (
            SELECT ${sql.literal(item)} AS row FROM ${sql.literal(`${tables} ${teamTables}`)} WHERE ${where}
            ORDER BY ${sql.literal(["m.starts_at", "m.start_order", "m.match_id"].map((key) => `${key} ${direction}`).join(", "))}
            LIMIT ${limit} OFFSET ${offset}
          ) AS page), '[]')) AS row`

      const where = ({ before, from, season, team, tournamentId }: CodMatchFilter, condition = "true"): Fragment =>
        sql.and([
          sql.literal(condition),
          ...(team === undefined ? [] : [sql`(m.team1_slug = ${team} OR m.team2_slug = ${team})`]),
          ...(tournamentId === undefined ? [] : [sql`m.tournament_id = ${tournamentId}`]),
          ...(season === undefined ? [] : [sql`t.season = ${season}`]),
          ...(from === undefined ? [] : [sql`m.starts_at >= ${from}`]),
          ...(before === undefined ? [] : [sql`m.starts_at < ${before}`]),
        ])

      return CodMatchArchive.of({
        completed: storeFn("CodMatchArchive.completed", timeout, (filter, range) =>
          firstOf(rowsOf(MatchPage)(page(finished, where(filter, "m.status = 'completed'"), range))),
        ),
        upcoming: storeFn("CodMatchArchive.upcoming", timeout, (filter, range) =>
          firstOf(rowsOf(UpcomingPage)(page(coming, where(filter), range))),
        ),
        schedule: storeFn("CodMatchArchive.schedule", timeout, (upcoming, filter, range) =>
          firstOf(rowsOf(SchedulePage)(page(upcoming ? comingSchedule : schedule, where(filter), range))),
        ),
        find: storeFn("CodMatchArchive.find", timeout, (matchId) =>
          Effect.map(
            rowsOf(StoredMatch)(sql`
              SELECT ${sql.literal(storedMatchText)} AS row FROM ${sql.literal(`${matchTables} ${teamTables}`)}
              WHERE m.match_id = ${matchId}`),
            Arr.head,
          ),
        ),
      })
    }),
  )
}

interface Listing {
  readonly tables: string
  readonly item: string
  readonly direction: "ASC" | "DESC"
}

const finished: Listing = { tables: matchTables, item: matchItemText, direction: "DESC" }
const coming: Listing = { tables: comingTables, item: upcomingMatchText, direction: "ASC" }
const comingSchedule: Listing = { tables: comingTables, item: comingItemText, direction: "ASC" }
const schedule: Listing = { tables: matchTables, item: scheduleItemText, direction: "ASC" }

/** Row of a statement that always returns one. */
const firstOf = <A, E>(rows: Effect.Effect<ReadonlyArray<A>, E>): Effect.Effect<A, E> =>
  Effect.flatMap(rows, ([row]) => (row === undefined ? Effect.die("the statement returned no row") : Effect.succeed(row)))
