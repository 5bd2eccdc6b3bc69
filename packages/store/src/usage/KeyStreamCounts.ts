/**
 * Counts of what each API key has open, and of what addresses have used of limits, on all gateways. Calls the SQL
 * function of migration 0019. `streamCounts` in the domain package has the rules.
 */
import { PgClient } from "@effect/sql-pg"
import {
  FREE_WITHIN_MS,
  LOST_AFTER_MS,
  type Spending,
  type StreamClaim,
  type StreamCountsAnswer,
} from "@matchpoint/domain/metering/streamCounts"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { OperationTimeout, type StoreError, storeFn } from "../StoreError.ts"
import { LedgerTime } from "./LedgerTime.ts"

export class KeyStreamCounts extends Context.Service<
  KeyStreamCounts,
  {
    /** Records that the gateway is alive, and applies its claims, at most one per key: all of them or none. */
    readonly exchange: (gatewayId: string, claims: ReadonlyArray<StreamClaim>) => Effect.Effect<StreamCountsAnswer, StoreError>
    /** The gateway has shut down. Keeps its counts as last reported. */
    readonly leave: (gatewayId: string) => Effect.Effect<void, StoreError>
    /**
     * Adds what addresses have used, at most once per bucket. Returns for each bucket, in the same order, for how many
     * milliseconds nothing more may be used.
     */
    readonly spend: (spendings: ReadonlyArray<Spending>) => Effect.Effect<ReadonlyArray<number>, StoreError>
  }
>()("@matchpoint/store/usage/KeyStreamCounts") {
  static readonly layer = Layer.effect(
    KeyStreamCounts,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout
      const time = yield* LedgerTime

      const claimStreams = SqlSchema.findNonEmpty({
        Request: Schema.Struct({
          gatewayId: Schema.String,
          claims: Schema.Array(Row),
          fixed: Schema.NullOr(Schema.Finite),
        }),
        Result: Answer,
        execute: ({ claims, fixed, gatewayId }) => sql`
          SELECT is_known AS "isKnown", gone, grants
          FROM claim_streams(${gatewayId}::uuid, ${sql.json(claims)}, ${LOST_AFTER_MS}::integer, ${FREE_WITHIN_MS}::integer,
            ${fixed}::double precision)`,
      })

      const leave = SqlSchema.void({
        Request: Schema.Struct({ gatewayId: Schema.String, fixed: Schema.NullOr(Schema.Finite) }),
        execute: ({ fixed, gatewayId }) => sql`
          UPDATE stream_gateways SET left_at = COALESCE(to_timestamp(${fixed}::double precision / 1000), clock_timestamp())
          WHERE gateway_id = ${gatewayId}::uuid`,
      })

      const addSpendings = SqlSchema.findAll({
        Request: Schema.Struct({ spendings: Schema.Array(Row), buckets: Schema.Array(Schema.String), fixed: Schema.NullOr(Schema.Finite) }),
        Result: Schema.Struct({ bucket: Schema.String, blockedMs: Schema.Finite }),
        execute: ({ buckets, fixed, spendings }) => sql`
          WITH moment AS (
            SELECT COALESCE(to_timestamp(${fixed}::double precision / 1000), clock_timestamp()) AS now
          ), spending AS (
            SELECT * FROM jsonb_to_recordset(${sql.json(spendings)}) AS spending (bucket text, cost_ms double precision, burst_ms double precision)
          ), added AS (
            INSERT INTO address_spending AS stored (bucket, full_at)
            SELECT bucket, now + cost_ms * interval '1 millisecond' FROM spending, moment ORDER BY bucket
            ON CONFLICT (bucket) DO UPDATE
            SET full_at = excluded.full_at + GREATEST(interval '0', stored.full_at - (SELECT now FROM moment))
            RETURNING bucket, full_at
          ), expired AS (
            -- Runs after the additions and skips rows that another gateway holds. So a gateway that holds rows never waits
            -- for one out of order, and two gateways cannot deadlock.
            DELETE FROM address_spending WHERE bucket IN (
              SELECT bucket FROM address_spending, moment
              WHERE full_at < now - interval '1 hour' AND bucket <> ALL(${buckets}::text[]) AND (SELECT count(*) FROM added) >= 0
              FOR UPDATE OF address_spending SKIP LOCKED)
          )
          SELECT bucket, GREATEST(0, extract(epoch FROM full_at - now) * 1000 - burst_ms)::double precision AS "blockedMs"
          FROM added JOIN spending USING (bucket), moment`,
      })

      return KeyStreamCounts.of({
        spend: storeFn("KeyStreamCounts.spend", limit, function* (spendings) {
          const rows = yield* addSpendings({
            spendings: spendings.map(({ bucket, burstMs, costMs }) => ({ bucket, cost_ms: costMs, burst_ms: burstMs })),
            buckets: spendings.map(({ bucket }) => bucket),
            fixed: yield* time,
          })
          const blocked = new Map(rows.map(({ blockedMs, bucket }) => [bucket, blockedMs]))
          return spendings.map(({ bucket }) => Math.round(blocked.get(bucket) ?? 0))
        }),
        exchange: storeFn("KeyStreamCounts.exchange", limit, function* (gatewayId, claims) {
          // A bug if empty: a function call returns a row or fails.
          const [{ gone, grants, isKnown }] = yield* Effect.catchTag(
            claimStreams({ gatewayId, claims: claims.map(claimRow), fixed: yield* time }),
            "NoSuchElementError",
            Effect.die,
          )
          const ordered = claims.map(() => ({ connections: 0, replays: 0, free: 0 }))
          for (const [n, connections, replays, free] of grants) ordered[n] = { connections, replays, free }
          return { isKnown, gone, grants: ordered }
        }),
        leave: storeFn("KeyStreamCounts.leave", limit, function* (gatewayId) {
          yield* leave({ gatewayId, fixed: yield* time })
        }),
      })
    }),
  )
}

const Row = Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite]))

/** Grants are `[index of the claim, connections, replays, free]`, in any order. */
const Answer = Schema.Struct({
  isKnown: Schema.Boolean,
  gone: Schema.Array(Schema.String),
  grants: Schema.Array(Schema.Tuple([Schema.Natural, Schema.Natural, Schema.Natural, Schema.Natural])),
})

const claimRow = ({ held, keyId, limit, redeem, wanted }: StreamClaim, n: number) => ({
  n,
  key_id: keyId,
  connections: held.connections,
  streams: held.streams,
  replays: held.replays,
  want_connections: wanted.connections,
  want_streams: wanted.streams,
  want_replays: wanted.replays,
  most_connections: limit.connections,
  most_replays: limit.replays,
  redeem,
})
