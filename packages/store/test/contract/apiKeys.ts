import { assert, type Vitest } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { ApiKeyId, ApiKeys } from "../../src/ApiKeys.ts"

export const apiKeysContract = (it: Vitest.MethodsNonLive<ApiKeys | SqlClient.SqlClient>) => {
  it.effect("creates a key that verifies, and only that one", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { keyId, secret } = yield* keys.create({ plan: "pro", label: "desk" })
      assert.match(Redacted.value(secret), /^mp_live_[A-Za-z0-9_-]{32}$/)
      assert.deepStrictEqual(yield* keys.verify(secret), Option.some({ keyId, plan: "pro", label: "desk" }))
      for (const wrong of [`${Redacted.value(secret)}x`, Redacted.value(secret).toUpperCase(), "mp_live_", "", "\0", "x".repeat(100_000)]) {
        assert.deepStrictEqual(yield* keys.verify(Redacted.make(wrong)), Option.none())
      }
    }),
  )

  it.effect("stores neither the secret nor more of it than a display prefix", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const sql = yield* SqlClient.SqlClient
      const { keyId, secret } = yield* keys.create({ plan: "free", label: "stored" })
      const [row] = yield* sql<{
        prefix: string
        text: string
      }>`SELECT prefix, api_keys::text AS text FROM api_keys WHERE key_id = ${keyId}::uuid`
      assert.strictEqual(row?.prefix, Redacted.value(secret).slice(0, 12))
      assert.notInclude(row?.text, Redacted.value(secret).slice(12))
    }),
  )

  it.effect("refuses a revoked key", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { keyId, secret } = yield* keys.create({ plan: "scale", label: "leaver" })
      assert.isTrue(yield* keys.revoke(keyId))
      assert.isFalse(yield* keys.revoke(keyId))
      assert.deepStrictEqual(yield* keys.verify(secret), Option.none())
      assert.isFalse(yield* keys.revoke(ApiKeyId.make("00000000-0000-4000-8000-000000000000")))
    }),
  )

  it.effect("puts a chosen key again without changing its id or reviving it", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const secret = Redacted.make("mp_live_development-key-of-this-test")
      const first = yield* Effect.forEach([1, 2, 3], () => keys.put({ secret, plan: "free", label: "dev" }), { concurrency: 3 })
      assert.strictEqual(new Set(first).size, 1)
      const keyId = yield* keys.put({ secret, plan: "enterprise", label: "dev 2" })
      assert.strictEqual(keyId, first[0])
      assert.deepStrictEqual(yield* keys.verify(secret), Option.some({ keyId, plan: "enterprise", label: "dev 2" }))
      yield* keys.revoke(keyId)
      yield* keys.put({ secret, plan: "enterprise", label: "dev 3" })
      assert.deepStrictEqual(yield* keys.verify(secret), Option.none())
    }),
  )
}
