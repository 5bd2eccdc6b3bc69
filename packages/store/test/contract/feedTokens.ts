import { assert, type Vitest } from "@effect/vitest"
import { FeedTokenId } from "@matchpoint/domain/feedTokens"
import { gameName, matchIdOf } from "@matchpoint/domain/ids"
import { Effect, Exit, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { FeedTokens } from "../../src/keys/FeedTokens.ts"

const matchId = matchIdOf(gameName("go"), 1)
const unknown = FeedTokenId.make("00000000-0000-4000-8000-000000000000")

export const feedTokensContract = (it: Vitest.MethodsNonLive<FeedTokens | SqlClient.SqlClient>) => {
  it.effect("verifies a feed token with its scope until it is revoked, and stores no secret", () =>
    Effect.gen(function* () {
      const tokens = yield* FeedTokens
      const { secret, token } = yield* tokens.create("relay", { matchId, source: null })
      assert.match(Redacted.value(secret), /^mp_feed_[\w-]{32}$/)
      assert.deepInclude(token, { label: "relay", matchId, source: null, revokedAt: null, prefix: Redacted.value(secret).slice(0, 12) })
      const other = yield* tokens.create("observers", { matchId, source: "backup" })
      assert.deepStrictEqual(yield* tokens.verify(secret), Option.some({ matchId, source: null }))
      assert.deepStrictEqual(yield* tokens.verify(other.secret), Option.some({ matchId, source: "backup" }))
      for (const wrong of [`${Redacted.value(secret)}x`, Redacted.value(secret).slice(0, -1), token.tokenId, ""]) {
        assert.deepStrictEqual(yield* tokens.verify(Redacted.make(wrong)), Option.none(), wrong)
      }
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`SELECT row_to_json(feed_tokens)::text AS row FROM feed_tokens`
      assert.notInclude(JSON.stringify(rows), Redacted.value(secret))

      const revoked = Option.getOrThrow(yield* tokens.revoke(token.tokenId))
      assert.isNotNull(revoked.revokedAt)
      assert.deepStrictEqual(yield* tokens.verify(secret), Option.none())
      assert.deepStrictEqual([yield* tokens.revoke(token.tokenId), yield* tokens.revoke(unknown)], [Option.none(), Option.none()])
      assert.deepStrictEqual(yield* tokens.get(token.tokenId), Option.some(revoked))
      assert.isTrue(Option.isSome(yield* tokens.verify(other.secret)))
      const { rows: listed, total } = yield* tokens.list({ limit: 1, offset: 1 })
      assert.deepStrictEqual([listed, total], [[revoked], 2])
    }),
  )

  it.effect("stores a derived token once, and does not restore a revoked one", () =>
    Effect.gen(function* () {
      const tokens = yield* FeedTokens
      const secret = Redacted.make("mp_feed_derived")
      const before = (yield* tokens.list({ limit: 1, offset: 0 })).total
      const ensure = tokens.ensure("registration", { matchId, source: null }, secret)
      const all = yield* Effect.forEach([1, 2, 3, 4], () => ensure, { concurrency: "unbounded" })
      assert.deepStrictEqual(all, [true, true, true, true])
      const { rows, total } = yield* tokens.list({ limit: 1, offset: 0 })
      assert.strictEqual(total, before + 1)
      assert.deepStrictEqual(yield* tokens.verify(secret), Option.some({ matchId, source: null }))
      yield* tokens.revoke(rows[0]?.tokenId ?? unknown)
      assert.isFalse(yield* ensure)
      assert.deepStrictEqual(yield* tokens.verify(secret), Option.none())
    }),
  )

  it.effect("rejects a token without a scope", () =>
    Effect.gen(function* () {
      const tokens = yield* FeedTokens
      assert.isTrue(Exit.isFailure(yield* Effect.exit(tokens.create("all", { matchId: null, source: null }))))
    }),
  )
}
