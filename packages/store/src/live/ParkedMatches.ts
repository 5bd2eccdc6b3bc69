/**
 * Parked writes: writes about a match that can never succeed with the same data. At most one per match and kind of work.
 * It is not attempted again until an operator requests a retry, not even after a restart. This service does not retry by
 * itself: workers ask it which writes they should retry.
 */
import { PgClient } from "@effect/sql-pg"
import { gameOfMatch, MatchId, matchNumber } from "@matchpoint/domain/ids"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeFn, storeOperation } from "../StoreError.ts"

/** `result`: storing the result in the register of matches. `archive`: storing the match in the archive. */
export const ParkedWork = Schema.Literals(["result", "archive"])
export type ParkedWork = typeof ParkedWork.Type

export const ParkedMatch = Schema.Struct({
  matchId: MatchId,
  work: ParkedWork,
  /** Failed operation, such as `Matches.finish`. */
  operation: Schema.String,
  reason: Schema.String,
  sqlState: Schema.NullOr(Schema.String),
  /** Failed attempts, including the first one. */
  attempts: Schema.Int,
  /** Epoch ms of the first failure; `failedAt` is the latest one. */
  parkedAt: Counter,
  failedAt: Counter,
  /** Epoch ms. Null if no operator has requested a retry. */
  retryRequestedAt: Schema.NullOr(Counter),
})
export type ParkedMatch = typeof ParkedMatch.Type

/** Longest stored reason, in characters. */
const MAX_REASON_LENGTH = 2_000

export class ParkedMatches extends Context.Service<
  ParkedMatches,
  {
    /** If the write is already parked, counts another failed attempt and clears the requested retry. */
    readonly park: (matchId: MatchId, work: ParkedWork, error: StoreError) => Effect.Effect<void, StoreError>
    /** Returns true if the write is parked and no operator has requested a retry: it must not be attempted. */
    readonly isWaiting: (matchId: MatchId, work: ParkedWork) => Effect.Effect<boolean, StoreError>
    /** At most 100 matches with a requested retry, earliest request first. */
    readonly due: (work: ParkedWork) => Effect.Effect<ReadonlyArray<MatchId>, StoreError>
    /** The write has succeeded. Does nothing if it is not parked. */
    readonly done: (matchId: MatchId, work: ParkedWork) => Effect.Effect<void, StoreError>
    /** Requests a retry of all parked writes of the match and returns them. */
    readonly retry: (matchId: MatchId) => Effect.Effect<ReadonlyArray<ParkedMatch>, StoreError>
    /** Latest failure first. `total` counts all pages together. */
    readonly list: (page: {
      readonly limit: number
      readonly offset: number
    }) => Effect.Effect<{ readonly rows: ReadonlyArray<ParkedMatch>; readonly total: number }, StoreError>
  }
>()("@matchpoint/store/live/ParkedMatches") {
  static readonly layer = Layer.effect(
    ParkedMatches,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const columns = sql.literal(`
        game || '-match-' || match_number AS "matchId", work, operation, reason, sql_state AS "sqlState", attempts,
        floor(extract(epoch FROM parked_at) * 1000)::bigint AS "parkedAt",
        floor(extract(epoch FROM failed_at) * 1000)::bigint AS "failedAt",
        floor(extract(epoch FROM retry_requested_at) * 1000)::bigint AS "retryRequestedAt"`)

      const ofMatch = ({ game, number }: typeof Key.Encoded) => sql`game = ${game} AND match_number = ${number}`
      const ofWork = (key: typeof Key.Encoded, work: ParkedWork) => sql`${ofMatch(key)} AND work = ${work}`

      const selectWaiting = SqlSchema.findOneOption({
        Request: Schema.Struct({ ...Key.fields, work: ParkedWork }),
        Result: Schema.Unknown,
        execute: ({ work, ...key }) => sql`
          SELECT 1 AS one FROM parked_matches WHERE ${ofWork(key, work)} AND retry_requested_at IS NULL`,
      })

      const selectDue = SqlSchema.findAll({
        Request: ParkedWork,
        Result: Schema.Struct({ matchId: MatchId }),
        execute: (work) => sql`
          SELECT game || '-match-' || match_number AS "matchId" FROM parked_matches
          WHERE work = ${work} AND retry_requested_at IS NOT NULL ORDER BY retry_requested_at LIMIT 100`,
      })

      const updateToDue = SqlSchema.findAll({
        Request: Key,
        Result: ParkedMatch,
        execute: (key) => sql`
          UPDATE parked_matches SET retry_requested_at = coalesce(retry_requested_at, now()) WHERE ${ofMatch(key)} RETURNING ${columns}`,
      })

      const select = SqlSchema.findAll({
        Request: Schema.Struct({ limit: Schema.Natural, offset: Schema.Natural }),
        Result: ParkedMatch,
        execute: (page) => sql`
          SELECT ${columns} FROM parked_matches ORDER BY failed_at DESC, game, match_number, work LIMIT ${page.limit} OFFSET ${page.offset}`,
      })

      const count = SqlSchema.findNonEmpty({
        Request: Schema.Void,
        Result: Schema.Struct({ total: Counter }),
        execute: () => sql`SELECT count(*) AS total FROM parked_matches`,
      })

      return ParkedMatches.of({
        park: storeFn("ParkedMatches.park", limit, (matchId, work, { message, operation, sqlState }) =>
          Effect.asVoid(sql`
            INSERT INTO parked_matches AS parked (game, match_number, work, operation, reason, sql_state)
            VALUES (${gameOfMatch(matchId)}, ${matchNumber(matchId)}, ${work}, ${operation}, ${storable(message)}, ${sqlState ?? null})
            ON CONFLICT (game, match_number, work) DO UPDATE
            SET operation = excluded.operation, reason = excluded.reason, sql_state = excluded.sql_state,
              attempts = parked.attempts + 1, failed_at = now(), retry_requested_at = NULL`),
        ),
        isWaiting: storeFn("ParkedMatches.isWaiting", limit, (matchId, work) =>
          Effect.map(selectWaiting({ ...keyOf(matchId), work }), Option.isSome),
        ),
        due: storeFn("ParkedMatches.due", limit, (work) => Effect.map(selectDue(work), (rows) => rows.map(({ matchId }) => matchId))),
        done: storeFn("ParkedMatches.done", limit, (matchId, work) =>
          Effect.asVoid(sql`DELETE FROM parked_matches WHERE ${ofWork(keyOf(matchId), work)}`),
        ),
        retry: Effect.fn("ParkedMatches.retry")((matchId) => updateToDue(keyOf(matchId)), storeOperation("ParkedMatches.retry", limit)),
        list: storeFn("ParkedMatches.list", limit, function* (page) {
          const rows = yield* select(page)
          const [{ total }] = yield* Effect.catchTag(count(), "NoSuchElementError", Effect.die)
          return { rows, total }
        }),
      })
    }),
  )
}

const Key = Schema.Struct({ game: Schema.String, number: Schema.Int })

const keyOf = (matchId: MatchId) => ({ game: gameOfMatch(matchId), number: matchNumber(matchId) })

/** Removes characters that the database does not accept: an error message may quote the text that it has just rejected. */
const storable = (text: string): string => text.slice(0, MAX_REASON_LENGTH).toWellFormed().replaceAll("\0", "\uFFFD")
