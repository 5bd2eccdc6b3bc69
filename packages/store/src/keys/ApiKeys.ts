/**
 * Verifies API keys for the gateway. Secrets are never stored: the table holds their SHA-256 hashes, which is secure
 * enough because each secret consists of 192 random bits. Keys are created, rotated and revoked by `KeyRegister`.
 */
import { createHash } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { ApiKeyId, Customer } from "@matchpoint/domain/accounts"
import { Context, Effect, Exit, Layer, Option, Redacted, Request, RequestResolver, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeFn } from "../StoreError.ts"

const MAX_KEYS_PER_QUERY = 500

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /**
     * Returns none if the secret is unknown, expired or revoked, without distinguishing these cases. Calls at the same
     * moment share a statement, so that thousands of clients that reconnect with different keys cost tens of statements.
     */
    readonly verify: (secret: Redacted.Redacted<string>) => Effect.Effect<Option.Option<Customer>, StoreError>
    /** Returns the customers of those keys that are still valid, with their current terms, in no particular order. */
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

      const selectByHashes = SqlSchema.findAll({
        Request: Schema.Array(Schema.String),
        Result: HashedCustomerRow,
        execute: (hashes) => sql`
          SELECT ${customer}, encode(k.hash, 'hex') AS hash FROM api_keys k JOIN accounts a USING (account_id)
          WHERE k.hash IN (SELECT decode(wanted.hash, 'hex') FROM unnest(${hashes}::text[]) AS wanted (hash)) AND ${isKey}`,
      })

      const verifyAll = storeFn("ApiKeys.verify", limit, (hashes: ReadonlyArray<string>) => selectByHashes(hashes))

      const customerOfHash = RequestResolver.make<CustomerOfHash>(
        Effect.fnUntraced(function* (entries) {
          const rows = yield* verifyAll([...new Set(entries.map(({ request }) => request.hash))])
          const found = new Map(rows.map(({ hash, ...key }) => [hash, key]))
          for (const entry of entries) entry.completeUnsafe(Exit.succeed(Option.fromUndefinedOr(found.get(entry.request.hash))))
        }),
      ).pipe(RequestResolver.batchN(MAX_KEYS_PER_QUERY))

      const selectById = SqlSchema.findAll({
        Request: Schema.Array(ApiKeyId),
        Result: CustomerRow,
        execute: (keyIds) => sql`
          SELECT ${customer} FROM api_keys k JOIN accounts a USING (account_id)
          WHERE k.key_id = ANY(${keyIds}::uuid[]) AND ${isKey}`,
      })

      return ApiKeys.of({
        verify: (secret) =>
          Effect.suspend(() => Effect.request(new CustomerOfHash({ hash: Buffer.from(digest(secret)).toString("hex") }), customerOfHash)),
        current: storeFn("ApiKeys.current", limit, (keyIds) => (keyIds.length === 0 ? Effect.succeed([]) : selectById(keyIds))),
      })
    }),
  )
}

const CustomerRow = Schema.Struct({ ...Customer.fields, requestsPerMonth: Counter })

const HashedCustomerRow = Schema.Struct({ ...CustomerRow.fields, hash: Schema.String })

/** `hash` is the SHA-256 of the secret in hexadecimal. */
class CustomerOfHash extends Request.Class<{ readonly hash: string }, Option.Option<Customer>, StoreError> {}

export const digest = (secret: Redacted.Redacted<string>): Uint8Array =>
  createHash("sha256").update(Redacted.value(secret), "utf8").digest()
