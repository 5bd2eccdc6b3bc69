/** Creates, lists, rotates and revokes API keys. A key's secret is shown once, when the key is created. */
import { randomBytes, randomUUID } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { AccountId, ApiKeyId, type Terms } from "@matchpoint/domain/accounts"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../Counter.ts"
import { holdUntilCommit } from "../database/advisoryLock.ts"
import { OperationTimeout, type StoreError, storeFn } from "../StoreError.ts"
import { Accounts } from "./Accounts.ts"
import { digest } from "./ApiKeys.ts"

/** Key without its secret. Times are epoch ms. */
export interface StoredKey {
  readonly keyId: ApiKeyId
  readonly accountId: AccountId
  /** First characters of the secret, to recognize the key in a list. */
  readonly prefix: string
  readonly label: string
  readonly createdAt: number
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  /** Neither revoked nor expired. */
  readonly active: boolean
}

export interface ApiKeyWithSecret {
  readonly key: StoredKey
  /** `mp_live_` followed by 32 base64url characters. */
  readonly secret: Redacted.Redacted<string>
}

export class KeyRegister extends Context.Service<
  KeyRegister,
  {
    readonly create: (accountId: AccountId, label: string) => Effect.Effect<ApiKeyWithSecret, StoreError>
    /**
     * Registers a key whose secret the caller has chosen, with a new account, for development setups and tests.
     * Registering the same secret again updates the label and the terms of the account and keeps the ids; a
     * revoked key stays revoked.
     */
    readonly put: (key: {
      readonly secret: Redacted.Redacted<string>
      readonly label: string
      readonly terms: Terms
    }) => Effect.Effect<StoredKey, StoreError>
    readonly get: (keyId: ApiKeyId) => Effect.Effect<Option.Option<StoredKey>, StoreError>
    /** Newest first, including revoked and expired keys. */
    readonly ofAccount: (accountId: AccountId) => Effect.Effect<ReadonlyArray<StoredKey>, StoreError>
    /**
     * Creates a key of the same account and label. The old key stays valid for `graceMs`, unless it expires earlier.
     * None if the old key does not exist or is no longer valid.
     */
    readonly rotate: (keyId: ApiKeyId, graceMs: number) => Effect.Effect<Option.Option<ApiKeyWithSecret>, StoreError>
    /** None if the key does not exist or is already revoked. */
    readonly revoke: (keyId: ApiKeyId) => Effect.Effect<Option.Option<StoredKey>, StoreError>
  }
>()("@matchpoint/store/keys/KeyRegister") {
  static readonly layer = Layer.effect(
    KeyRegister,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const accounts = yield* Accounts
      const limit = yield* OperationTimeout

      const columns = sql.literal(`
        key_id AS "keyId", account_id AS "accountId", prefix, label,
        floor(extract(epoch FROM created_at) * 1000)::bigint AS "createdAt",
        floor(extract(epoch FROM expires_at) * 1000)::bigint AS "expiresAt",
        floor(extract(epoch FROM revoked_at) * 1000)::bigint AS "revokedAt",
        (revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())) AS active`)

      const insert = SqlSchema.findNonEmpty({
        Request: NewKeyRow,
        Result: KeyRow,
        execute: (row) => sql`
          INSERT INTO api_keys (key_id, account_id, prefix, hash, label)
          VALUES (${row.keyId}, ${row.accountId}, ${row.prefix}, ${row.hash}, ${row.label})
          ON CONFLICT (hash) DO UPDATE SET label = excluded.label
          RETURNING ${columns}`,
      })

      const selectByHash = SqlSchema.findOneOption({
        Request: Schema.Uint8Array,
        Result: KeyRow,
        execute: (hash) => sql`SELECT ${columns} FROM api_keys WHERE hash = ${hash}`,
      })

      const select = SqlSchema.findOneOption({
        Request: ApiKeyId,
        Result: KeyRow,
        execute: (keyId) => sql`SELECT ${columns} FROM api_keys WHERE key_id = ${keyId}`,
      })

      const selectOfAccount = SqlSchema.findAll({
        Request: AccountId,
        Result: KeyRow,
        execute: (accountId) => sql`SELECT ${columns} FROM api_keys WHERE account_id = ${accountId} ORDER BY created_at DESC, key_id`,
      })

      const expire = SqlSchema.findOneOption({
        Request: Schema.Struct({ keyId: ApiKeyId, graceMs: Schema.Natural }),
        Result: KeyRow,
        // Compared with the current time instead of the start of the transaction: while the statement waited for a
        // concurrent rotation, the old key may have expired.
        execute: ({ graceMs, keyId }) => sql`
          UPDATE api_keys SET expires_at = LEAST(expires_at, clock_timestamp() + ${graceMs} * interval '1 millisecond')
          WHERE key_id = ${keyId} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())
          RETURNING ${columns}`,
      })

      const updateToRevoked = SqlSchema.findOneOption({
        Request: ApiKeyId,
        Result: KeyRow,
        execute: (keyId) => sql`
          UPDATE api_keys SET revoked_at = now() WHERE key_id = ${keyId} AND revoked_at IS NULL RETURNING ${columns}`,
      })

      const store = (accountId: AccountId, secret: Redacted.Redacted<string>, label: string) =>
        insert({ keyId: ApiKeyId.make(randomUUID()), accountId, prefix: displayPrefix(secret), hash: digest(secret), label }).pipe(
          // A bug if empty: INSERT ... ON CONFLICT DO UPDATE ... RETURNING returns a row or fails.
          Effect.catchTag("NoSuchElementError", Effect.die),
          Effect.map(([row]) => row),
        )

      const fresh = Effect.fnUntraced(function* (accountId: AccountId, label: string) {
        const secret = Redacted.make(`mp_live_${randomBytes(24).toString("base64url")}`, { label: "API key" })
        return { key: yield* store(accountId, secret, label), secret }
      })

      return KeyRegister.of({
        create: storeFn("KeyRegister.create", limit, fresh),
        put: storeFn(
          "KeyRegister.put",
          limit,
          Effect.fnUntraced(function* ({ secret, label, terms }) {
            const hash = digest(secret)
            // If two callers register the same secret at once, the second waits here and then finds the account of the
            // first.
            yield* holdUntilCommit(sql, `key.${Buffer.from(hash).toString("hex")}`)
            const known = yield* selectByHash(hash)
            const account = Option.isSome(known)
              ? yield* accounts.update(known.value.accountId, label, terms)
              : Option.some(yield* accounts.create(label, terms))
            if (Option.isNone(account)) return yield* Effect.die(new Error("The API key's account does not exist."))
            return yield* store(account.value.accountId, secret, label)
          }, sql.withTransaction),
        ),
        get: storeFn("KeyRegister.get", limit, select),
        ofAccount: storeFn("KeyRegister.ofAccount", limit, selectOfAccount),
        rotate: storeFn("KeyRegister.rotate", limit, (keyId, graceMs) =>
          sql.withTransaction(
            Effect.flatMap(
              expire({ keyId, graceMs }),
              Option.match({
                onNone: () => Effect.succeedNone,
                onSome: ({ accountId, label }) => Effect.asSome(fresh(accountId, label)),
              }),
            ),
          ),
        ),
        revoke: storeFn("KeyRegister.revoke", limit, updateToRevoked),
      })
    }),
  )
}

const NewKeyRow = Schema.Struct({
  keyId: ApiKeyId,
  accountId: AccountId,
  prefix: Schema.String,
  hash: Schema.Uint8Array,
  label: Schema.String,
})

const KeyRow = Schema.Struct({
  keyId: ApiKeyId,
  accountId: AccountId,
  prefix: Schema.String,
  label: Schema.String,
  createdAt: Counter,
  expiresAt: Schema.NullOr(Counter),
  revokedAt: Schema.NullOr(Counter),
  active: Schema.Boolean,
})

/**
 * The prefix with the type of the key, and 4 of its 32 characters, or fewer if the secret is short. Enough to recognize
 * the key and far too little to guess it.
 */
const displayPrefix = (secret: Redacted.Redacted<string>): string => {
  const value = Redacted.value(secret)
  return value.slice(0, Math.min(12, Math.floor(value.length / 3)))
}
