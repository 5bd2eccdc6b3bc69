/**
 * Verifies API keys for the gateway: finds the customer to whom a secret belongs, and checks which keys are still
 * valid. Secrets are never stored. The table holds their SHA-256 hashes, which is secure enough because each secret
 * consists of 192 random bits. Keys are created, rotated and revoked by `KeyRegister`.
 */

import { createHash, timingSafeEqual } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { ApiKeyId, Customer } from "@matchpoint/domain/accounts"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /**
     * Returns the customer of a secret, or none if the secret is unknown, expired or revoked. The result does not
     * distinguish these cases.
     */
    readonly verify: (secret: Redacted.Redacted<string>) => Effect.Effect<Option.Option<Customer>, StoreError>
    /**
     * Checks which of the given `keyIds` are still valid, and returns their customers with the current terms of their
     * accounts, in no particular order.
     */
    readonly current: (keyIds: ReadonlyArray<ApiKeyId>) => Effect.Effect<ReadonlyArray<Customer>, StoreError>
  }
>()("@matchpoint/store/keys/ApiKeys") {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const customer = sql.literal(`
        k.key_id AS "keyId", a.account_id AS "accountId", a.plan, a.add_ons AS "addOns", a.game,
        a.requests_per_month AS "requestsPerMonth", a.requests_per_second AS "requestsPerSecond"`)
      const isKey = sql.literal(`k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`)

      const selectByHash = SqlSchema.findOneOption({
        Request: Schema.Uint8Array,
        Result: HashedCustomerRow,
        execute: (hash) => sql`
          SELECT ${customer}, k.hash FROM api_keys k JOIN accounts a USING (account_id)
          WHERE k.hash = ${hash} AND ${isKey}`,
      })

      const selectById = SqlSchema.findAll({
        Request: Schema.Array(ApiKeyId),
        Result: CustomerRow,
        execute: (keyIds) => sql`
          SELECT ${customer} FROM api_keys k JOIN accounts a USING (account_id)
          WHERE k.key_id = ANY(${keyIds}::uuid[]) AND ${isKey}`,
      })

      return ApiKeys.of({
        verify: Effect.fn("ApiKeys.verify")(
          function* (secret) {
            const hash = digest(secret)
            const row = yield* selectByHash(hash)
            // Compares the hash of the secret with the stored hash once more, in constant time. The timing of the
            // database lookup reveals nothing about secrets, because the index contains only hashes. With this
            // comparison, security does not depend on how the index compares them.
            return row.pipe(
              Option.filter((key) => timingSafeEqual(key.hash, hash)),
              Option.map(({ hash: _, ...key }) => key),
            )
          },
          storeOperation("ApiKeys.verify", limit),
        ),
        current: Effect.fn("ApiKeys.current")(
          (keyIds) => (keyIds.length === 0 ? Effect.succeed([]) : selectById(keyIds)),
          storeOperation("ApiKeys.current", limit),
        ),
      })
    }),
  )
}

const CustomerRow = Schema.Struct({ ...Customer.fields, requestsPerMonth: Counter })

const HashedCustomerRow = Schema.Struct({ ...CustomerRow.fields, hash: Schema.Uint8Array })

export const digest = (secret: Redacted.Redacted<string>): Uint8Array =>
  createHash("sha256").update(Redacted.value(secret), "utf8").digest()
