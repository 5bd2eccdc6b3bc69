import { PgClient } from "@effect/sql-pg"
import { type ForeignCursor, type Listed, type PageWindow, readList, readPage } from "@matchpoint/store/paging/listReader"
import { rowsOf, totalOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn, storeOperation } from "@matchpoint/store/StoreError"
import { Array as Arr, Context, Effect, Layer, Option, Schema, Struct } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { TennisMatchDetail } from "../../contract/http/data/matchDetailModels.ts"
import { TennisMatch } from "../../contract/http/data/matchModels.ts"
import type { Tour } from "../../rules/archive/archiveRows.ts"
import { statisticsGap } from "../../rules/archive/statisticsGap.ts"
import { dayLiteral } from "../dayLiteral.ts"
import { matchDetailText } from "./matchDetailJson.ts"
import { finishedText, inYears, type MatchFilter, matchesWhere, newestMatches } from "./matchFilters.ts"
import { hasNoDayText, matchJsonText } from "./matchJson.ts"
import { readMatchTotals } from "./matchTotals.ts"

type MatchList = Effect.Effect<Listed<TennisMatch>, StoreError | ForeignCursor>

export class TennisMatchArchive extends Context.Service<
  TennisMatchArchive,
  {
    /** Newest first, and within a day the last round first. */
    readonly list: (filter: MatchFilter, window: PageWindow) => MatchList
    /** Finished matches of the 14 days that end with the newest match. `since` is the first day of the caller's history. */
    readonly recent: (tour: Tour | undefined, since: string | undefined, window: PageWindow) => MatchList
    /**
     * Finished matches of a day, such as `2024-07-14`. `withoutDay` counts those that state it as the start of their
     * tournament. They are not listed, because their days are unknown.
     */
    readonly completed: (
      day: string,
      window: PageWindow,
    ) => Effect.Effect<Listed<TennisMatch> & { readonly withoutDay: number }, StoreError | ForeignCursor>
    readonly find: (matchId: string) => Effect.Effect<Option.Option<TennisMatchDetail>, StoreError>
  }
>()("@matchpoint/tennis/archive/matches/TennisMatchArchive") {
  static readonly layer = Layer.effect(
    TennisMatchArchive,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const listOf = (where: Fragment) => ({
        model: TennisMatch,
        order: newestMatches,
        from: sql`tennis_matches m WHERE ${where}`,
        of: "tennis_matches m",
        key: ["match_id"],
        row: sql.literal(matchJsonText("m")),
      })

      const list = Effect.fnUntraced(function* (filter: MatchFilter, window: PageWindow) {
        const operation = { name: "TennisMatchArchive.list", timeout }
        const where = matchesWhere(sql, filter)
        const reading = readMatchTotals(sql, filter)
        if (reading === undefined) return yield* readList(sql, listOf(where), window, operation)
        const { first, last, total } = yield* storeOperation(operation.name, timeout)(reading)
        // With these years, an index by date does not read years in which no match fits the other conditions.
        const between = first === null || last === null ? sql.literal("false") : inYears(sql, first, last)
        return { ...(yield* readPage(sql, listOf(sql`${where} AND ${between}`), window, operation)), total }
      })

      const recent = Effect.fnUntraced(function* (tour: Tour | undefined, since: string | undefined, window: PageWindow) {
        const operation = { name: "TennisMatchArchive.recent", timeout }
        const ofTour = tour === undefined ? sql.literal("true") : sql`m.tour = ${tour}`
        // Read beforehand, because the planner must know it.
        const firstDay = sql`
          SELECT (GREATEST(max(m.match_date) - ${RECENT_DAYS - 1}::integer, ${since ?? null}::date))::text AS day FROM tennis_matches m WHERE ${ofTour}`
        const [{ day }] = yield* storeOperation(operation.name, timeout)(Effect.flatMap(firstDay, decodeDay))
        const where = sql`${sql.literal(finishedText)} AND ${ofTour} AND ${day === null ? sql.literal("false") : sql`m.match_date >= ${dayLiteral(sql, day)}`}`
        return yield* readList(sql, listOf(where), window, operation)
      })

      const selectMatch = (matchId: string) =>
        Effect.map(
          details(sql`SELECT ${sql.literal(matchDetailText)} AS row FROM tennis_matches m WHERE m.match_id = ${matchId}`),
          (found) => Option.map(Arr.head(found), withReason),
        )

      return TennisMatchArchive.of({
        list,
        recent,
        completed: Effect.fnUntraced(function* (day, window) {
          const operation = { name: "TennisMatchArchive.completed", timeout }
          const dated = sql`m.match_date = ${day}::date AND ${sql.literal(finishedText)}`
          const hasNoDay = sql.literal(hasNoDayText("m"))
          const found = yield* readList(sql, listOf(sql`${dated} AND NOT (${hasNoDay})`), window, operation)
          const withoutDay = yield* storeOperation(
            operation.name,
            timeout,
          )(totalOf(sql`SELECT count(*) AS total FROM tennis_matches m WHERE ${dated} AND ${hasNoDay}`))
          return { ...found, withoutDay }
        }),
        find: storeFn("TennisMatchArchive.find", timeout, selectMatch),
      })
    }),
  )
}

const RECENT_DAYS = 14

const decodeDay = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ day: Schema.NullOr(Schema.String) })))

const DetailRow = Schema.Struct(Struct.omit(TennisMatchDetail.fields, ["statistics_reason"]))
const details = rowsOf(DetailRow)

const withReason = (match: typeof DetailRow.Type): TennisMatchDetail => {
  const { circuit, date, statistics, status, tour } = match
  const facts = {
    tour: tour === "ATP" ? "atp" : "wta",
    circuit,
    year: Number(date.slice(0, 4)),
    isWalkover: status === "walkover",
  } as const
  return { ...match, statistics_reason: statistics === null ? statisticsGap(facts) : null }
}
