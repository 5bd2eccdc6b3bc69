/**
 * API keys: who may call, on which plan. Owns their creation, lookup and revocation, and that no secret is ever stored: the table
 * holds its SHA-256, which is enough for a secret of 192 random bits. What a plan allows is the metering package's business.
 */

import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Plan } from "@matchpoint/domain/plans"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { OperationTimeout, type StoreError, storeOperation } from "./StoreError.ts"

export const ApiKeyId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

/** What a caller who has shown a valid secret is. */
export const ApiKey = Schema.Struct({ keyId: ApiKeyId, plan: Plan, label: Schema.String })
export type ApiKey = typeof ApiKey.Type

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** The only time the secret is seen: `mp_live_` and 32 characters of base64url. */
    readonly create: (key: {
      readonly plan: Plan
      readonly label: string
    }) => Effect.Effect<{ readonly keyId: ApiKeyId; readonly secret: Redacted.Redacted<string> }, StoreError>
    /**
     * Registers a secret chosen by the caller, for the fixed keys of a development setup. Putting it again updates plan and label
     * and keeps the id; a revoked key stays revoked.
     */
    readonly put: (key: {
      readonly secret: Redacted.Redacted<string>
      readonly plan: Plan
      readonly label: string
    }) => Effect.Effect<ApiKeyId, StoreError>
    /** None for a secret that is unknown or revoked; the caller cannot tell which. */
    readonly verify: (secret: Redacted.Redacted<string>) => Effect.Effect<Option.Option<ApiKey>, StoreError>
    /** True when this call revoked it, false when it was revoked before or does not exist. */
    readonly revoke: (keyId: ApiKeyId) => Effect.Effect<boolean, StoreError>
  }
>()("@matchpoint/store/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const upsert = SqlSchema.findNonEmpty({
        Request: NewKeyRow,
        Result: KeyIdRow,
        execute: (row) => sql`
          INSERT INTO api_keys (key_id, prefix, hash, plan, label)
          VALUES (${row.keyId}, ${row.prefix}, ${row.hash}, ${row.plan}, ${row.label})
          ON CONFLICT (hash) DO UPDATE SET plan = excluded.plan, label = excluded.label
          RETURNING key_id AS "keyId"`,
      })

      const selectByHash = SqlSchema.findOneOption({
        Request: Schema.Uint8Array,
        Result: StoredKeyRow,
        execute: (hash) => sql`
          SELECT key_id AS "keyId", plan, label, hash
          FROM api_keys
          WHERE hash = ${hash} AND revoked_at IS NULL`,
      })

      const updateToRevoked = SqlSchema.findAll({
        Request: ApiKeyId,
        Result: KeyIdRow,
        execute: (keyId) => sql`
          UPDATE api_keys SET revoked_at = now()
          WHERE key_id = ${keyId} AND revoked_at IS NULL
          RETURNING key_id AS "keyId"`,
      })

      const store = (secret: Redacted.Redacted<string>, plan: Plan, label: string) =>
        upsert({ keyId: ApiKeyId.make(randomUUID()), prefix: displayPrefix(secret), hash: digest(secret), plan, label }).pipe(
          // INSERT ... ON CONFLICT DO UPDATE ... RETURNING gives a row or an error, so an empty answer is a bug, not a case.
          Effect.catchTag("NoSuchElementError", Effect.die),
          Effect.map(([row]) => row.keyId),
        )

      return ApiKeys.of({
        create: Effect.fn("ApiKeys.create")(function* ({ plan, label }) {
          const secret = Redacted.make(`mp_live_${randomBytes(24).toString("base64url")}`, { label: "api key" })
          const keyId = yield* store(secret, plan, label).pipe(storeOperation("ApiKeys.create", limit))
          return { keyId, secret }
        }),
        put: Effect.fn("ApiKeys.put")(({ secret, plan, label }) => store(secret, plan, label), storeOperation("ApiKeys.put", limit)),
        verify: Effect.fn("ApiKeys.verify")(
          function* (secret) {
            const hash = digest(secret)
            const row = yield* selectByHash(hash)
            // The index compares digests, which tells a caller nothing about secrets; this does not depend on how the index compares.
            return row.pipe(
              Option.filter((key) => timingSafeEqual(key.hash, hash)),
              Option.map(({ keyId, plan, label }) => ({ keyId, plan, label })),
            )
          },
          storeOperation("ApiKeys.verify", limit),
        ),
        revoke: Effect.fn("ApiKeys.revoke")(
          (keyId) => Effect.map(updateToRevoked(keyId), (rows) => rows.length > 0),
          storeOperation("ApiKeys.revoke", limit),
        ),
      })
    }),
  )
}

const KeyIdRow = Schema.Struct({ keyId: ApiKeyId })

const NewKeyRow = Schema.Struct({ ...ApiKey.fields, prefix: Schema.String, hash: Schema.Uint8Array })

const StoredKeyRow = Schema.Struct({ ...ApiKey.fields, hash: Schema.Uint8Array })

const digest = (secret: Redacted.Redacted<string>): Uint8Array => createHash("sha256").update(Redacted.value(secret), "utf8").digest()

/** Enough to recognise a key in a list, far too little to guess it: the kind of key and 4 of its 32 characters, less of a short one. */
const displayPrefix = (secret: Redacted.Redacted<string>): string => {
  const value = Redacted.value(secret)
  return value.slice(0, Math.min(12, Math.floor(value.length / 3)))
}
