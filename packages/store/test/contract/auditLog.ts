import { randomUUID } from "node:crypto"
import { assert, type Vitest } from "@effect/vitest"
import { type AccountId, termsOf } from "@matchpoint/domain/accounts"
import { Effect, Option } from "effect"
import { Accounts } from "../../src/keys/Accounts.ts"
import { type Action, AuditLog } from "../../src/keys/AuditLog.ts"
import { KeyRegister } from "../../src/keys/KeyRegister.ts"
import { StoreError } from "../../src/StoreError.ts"

const actionOf = (accountId: AccountId | null, more: Partial<Action> = {}): Action => ({
  actor: "desk",
  address: "192.0.2.1",
  requestId: randomUUID(),
  action: "account.create",
  accountId,
  keyId: null,
  details: {},
  ...more,
})

export const auditLogContract = (it: Vitest.MethodsNonLive<Accounts | AuditLog | KeyRegister>) => {
  const everyAccount = Effect.flatMap(Accounts, (accounts) => accounts.list({ limit: 1_000, offset: 0 }))

  it.effect("runs changes one at a time, so that none is based on data that another is about to change", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const register = yield* KeyRegister
      const { accountId } = yield* Effect.flatMap(Accounts, (accounts) => accounts.create("raced", termsOf("free")))
      const oneMoreUpToTwo = Effect.gen(function* () {
        if ((yield* register.ofAccount(accountId)).length < 2) yield* register.create(accountId, "raced")
      })
      const asked = Array.from({ length: 8 }, () => log.recorded(oneMoreUpToTwo, () => actionOf(accountId, { action: "key.create" })))
      yield* Effect.all(asked, { concurrency: "unbounded" })
      assert.lengthOf(yield* register.ofAccount(accountId), 2)
    }),
  )

  it.effect("records the result of a change, newest first", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const register = yield* KeyRegister
      const accounts = yield* Accounts
      const details = { plan: "pro", nested: [1, null, "é"], at: 1.5 }
      const created = yield* log.recorded(accounts.create("audited", termsOf("pro")), ({ accountId }) => actionOf(accountId, { details }))
      const { key } = yield* log.recorded(register.create(created.accountId, "desk"), ({ key: { accountId, keyId } }) =>
        actionOf(accountId, { action: "key.create", keyId, address: null }),
      )
      assert.deepStrictEqual(yield* accounts.get(created.accountId), Option.some(created))
      const { rows, total } = yield* log.list({ limit: 2, offset: 0 })
      const [second, first] = rows
      assert.deepInclude(first, { actor: "desk", address: "192.0.2.1", action: "account.create", accountId: created.accountId, details })
      assert.deepInclude(second, { action: "key.create", accountId: created.accountId, keyId: key.keyId, address: null, details: {} })
      assert.isTrue(first !== undefined && second !== undefined && first.id < second.id && first.at <= second.at)
      assert.isAtLeast(total, 2)
      const older = yield* log.list({ limit: 1, offset: 1 })
      assert.deepStrictEqual(older.rows, rows.slice(1))
    }),
  )

  it.effect("records nothing and changes nothing if the change fails", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const accounts = yield* Accounts
      const before = [(yield* log.list({ limit: 1, offset: 0 })).total, (yield* everyAccount).total]
      const halfDone = Effect.andThen(accounts.create("half done", termsOf("free")), Effect.fail("changed my mind" as const))
      assert.strictEqual(yield* Effect.flip(log.recorded(halfDone, () => actionOf(null))), "changed my mind")
      assert.deepStrictEqual([(yield* log.list({ limit: 1, offset: 0 })).total, (yield* everyAccount).total], before)
    }),
  )

  it.effect("changes nothing if the change cannot be recorded", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const accounts = yield* Accounts
      const before = (yield* everyAccount).total
      const error = yield* Effect.flip(
        log.recorded(accounts.create("unrecorded", termsOf("free")), ({ accountId }) => actionOf(accountId, { actor: "\0" })),
      )
      assert.instanceOf(error, StoreError)
      assert.strictEqual(error.operation, "AuditLog.recorded")
      assert.strictEqual((yield* everyAccount).total, before)
    }),
  )

  it.effect("includes a repository's transaction in the recorded one", () =>
    Effect.gen(function* () {
      const log = yield* AuditLog
      const register = yield* KeyRegister
      const accounts = yield* Accounts
      const { accountId } = yield* accounts.create("rotated in the log", termsOf("pro"))
      const { key } = yield* register.create(accountId, "server")
      const lost = Effect.andThen(register.rotate(key.keyId, 0), Effect.fail("no" as const))
      assert.strictEqual(yield* Effect.flip(log.recorded(lost, () => actionOf(accountId))), "no")
      assert.deepStrictEqual(yield* register.ofAccount(accountId), [key])
      const kept = yield* log.recorded(register.rotate(key.keyId, 0), () => actionOf(accountId, { action: "key.rotate" }))
      assert.isTrue(Option.isSome(kept))
      assert.strictEqual((yield* register.ofAccount(accountId)).filter(({ active }) => active).length, 1)
    }),
  )
}
