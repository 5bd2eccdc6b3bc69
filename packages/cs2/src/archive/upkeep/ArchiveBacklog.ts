/**
 * Lists the matches to write to the archive again, because they were announced, started, advanced by a map or ended
 * since they were last archived. Their current state is in the match register, which survives crashes, so nothing is
 * lost if this backlog is processed after a crash. `ArchiveWriter` writes the matches.
 */
import { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import { RegisteredMatch, registeredColumns } from "@matchpoint/store/live/Matches"
import { OperationTimeout, type StoreError, storeFn } from "@matchpoint/store/StoreError"
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"

export const DueMatch = Schema.Struct({
  ...RegisteredMatch.fields,
  matchNumber: Counter,
  mapsWon: Schema.Tuple([Schema.Natural, Schema.Natural]),
})
/** `mapsWon`: maps that each team has won so far. For a live match, the only score that may be archived. */
export type DueMatch = typeof DueMatch.Type

export class ArchiveBacklog extends Context.Service<
  ArchiveBacklog,
  {
    /**
     * Returns at most `limit` matches in ascending order of their numbers, starting after `after`, without:
     *
     * - Matches that changed less than `settled` ago, by the database's clock. An older change waits too, because the
     * match's row already contains the newer state, which must not be archived yet.
     * - Matches with a parked write, which the database has rejected. It can never succeed with the same data and waits
     * for an operator.
     */
    readonly due: (ask: {
      readonly settled: Duration.Duration
      readonly after: number
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<DueMatch>, StoreError>
    /** If the state of the match has changed since it was read, the match remains in the backlog. */
    readonly markArchived: (match: Pick<DueMatch, "matchNumber" | "status" | "mapsWon">) => Effect.Effect<void, StoreError>
  }
>()("@matchpoint/cs2/archive/upkeep/ArchiveBacklog") {
  static readonly layer = Layer.effect(
    ArchiveBacklog,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const selectDue = SqlSchema.findAll({
        Request: Schema.Struct({ settledMs: Schema.Finite, after: Counter, limit: Schema.Int }),
        Result: DueMatch,
        execute: (ask) => sql`
          SELECT ${sql.literal(registeredColumns)}, match_number AS "matchNumber", jsonb_build_array(team1_parts, team2_parts) AS "mapsWon"
          FROM matches
          WHERE game = 'cs2' AND archived_status IS DISTINCT FROM status AND match_number > ${ask.after}
            AND NOT EXISTS (
              SELECT FROM parked_matches parked
              WHERE parked.game = matches.game AND parked.match_number = matches.match_number AND work = 'archive'
                AND retry_requested_at IS NULL)
            AND changed_at <= now() - ${ask.settledMs}::double precision * interval '1 millisecond'
          ORDER BY match_number LIMIT ${ask.limit}`,
      })

      return ArchiveBacklog.of({
        due: storeFn("ArchiveBacklog.due", limit, ({ settled, ...ask }) => selectDue({ ...ask, settledMs: Duration.toMillis(settled) })),
        markArchived: storeFn("ArchiveBacklog.markArchived", limit, ({ mapsWon: [one, two], matchNumber, status }) =>
          Effect.asVoid(sql`
            UPDATE matches SET archived_status = ${status}
            WHERE game = 'cs2' AND match_number = ${matchNumber} AND team1_parts = ${one} AND team2_parts = ${two}`),
        ),
      })
    }),
  )
}
