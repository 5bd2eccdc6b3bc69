/** Key lifecycle, in addition to `apiKeys.ts`: rotation, expiry, revocation and listing. */
import { randomUUID } from "node:crypto"
import { assert, type Vitest } from "@effect/vitest"
import { AccountId, type ApiKeyId, termsOf } from "@matchpoint/domain/accounts"
import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "../../src/keys/Accounts.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { KeyRegister } from "../../src/keys/KeyRegister.ts"

const HOUR_MS = 3_600_000

export const keyRegisterContract = (it: Vitest.MethodsNonLive<Accounts | ApiKeys | KeyRegister | SqlClient.SqlClient>) => {
  const account = Effect.flatMap(Accounts, (accounts) => accounts.create("rotating", termsOf("business")))
  const works = (secret: Redacted.Redacted<string>) => Effect.flatMap(ApiKeys, (keys) => Effect.map(keys.verify(secret), Option.isSome))
  /** Moves the expiry of a key `ms` into the past. */
  const age = (keyId: ApiKeyId, ms: number) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`UPDATE api_keys SET expires_at = expires_at - ${ms}::int * interval '1 millisecond' WHERE key_id = ${keyId}`,
    )

  it.effect("accepts a rotated key beside the new one until its grace period ends", () =>
    Effect.gen(function* () {
      const register = yield* KeyRegister
      const { accountId } = yield* account
      const old = yield* register.create(accountId, "server")
      const rotated = yield* Effect.flatMap(register.rotate(old.key.keyId, HOUR_MS), Effect.fromOption)
      assert.deepInclude(rotated.key, { accountId, label: "server", expiresAt: null, revokedAt: null, active: true })
      assert.notStrictEqual(rotated.key.keyId, old.key.keyId)
      const expiring = yield* Effect.flatMap(register.get(old.key.keyId), Effect.fromOption)
      assert.isTrue(expiring.active)
      assert.approximately(Number(expiring.expiresAt) - rotated.key.createdAt, HOUR_MS, 1_000)
      assert.deepStrictEqual([yield* works(old.secret), yield* works(rotated.secret)], [true, true])

      yield* age(old.key.keyId, HOUR_MS)
      assert.deepStrictEqual([yield* works(old.secret), yield* works(rotated.secret)], [false, true])
      assert.deepInclude(Option.getOrUndefined(yield* register.get(old.key.keyId)), { active: false, revokedAt: null })
      const keys = yield* ApiKeys
      const current = yield* keys.current([old.key.keyId, rotated.key.keyId])
      assert.deepStrictEqual(
        current.map(({ keyId }) => keyId),
        [rotated.key.keyId],
      )
    }),
  )

  it.effect("disables the old key at once without a grace period; a second rotation never extends the period", () =>
    Effect.gen(function* () {
      const register = yield* KeyRegister
      const { accountId } = yield* account
      const first = yield* register.create(accountId, "server")
      yield* register.rotate(first.key.keyId, HOUR_MS)
      const short = yield* Effect.flatMap(register.get(first.key.keyId), Effect.fromOption)
      yield* register.rotate(first.key.keyId, 24 * HOUR_MS)
      assert.deepStrictEqual(yield* register.get(first.key.keyId), Option.some(short))
      assert.isTrue(Option.isSome(yield* register.rotate(first.key.keyId, 0)))
      assert.isFalse(yield* works(first.secret))
    }),
  )

  it.effect("does not rotate a key that is no longer valid, and creates nothing", () =>
    Effect.gen(function* () {
      const register = yield* KeyRegister
      const { accountId } = yield* account
      const revoked = yield* register.create(accountId, "revoked")
      yield* register.revoke(revoked.key.keyId)
      const expired = yield* register.create(accountId, "expired")
      yield* register.rotate(expired.key.keyId, 0)
      const before = yield* register.ofAccount(accountId)
      for (const { key } of [revoked, expired]) assert.isTrue(Option.isNone(yield* register.rotate(key.keyId, HOUR_MS)))
      assert.deepStrictEqual(yield* register.ofAccount(accountId), before)
      assert.deepStrictEqual(before.map(({ active, label }) => `${label} ${active}`).toSorted(), [
        "expired false",
        "expired true",
        "revoked false",
      ])
    }),
  )

  it.effect("creates one new key if two callers rotate a key at once without a grace period", () =>
    Effect.gen(function* () {
      const register = yield* KeyRegister
      const { accountId } = yield* account
      const { key } = yield* register.create(accountId, "raced")
      const rotations = yield* Effect.forEach([1, 2, 3], () => register.rotate(key.keyId, 0), { concurrency: 3 })
      assert.strictEqual(rotations.filter(Option.isSome).length, 1)
      assert.strictEqual((yield* register.ofAccount(accountId)).length, 2)
    }),
  )

  it.effect("fails to create a key for an unknown account, and lists no keys of it", () =>
    Effect.gen(function* () {
      const register = yield* KeyRegister
      const unknownAccount = AccountId.make(randomUUID())
      const error = yield* Effect.flip(register.create(unknownAccount, "of nobody"))
      assert.deepStrictEqual([error.operation, error.isRetryable], ["KeyRegister.create", false])
      assert.deepStrictEqual(yield* register.ofAccount(unknownAccount), [])
    }),
  )

  it.effect("leaves no account behind if registering a key fails midway", () =>
    Effect.gen(function* () {
      const register = yield* KeyRegister
      const sql = yield* SqlClient.SqlClient
      const name = `half-way ${randomUUID()}`
      const secret = Redacted.make(`mp_live_\0${name}`)
      const error = yield* Effect.flip(register.put({ secret, label: name, terms: termsOf("free") }))
      assert.strictEqual(error._tag, "StoreError")
      assert.deepStrictEqual(yield* sql`SELECT 1 FROM accounts WHERE name = ${name}`, [])
    }),
  )
}
