/**
 * Stores the newest known state of each match, from which another process continues when it takes over the match. A
 * checkpoint is never replaced by an older one. Simultaneous saves share one SQL statement. The match actor decides what
 * `state` contains and when to save it.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, type Option, RequestResolver, Schema } from "effect"
import { SqlResolver, SqlSchema } from "effect/sql"
import { Counter } from "../Counter.ts"
import { OperationTimeout, StoreError, storeFn, storeOperation } from "../StoreError.ts"

/**
 * `state` is opaque JSON text in the format `formatVersion`, returned byte for byte. `feedSequence` is the sequence
 * number of the last message of FEED that the state includes.
 */
export const Checkpoint = Schema.Struct({
  matchId: Schema.NonEmptyString,
  epoch: Schema.Natural,
  seq: Counter,
  feedSequence: Counter,
  formatVersion: Schema.Int,
  state: Schema.String,
})
export type Checkpoint = typeof Checkpoint.Type

/** Checkpoints in one statement. One has about 50 KB. */
const MAX_BATCH = 32

export class Checkpoints extends Context.Service<
  Checkpoints,
  {
    readonly load: (matchId: string) => Effect.Effect<Option.Option<Checkpoint>, StoreError>
    /** Returns the `feedSequence` of each match that has a checkpoint. Reads no states, so thousands of matches are fine. */
    readonly positions: (matchIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, number>, StoreError>
    /**
     * Saves the checkpoint unless a newer one by `(epoch, seq, feedSequence)` is stored. False if there is one: another
     * process has taken over the match and is ahead of the caller. A checkpoint with an equal position replaces the
     * stored one.
     */
    readonly save: (checkpoint: Checkpoint) => Effect.Effect<boolean, StoreError>
    readonly remove: (matchId: string) => Effect.Effect<void, StoreError>
  }
>()("@matchpoint/store/live/Checkpoints") {
  static readonly layer = Layer.effect(
    Checkpoints,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const loads = SqlResolver.findById({
        Id: Schema.String,
        Result: Checkpoint,
        ResultId: ({ matchId }) => matchId,
        execute: (matchIds) =>
          sql`
          SELECT match_id AS "matchId", epoch, seq, feed_sequence AS "feedSequence", format_version AS "formatVersion", state
          FROM match_checkpoints
          WHERE match_id = ANY(${matchIds}::text[])`.pipe(storeOperation("Checkpoints.load", limit)),
      }).pipe(RequestResolver.batchN(MAX_BATCH))

      const selectPositions = SqlSchema.findAll({
        Request: Schema.Array(Schema.String),
        Result: Schema.Struct({ matchId: Schema.String, feedSequence: Counter }),
        execute: (matchIds) => sql`
          SELECT match_id AS "matchId", feed_sequence AS "feedSequence" FROM match_checkpoints
          WHERE match_id = ANY(${matchIds}::text[])`,
      })

      // Writes rows in order of the match ids, so that two processes cannot deadlock.
      const saves = SqlResolver.ordered({
        Request: Checkpoint,
        Result: Schema.Struct({ isNewest: Schema.Boolean }),
        execute: (rows) =>
          sql`
          WITH input AS (
            SELECT * FROM unnest(
              ${rows.map(({ matchId }) => matchId)}::text[], ${rows.map(({ epoch }) => epoch)}::integer[],
              ${rows.map(({ seq }) => seq)}::bigint[], ${rows.map(({ feedSequence }) => feedSequence)}::bigint[],
              ${rows.map(({ formatVersion }) => formatVersion)}::integer[], ${rows.map(({ state }) => state)}::text[]
            ) WITH ORDINALITY AS row (match_id, epoch, seq, feed_sequence, format_version, state, place)
          ), newest AS (
            SELECT DISTINCT ON (match_id) * FROM input ORDER BY match_id, epoch DESC, seq DESC, feed_sequence DESC, place DESC
          ), saved AS (
            INSERT INTO match_checkpoints AS stored (match_id, epoch, seq, feed_sequence, format_version, state)
            SELECT match_id, epoch, seq, feed_sequence, format_version, state FROM newest
            ON CONFLICT (match_id) DO UPDATE
            SET epoch = excluded.epoch, seq = excluded.seq, feed_sequence = excluded.feed_sequence,
                format_version = excluded.format_version, state = excluded.state, saved_at = now()
            WHERE (stored.epoch, stored.seq, stored.feed_sequence) <= (excluded.epoch, excluded.seq, excluded.feed_sequence)
            RETURNING match_id, epoch, seq, feed_sequence
          )
          SELECT saved.match_id IS NOT NULL AS "isNewest"
          FROM input LEFT JOIN saved USING (match_id, epoch, seq, feed_sequence)
          ORDER BY place`.pipe(storeOperation("Checkpoints.save", limit)),
      })
      const savesTogether = RequestResolver.batchN(saves, MAX_BATCH)
      const savesAlone = RequestResolver.batchN(saves, 1)

      // If the database rejects a batch, each checkpoint is saved separately, so that an invalid one does not hold up
      // the others.
      const save = (checkpoint: Checkpoint) =>
        SqlResolver.request(checkpoint, savesTogether).pipe(
          Effect.catchIf(
            (error) => error instanceof StoreError && !error.isRetryable,
            () => SqlResolver.request(checkpoint, savesAlone),
          ),
          Effect.map(({ isNewest }) => isNewest),
          Effect.catchTag("ResultLengthMismatch", Effect.die),
        )

      return Checkpoints.of({
        load: storeFn("Checkpoints.load", limit, (matchId: string) =>
          SqlResolver.request(matchId, loads).pipe(
            Effect.asSome,
            Effect.catchTag("NoSuchElementError", () => Effect.succeedNone),
          ),
        ),
        positions: storeFn("Checkpoints.positions", limit, (matchIds: ReadonlyArray<string>) =>
          Effect.map(selectPositions(matchIds), (rows) => new Map(rows.map(({ feedSequence, matchId }) => [matchId, feedSequence]))),
        ),
        save: storeFn("Checkpoints.save", limit, save),
        remove: storeFn("Checkpoints.remove", limit, (matchId: string) =>
          Effect.asVoid(sql`DELETE FROM match_checkpoints WHERE match_id = ${matchId}`),
        ),
      })
    }),
  )
}
