/**
 * Feed tokens, which allow their owner to send facts only for one match or from one source. A secret is shown once, when
 * the token is created. The table holds its SHA-256 hash, which is secure enough because each secret consists of 192
 * random bits. The unrestricted token from the server's configuration is not stored here.
 */
import { randomBytes, randomUUID, timingSafeEqual } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { FeedScope, FeedTokenId } from "@matchpoint/domain/feedTokens"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeFn } from "../StoreError.ts"
import { digest } from "./ApiKeys.ts"

export const FEED_TOKEN_PREFIX = "mp_feed_"

/** Token without its secret. Times are epoch ms. */
export const StoredFeedToken = Schema.Struct({
  tokenId: FeedTokenId,
  /** First characters of the secret, to recognize the token in a list. */
  prefix: Schema.String,
  label: Schema.String,
  ...FeedScope.fields,
  createdAt: Counter,
  revokedAt: Schema.NullOr(Counter),
})
export type StoredFeedToken = typeof StoredFeedToken.Type

export interface FeedTokenWithSecret {
  readonly token: StoredFeedToken
  /** `mp_feed_` followed by 32 base64url characters. */
  readonly secret: Redacted.Redacted<string>
}

export class FeedTokens extends Context.Service<
  FeedTokens,
  {
    readonly create: (label: string, scope: FeedScope) => Effect.Effect<FeedTokenWithSecret, StoreError>
    /** Stores a token whose secret the caller has derived, unless it is stored. Returns false if it has been revoked. */
    readonly ensure: (label: string, scope: FeedScope, secret: Redacted.Redacted<string>) => Effect.Effect<boolean, StoreError>
    readonly get: (tokenId: FeedTokenId) => Effect.Effect<Option.Option<StoredFeedToken>, StoreError>
    /** None if the token does not exist or is already revoked. */
    readonly revoke: (tokenId: FeedTokenId) => Effect.Effect<Option.Option<StoredFeedToken>, StoreError>
    /** Includes revoked tokens, newest first. `total` counts all pages together. */
    readonly list: (page: {
      readonly limit: number
      readonly offset: number
    }) => Effect.Effect<{ readonly rows: ReadonlyArray<StoredFeedToken>; readonly total: number }, StoreError>
    /** None if the secret is unknown or revoked. */
    readonly verify: (secret: Redacted.Redacted<string>) => Effect.Effect<Option.Option<FeedScope>, StoreError>
  }
>()("@matchpoint/store/keys/FeedTokens") {
  static readonly layer = Layer.effect(
    FeedTokens,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const columns = sql.literal(`
        token_id AS "tokenId", prefix, label, match_id AS "matchId", source,
        floor(extract(epoch FROM created_at) * 1000)::bigint AS "createdAt",
        floor(extract(epoch FROM revoked_at) * 1000)::bigint AS "revokedAt"`)

      const insert = SqlSchema.findNonEmpty({
        Request: NewRow,
        Result: StoredFeedToken,
        execute: (row) => sql`
          INSERT INTO feed_tokens (token_id, prefix, hash, label, match_id, source)
          VALUES (${row.tokenId}, ${row.prefix}, ${row.hash}, ${row.label}, ${row.matchId}, ${row.source})
          RETURNING ${columns}`,
      })

      const insertOnce = SqlSchema.findAll({
        Request: NewRow,
        Result: Schema.Struct({ isActive: Schema.Boolean }),
        // Changes nothing, but makes the statement return the existing row.
        execute: (row) => sql`
          INSERT INTO feed_tokens (token_id, prefix, hash, label, match_id, source)
          VALUES (${row.tokenId}, ${row.prefix}, ${row.hash}, ${row.label}, ${row.matchId}, ${row.source})
          ON CONFLICT (hash) DO UPDATE SET hash = excluded.hash
          RETURNING revoked_at IS NULL AS "isActive"`,
      })

      const select = SqlSchema.findOneOption({
        Request: FeedTokenId,
        Result: StoredFeedToken,
        execute: (tokenId) => sql`SELECT ${columns} FROM feed_tokens WHERE token_id = ${tokenId}`,
      })

      const updateToRevoked = SqlSchema.findOneOption({
        Request: FeedTokenId,
        Result: StoredFeedToken,
        execute: (tokenId) => sql`
          UPDATE feed_tokens SET revoked_at = now() WHERE token_id = ${tokenId} AND revoked_at IS NULL RETURNING ${columns}`,
      })

      const selectPage = SqlSchema.findAll({
        Request: Schema.Struct({ limit: Schema.Natural, offset: Schema.Natural }),
        Result: StoredFeedToken,
        execute: (page) => sql`
          SELECT ${columns} FROM feed_tokens ORDER BY created_at DESC, token_id LIMIT ${page.limit} OFFSET ${page.offset}`,
      })

      const count = SqlSchema.findNonEmpty({
        Request: Schema.Void,
        Result: Schema.Struct({ total: Counter }),
        execute: () => sql`SELECT count(*) AS total FROM feed_tokens`,
      })

      const selectByHash = SqlSchema.findOneOption({
        Request: Schema.Uint8Array,
        Result: Schema.Struct({ hash: Schema.Uint8Array, ...FeedScope.fields }),
        execute: (hash) => sql`SELECT hash, match_id AS "matchId", source FROM feed_tokens WHERE hash = ${hash} AND revoked_at IS NULL`,
      })

      return FeedTokens.of({
        create: storeFn("FeedTokens.create", limit, function* (label, scope) {
          const secret = Redacted.make(`${FEED_TOKEN_PREFIX}${randomBytes(24).toString("base64url")}`, { label: "feed token" })
          const [token] = yield* Effect.catchTag(insert(rowOf(label, scope, secret)), "NoSuchElementError", Effect.die)
          return { token, secret }
        }),
        ensure: storeFn("FeedTokens.ensure", limit, (label: string, scope: FeedScope, secret: Redacted.Redacted<string>) =>
          Effect.map(insertOnce(rowOf(label, scope, secret)), ([row]) => row?.isActive === true),
        ),
        get: storeFn("FeedTokens.get", limit, select),
        revoke: storeFn("FeedTokens.revoke", limit, updateToRevoked),
        list: storeFn("FeedTokens.list", limit, function* (page) {
          const rows = yield* selectPage(page)
          const [{ total }] = yield* Effect.catchTag(count(), "NoSuchElementError", Effect.die)
          return { rows, total }
        }),
        verify: storeFn("FeedTokens.verify", limit, function* (secret) {
          const hash = digest(secret)
          const row = yield* selectByHash(hash)
          // Compares the hashes once more, in constant time, so that security does not depend on how the index compares
          // them.
          return row.pipe(
            Option.filter((token) => timingSafeEqual(token.hash, hash)),
            Option.map(({ matchId, source }) => ({ matchId, source })),
          )
        }),
      })
    }),
  )
}

const NewRow = Schema.Struct({
  tokenId: FeedTokenId,
  prefix: Schema.String,
  hash: Schema.Uint8Array,
  label: Schema.String,
  ...FeedScope.fields,
})

const rowOf = (label: string, scope: FeedScope, secret: Redacted.Redacted<string>): typeof NewRow.Type => ({
  tokenId: FeedTokenId.make(randomUUID()),
  prefix: Redacted.value(secret).slice(0, FEED_TOKEN_PREFIX.length + 4),
  hash: digest(secret),
  label,
  ...scope,
})
