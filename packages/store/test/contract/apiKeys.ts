import { assert, type Vitest } from "@effect/vitest"
import { ApiKeyId, termsOf } from "@matchpoint/domain/accounts"
import { Effect, Metric, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { operationDuration } from "../../src/database/storeMetrics.ts"
import { Accounts } from "../../src/keys/Accounts.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { KeyRegister } from "../../src/keys/KeyRegister.ts"

export const apiKeysContract = (it: Vitest.MethodsNonLive<Accounts | ApiKeys | KeyRegister | SqlClient.SqlClient>) => {
  const accountOf = (plan: Parameters<typeof termsOf>[0]) =>
    Effect.flatMap(Accounts, (accounts) => accounts.create(`account on ${plan}`, termsOf(plan)))

  it.effect("verifies a created key and no other", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const register = yield* KeyRegister
      const { accountId } = yield* accountOf("pro")
      const { key, secret } = yield* register.create(accountId, "desk")
      assert.match(Redacted.value(secret), /^mp_live_[A-Za-z0-9_-]{32}$/)
      assert.deepStrictEqual(yield* keys.verify(secret), Option.some({ keyId: key.keyId, accountId, ...termsOf("pro") }))
      for (const wrong of [`${Redacted.value(secret)}x`, Redacted.value(secret).toUpperCase(), "mp_live_", "", "\0", "x".repeat(100_000)]) {
        assert.deepStrictEqual(yield* keys.verify(Redacted.make(wrong)), Option.none())
      }
    }),
  )

  it.effect("stores only the display prefix of a secret", () =>
    Effect.gen(function* () {
      const register = yield* KeyRegister
      const sql = yield* SqlClient.SqlClient
      const { accountId } = yield* accountOf("free")
      const { key, secret } = yield* register.create(accountId, "stored")
      const [row] = yield* sql<{
        prefix: string
        text: string
      }>`SELECT prefix, api_keys::text AS text FROM api_keys WHERE key_id = ${key.keyId}::uuid`
      assert.strictEqual(row?.prefix, Redacted.value(secret).slice(0, 12))
      assert.notInclude(row?.text, Redacted.value(secret).slice(12))
    }),
  )

  it.effect("verifies hundreds of keys at the same moment in few statements", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const register = yield* KeyRegister
      const { accountId } = yield* accountOf("scale")
      const created = yield* Effect.forEach(Array.from({ length: 20 }), (_, n) => register.create(accountId, `crowd ${n}`))
      const statements = Effect.map(Metric.value(operationDuration), ({ count }) => count)
      const before = yield* statements
      const found = yield* Effect.forEach(
        Array.from({ length: 600 }, (_, n) => created[n % 40]?.secret ?? Redacted.make(`mp_live_wrong_${n}`)),
        keys.verify,
        { concurrency: "unbounded" },
      )
      for (const [n, one] of found.entries()) assert.strictEqual(Option.getOrUndefined(one)?.keyId, created[n % 40]?.key.keyId)
      assert.strictEqual((yield* statements) - before, 2)
    }),
  )

  it.effect("rejects a revoked key", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const register = yield* KeyRegister
      const { accountId } = yield* accountOf("scale")
      const { key, secret } = yield* register.create(accountId, "leaver")
      assert.isTrue(Option.isSome(yield* register.revoke(key.keyId)))
      assert.isTrue(Option.isNone(yield* register.revoke(key.keyId)))
      assert.deepStrictEqual(yield* keys.verify(secret), Option.none())
      assert.deepStrictEqual(yield* keys.current([key.keyId]), [])
      assert.isTrue(Option.isNone(yield* register.revoke(ApiKeyId.make("00000000-0000-4000-8000-000000000000"))))
    }),
  )

  it.effect("registers a chosen key again with the same ids, and does not reactivate a revoked one", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const register = yield* KeyRegister
      const sql = yield* SqlClient.SqlClient
      const secret = Redacted.make("mp_live_development-key-of-this-test")
      const put = (plan: "free" | "enterprise", label: string) => register.put({ secret, terms: termsOf(plan), label })
      const first = yield* Effect.forEach([1, 2, 3, 4, 5], () => put("free", "dev of this test"), { concurrency: 5 })
      assert.strictEqual(new Set(first.map(({ keyId }) => keyId)).size, 1)
      assert.strictEqual(new Set(first.map(({ accountId }) => accountId)).size, 1)
      const { accountId, keyId } = yield* put("enterprise", "dev of this test 2")
      assert.strictEqual(keyId, first[0]?.keyId)
      assert.deepStrictEqual(yield* keys.verify(secret), Option.some({ keyId, accountId, ...termsOf("enterprise") }))
      const [before] = yield* sql`SELECT count(*)::int AS accounts FROM accounts WHERE name LIKE 'dev of this test%'`
      assert.deepStrictEqual(before, { accounts: 1 })
      yield* register.revoke(keyId)
      yield* put("enterprise", "dev of this test 3")
      assert.deepStrictEqual(yield* keys.verify(secret), Option.none())
    }),
  )
}
