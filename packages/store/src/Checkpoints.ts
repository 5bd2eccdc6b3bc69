/**
 * The newest known state of each match, so that an owner can start folding there instead of at the first event.
 * It owns the rule that a checkpoint never goes backwards. What `state` says, and when to save, is the match actor's business.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "./Counter.ts"
import { OperationTimeout, type StoreError, storeOperation } from "./StoreError.ts"

/** `state` is opaque JSON text of `formatVersion` and is returned byte for byte; `feedSequence` is the last FEED entry folded into it. */
export const Checkpoint = Schema.Struct({
  matchId: Schema.NonEmptyString,
  epoch: Schema.Natural,
  seq: Counter,
  feedSequence: Counter,
  formatVersion: Schema.Int,
  state: Schema.String,
})
export type Checkpoint = typeof Checkpoint.Type

export class Checkpoints extends Context.Service<
  Checkpoints,
  {
    readonly load: (matchId: string) => Effect.Effect<Option.Option<Checkpoint>, StoreError>
    /**
     * Stores the checkpoint unless a newer one is stored, by `(epoch, seq, feedSequence)`. False says that a newer one stayed:
     * the caller is behind another owner of the match. Saving the same position again replaces it.
     */
    readonly save: (checkpoint: Checkpoint) => Effect.Effect<boolean, StoreError>
    /** Removing what is not there is no error. */
    readonly remove: (matchId: string) => Effect.Effect<void, StoreError>
  }
>()("@matchpoint/store/Checkpoints") {
  static readonly layer = Layer.effect(
    Checkpoints,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const select = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: Checkpoint,
        execute: (matchId) => sql`
          SELECT match_id AS "matchId", epoch, seq, feed_sequence AS "feedSequence", format_version AS "formatVersion", state
          FROM match_checkpoints
          WHERE match_id = ${matchId}`,
      })

      const upsert = SqlSchema.findOneOption({
        Request: Checkpoint,
        Result: Schema.Unknown,
        execute: (row) => sql`
          INSERT INTO match_checkpoints AS stored (match_id, epoch, seq, feed_sequence, format_version, state)
          VALUES (${row.matchId}, ${row.epoch}, ${row.seq}, ${row.feedSequence}, ${row.formatVersion}, ${row.state})
          ON CONFLICT (match_id) DO UPDATE
          SET epoch = excluded.epoch, seq = excluded.seq, feed_sequence = excluded.feed_sequence,
              format_version = excluded.format_version, state = excluded.state, saved_at = now()
          WHERE (stored.epoch, stored.seq, stored.feed_sequence) <= (excluded.epoch, excluded.seq, excluded.feed_sequence)
          RETURNING match_id`,
      })

      return Checkpoints.of({
        load: Effect.fn("Checkpoints.load")(select, storeOperation("Checkpoints.load", limit)),
        save: Effect.fn("Checkpoints.save")(
          (checkpoint: Checkpoint) => Effect.map(upsert(checkpoint), (row) => row._tag === "Some"),
          storeOperation("Checkpoints.save", limit),
        ),
        remove: Effect.fn("Checkpoints.remove")(
          (matchId: string) => Effect.asVoid(sql`DELETE FROM match_checkpoints WHERE match_id = ${matchId}`),
          storeOperation("Checkpoints.remove", limit),
        ),
      })
    }),
  )
}
