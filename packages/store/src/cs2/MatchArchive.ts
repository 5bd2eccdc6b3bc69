/** Reads matches of the archive as answers show them. Writing them is `ArchiveWriter`'s. */
import { PgClient } from "@effect/sql-pg"
import { MatchSummary } from "@matchpoint/contracts/http/cs2/data/models"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"
import { matchJoins, matchJson } from "./fragments.ts"

/** Undefined: whatever it is. Times are inclusive. */
export interface MatchFilter {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly teamNumber?: number | undefined
  readonly eventNumber?: number | undefined
  readonly limit: number
  readonly offset: number
}

export interface Rows<A> {
  readonly rows: ReadonlyArray<A>
  /** Of all pages. */
  readonly total: number
}

export class MatchArchive extends Context.Service<
  MatchArchive,
  {
    /** Soonest first. */
    readonly upcoming: (filter: MatchFilter) => Effect.Effect<Rows<MatchSummary>, StoreError>
  }
>()("@matchpoint/store/cs2/MatchArchive") {
  static readonly layer = Layer.effect(
    MatchArchive,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const where = (filter: MatchFilter) =>
        sql.and([
          sql`s.status = 'upcoming'`,
          ...(filter.from === undefined ? [] : [sql`s.starts_at >= ${filter.from}`]),
          ...(filter.to === undefined ? [] : [sql`s.starts_at <= ${filter.to}`]),
          ...(filter.teamNumber === undefined ? [] : [sql`${filter.teamNumber}::bigint IN (s.team1_number, s.team2_number)`]),
          ...(filter.eventNumber === undefined ? [] : [sql`s.event_number = ${filter.eventNumber}`]),
        ])

      const select = (filter: MatchFilter) =>
        SqlSchema.findAll({
          Request: Schema.Void,
          Result: Schema.Struct({ row: MatchSummary }),
          execute: () => sql`
            SELECT ${matchJson(sql, "s", "t1", "t2", "e")} AS row
            FROM cs2_series s ${matchJoins(sql)}
            WHERE ${where(filter)}
            ORDER BY s.starts_at, s.match_number LIMIT ${filter.limit} OFFSET ${filter.offset}`,
        })()

      const count = (filter: MatchFilter) =>
        SqlSchema.findNonEmpty({
          Request: Schema.Void,
          Result: Schema.Struct({ total: Counter }),
          execute: () => sql`SELECT count(*) AS total FROM cs2_series s WHERE ${where(filter)}`,
        })()

      return MatchArchive.of({
        upcoming: Effect.fn("MatchArchive.upcoming")(
          function* (filter) {
            const found = yield* select(filter)
            const [{ total }] = yield* Effect.catchTag(count(filter), "NoSuchElementError", Effect.die)
            return { rows: found.map(({ row }) => row), total }
          },
          storeOperation("MatchArchive.upcoming", limit),
        ),
      })
    }),
  )
}
