/**
 * Finished live matches of a game that are not yet in its archive. Their results are in the match register, which
 * survives crashes. Does not write the archive.
 */
import { PgClient } from "@effect/sql-pg"
import { GameName, MatchId } from "@matchpoint/domain/ids"
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeFn } from "../StoreError.ts"
import { FinalStatus } from "./Matches.ts"

export const FinishedMatch = Schema.Struct({
  matchId: MatchId,
  matchNumber: Counter,
  status: FinalStatus,
  result: Schema.NullOr(Schema.Json),
})
export type FinishedMatch = typeof FinishedMatch.Type

export class FinishedMatches extends Context.Service<
  FinishedMatches,
  {
    /**
     * At most `limit` matches in ascending order, after the number `after`. Leaves out matches that changed less than
     * `settled` ago, by the database's clock, and those whose write to the archive was rejected and waits for an
     * operator.
     */
    readonly due: (
      game: GameName,
      ask: { readonly settled: Duration.Duration; readonly after: number; readonly limit: number },
    ) => Effect.Effect<ReadonlyArray<FinishedMatch>, StoreError>
    readonly markArchived: (game: GameName, match: Pick<FinishedMatch, "matchNumber" | "status">) => Effect.Effect<void, StoreError>
  }
>()("@matchpoint/store/live/FinishedMatches") {
  static readonly layer = Layer.effect(
    FinishedMatches,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const selectDue = SqlSchema.findAll({
        Request: Schema.Struct({ game: GameName, settledMs: Schema.Finite, after: Counter, limit: Schema.Int }),
        Result: FinishedMatch,
        execute: (ask) => sql`
          SELECT game || '-match-' || match_number AS "matchId", match_number AS "matchNumber", status, result
          FROM matches
          WHERE game = ${ask.game} AND status IN ('completed', 'cancelled') AND archived_status IS DISTINCT FROM status
            AND match_number > ${ask.after}
            AND NOT EXISTS (
              SELECT FROM parked_matches parked
              WHERE parked.game = matches.game AND parked.match_number = matches.match_number AND work = 'archive'
                AND retry_requested_at IS NULL)
            AND changed_at <= now() - ${ask.settledMs}::double precision * interval '1 millisecond'
          ORDER BY match_number LIMIT ${ask.limit}`,
      })

      return FinishedMatches.of({
        due: storeFn("FinishedMatches.due", limit, (game, { settled, ...ask }) =>
          selectDue({ game, ...ask, settledMs: Duration.toMillis(settled) }),
        ),
        markArchived: storeFn("FinishedMatches.markArchived", limit, (game, { matchNumber, status }) =>
          Effect.asVoid(sql`UPDATE matches SET archived_status = ${status} WHERE game = ${game} AND match_number = ${matchNumber}`),
        ),
      })
    }),
  )
}
