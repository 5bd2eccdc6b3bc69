/**
 * Lists registered CS2 matches whose current state is not in the archive yet: announced, started, advanced by a map, or
 * ended since. The register survives crashes, so processing this backlog after a crash loses nothing. `ArchiveWriter`
 * writes the matches into the archive.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../../Counter.ts"
import { RegisteredMatch, registeredColumns } from "../../live/Matches.ts"
import { OperationTimeout, type StoreError, storeOperation } from "../../StoreError.ts"

export const DueMatch = Schema.Struct({
  ...RegisteredMatch.fields,
  matchNumber: Counter,
  mapsWon: Schema.Tuple([Schema.Natural, Schema.Natural]),
})
/** A match to archive. `mapsWon`: maps won so far, the only score of a live match that may be archived. */
export type DueMatch = typeof DueMatch.Type

export class ArchiveBacklog extends Context.Service<
  ArchiveBacklog,
  {
    /**
     * Returns at most `limit` due matches with numbers above `after`, in order of number.
     * - `settled`: matches that changed within this duration, by the database's clock, are left out. This includes
     *   matches with an older change: their row already holds the newer state, which must not be archived yet.
     * - Matches whose archive write is parked are left out.
     */
    readonly due: (ask: {
      readonly settled: Duration.Duration
      readonly after: number
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<DueMatch>, StoreError>
    /** Records that the match was archived in this state. If it has changed since, it is due again. */
    readonly told: (match: Pick<DueMatch, "matchNumber" | "status" | "mapsWon">) => Effect.Effect<void, StoreError>
  }
>()("@matchpoint/store/cs2/upkeep/ArchiveBacklog") {
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
        due: Effect.fn("ArchiveBacklog.due")(
          ({ settled, ...ask }) => selectDue({ ...ask, settledMs: Duration.toMillis(settled) }),
          storeOperation("ArchiveBacklog.due", limit),
        ),
        told: Effect.fn("ArchiveBacklog.told")(
          ({ mapsWon: [one, two], matchNumber, status }) =>
            Effect.asVoid(sql`
              UPDATE matches SET archived_status = ${status}
              WHERE game = 'cs2' AND match_number = ${matchNumber} AND team1_parts = ${one} AND team2_parts = ${two}`),
          storeOperation("ArchiveBacklog.told", limit),
        ),
      })
    }),
  )
}
