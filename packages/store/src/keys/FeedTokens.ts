/**
 * Tokens of feeds that are for one match or one source. A secret is seen once, when it is made; the table has its SHA-256, which is enough for
 * 192 random bits. The token in the server's settings is not in here.
 */
import { randomBytes, randomUUID, timingSafeEqual } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { FeedScope, FeedTokenId } from "@matchpoint/domain/feedTokens"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"
import { digest } from "./ApiKeys.ts"

/** What every secret begins with. */
export const FEED_TOKEN_PREFIX = "mp_feed_"

/** Everything known of a token; the secret is not. Times are epoch ms. */
export const StoredFeedToken = Schema.Struct({
  tokenId: FeedTokenId,
  /** The secret's first characters, to recognise it by. */
  prefix: Schema.String,
  label: Schema.String,
  ...FeedScope.fields,
  createdAt: Counter,
  revokedAt: Schema.NullOr(Counter),
})
export type StoredFeedToken = typeof StoredFeedToken.Type

export interface FreshFeedToken {
  readonly token: StoredFeedToken
  /** `mp_feed_` and 32 characters of base64url. */
  readonly secret: Redacted.Redacted<string>
}

export class FeedTokens extends Context.Service<
  FeedTokens,
  {
    readonly create: (label: string, scope: FeedScope) => Effect.Effect<FreshFeedToken, StoreError>
    readonly get: (tokenId: FeedTokenId) => Effect.Effect<Option.Option<StoredFeedToken>, StoreError>
    /** None: there is no such token, or it was revoked before. */
    readonly revoke: (tokenId: FeedTokenId) => Effect.Effect<Option.Option<StoredFeedToken>, StoreError>
    /** Revoked ones too, the newest first, and how many there are in all. */
    readonly list: (page: {
      readonly limit: number
      readonly offset: number
    }) => Effect.Effect<{ readonly rows: ReadonlyArray<StoredFeedToken>; readonly total: number }, StoreError>
    /** What the secret may send facts for. None for one that is unknown or revoked. */
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
        create: Effect.fn("FeedTokens.create")(
          function* (label, scope) {
            const secret = Redacted.make(`${FEED_TOKEN_PREFIX}${randomBytes(24).toString("base64url")}`, { label: "feed token" })
            const prefix = Redacted.value(secret).slice(0, FEED_TOKEN_PREFIX.length + 4)
            const row = { tokenId: FeedTokenId.make(randomUUID()), prefix, hash: digest(secret), label, ...scope }
            const [token] = yield* Effect.catchTag(insert(row), "NoSuchElementError", Effect.die)
            return { token, secret }
          },
          storeOperation("FeedTokens.create", limit),
        ),
        get: Effect.fn("FeedTokens.get")(select, storeOperation("FeedTokens.get", limit)),
        revoke: Effect.fn("FeedTokens.revoke")(updateToRevoked, storeOperation("FeedTokens.revoke", limit)),
        list: Effect.fn("FeedTokens.list")(
          function* (page) {
            const rows = yield* selectPage(page)
            const [{ total }] = yield* Effect.catchTag(count(), "NoSuchElementError", Effect.die)
            return { rows, total }
          },
          storeOperation("FeedTokens.list", limit),
        ),
        verify: Effect.fn("FeedTokens.verify")(
          function* (secret) {
            const hash = digest(secret)
            const row = yield* selectByHash(hash)
            // As for API keys: this does not depend on how the index compares.
            return row.pipe(
              Option.filter((token) => timingSafeEqual(token.hash, hash)),
              Option.map(({ matchId, source }) => ({ matchId, source })),
            )
          },
          storeOperation("FeedTokens.verify", limit),
        ),
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
