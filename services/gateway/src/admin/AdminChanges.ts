/**
 * Operators' changes of accounts and keys. Each is written with its audit entry in one transaction. Changes are
 * serialized across all gateways.
 */
import {
  type AccountChange,
  DEFAULT_GRACE_HOURS,
  type NewAccount,
  type NewKey,
  type Rotation,
} from "@matchpoint/contracts/http/admin/AdminApi"
import { Conflict, NotFound, type ValidationError } from "@matchpoint/contracts/http/errors"
import type { AccountId, ApiKeyId } from "@matchpoint/domain/accounts"
import { planTerms } from "@matchpoint/domain/plans"
import { type AuditActor, type AuditChange, auditChange } from "@matchpoint/game/edge/admin/auditChange"
import { Accounts, type StoredAccount } from "@matchpoint/store/keys/Accounts"
import { AuditLog } from "@matchpoint/store/keys/AuditLog"
import { type ApiKeyWithSecret, KeyRegister, type StoredKey } from "@matchpoint/store/keys/KeyRegister"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Option } from "effect"
import { statusOf, termsOfAccount } from "./adminRows.ts"
import { changedTerms, newTerms } from "./agreedTerms.ts"

const HOUR_MS = 3_600_000

export class AdminChanges extends Context.Service<
  AdminChanges,
  {
    readonly createAccount: (account: NewAccount, by: AuditActor) => Effect.Effect<StoredAccount, ValidationError | StoreError>
    readonly updateAccount: (
      accountId: AccountId,
      change: AccountChange,
      by: AuditActor,
    ) => Effect.Effect<StoredAccount, NotFound | ValidationError | StoreError>
    /** Fails with `Conflict` if the account already has as many keys as its plan allows. */
    readonly createKey: (key: NewKey, by: AuditActor) => Effect.Effect<ApiKeyWithSecret, NotFound | Conflict | ValidationError | StoreError>
    /** Fails with `Conflict` if the key is revoked, expired or already rotated. */
    readonly rotateKey: (
      keyId: ApiKeyId,
      rotation: Rotation,
      by: AuditActor,
    ) => Effect.Effect<ApiKeyWithSecret, NotFound | Conflict | StoreError>
    /** Fails with `Conflict` if the key is already revoked. */
    readonly revokeKey: (keyId: ApiKeyId, by: AuditActor) => Effect.Effect<StoredKey, NotFound | Conflict | StoreError>
  }
>()("@matchpoint/service-gateway/admin/AdminChanges") {
  static readonly layer = Layer.effect(
    AdminChanges,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const keys = yield* KeyRegister
      const audit = yield* AuditLog

      const recorded = <A, E>(by: AuditActor, change: Effect.Effect<A, E>, describe: (done: A) => AuditChange) =>
        audit.recorded(change, (done) => auditChange(by, describe(done)))

      const newAccount = Effect.fnUntraced(function* ({ name, plan, ...agreed }: NewAccount, by: AuditActor) {
        const terms = yield* Effect.fromResult(newTerms(plan, agreed))
        return yield* recorded(by, accounts.create(name, terms), (account) => ({
          action: "account.create",
          accountId: account.accountId,
          details: { name: account.name, terms: termsOfAccount(account) },
        }))
      })

      const accountOf = (accountId: AccountId) => orNotFound(accounts.get(accountId), "account", accountId)
      const keyOf = (keyId: ApiKeyId) => orNotFound(keys.get(keyId), "key", keyId)

      const accountForKey = Effect.fnUntraced(function* (key: NewKey, by: AuditActor) {
        if (!("accountId" in key)) {
          const { label, ...account } = key
          return yield* newAccount({ name: label, ...account }, by)
        }
        const account = yield* accountOf(key.accountId)
        yield* roomForOneMore(account, yield* keys.ofAccount(key.accountId))
        return account
      })

      return AdminChanges.of({
        createAccount: Effect.fn("AdminChanges.createAccount")(newAccount),

        updateAccount: Effect.fn("AdminChanges.updateAccount")(function* (accountId, change, by) {
          const changing = Effect.gen(function* () {
            const before = yield* accountOf(accountId)
            const terms = yield* Effect.fromResult(changedTerms(before, change))
            const after = yield* orNotFound(accounts.update(accountId, change.name ?? before.name, terms), "account", accountId)
            return { before, after }
          })
          const { after } = yield* recorded(by, changing, (done) => ({
            action: "account.update",
            accountId,
            details: {
              before: { name: done.before.name, terms: termsOfAccount(done.before) },
              after: { name: done.after.name, terms: termsOfAccount(done.after) },
            },
          }))
          return after
        }),

        createKey: Effect.fn("AdminChanges.createKey")(function* (key, by) {
          const { label } = key
          const creating = Effect.flatMap(accountForKey(key, by), ({ accountId }) => keys.create(accountId, label))
          return yield* recorded(by, creating, ({ key: { accountId, keyId, prefix } }) => ({
            action: "key.create",
            accountId,
            keyId,
            details: { prefix, label },
          }))
        }),

        rotateKey: Effect.fn("AdminChanges.rotateKey")(function* (keyId, { graceHours = DEFAULT_GRACE_HOURS }, by) {
          const rotating = Effect.gen(function* () {
            const before = yield* keyOf(keyId)
            if (statusOf(before) !== "active") return yield* notRotatable(before)
            const rotated = yield* keys.rotate(keyId, Math.round(graceHours * HOUR_MS))
            return Option.isSome(rotated) ? rotated.value : yield* notRotatable(before)
          })
          return yield* recorded(by, rotating, ({ key }) => ({
            action: "key.rotate",
            accountId: key.accountId,
            keyId,
            details: { label: key.label, graceHours, newKeyId: key.keyId, newPrefix: key.prefix },
          }))
        }),

        revokeKey: Effect.fn("AdminChanges.revokeKey")(function* (keyId, by) {
          const revoking = Effect.gen(function* () {
            yield* keyOf(keyId)
            const revoked = yield* keys.revoke(keyId)
            return Option.isSome(revoked) ? revoked.value : yield* Conflict.because(`key ${keyId} is already revoked`)
          })
          return yield* recorded(by, revoking, ({ accountId, label, prefix }) => ({
            action: "key.revoke",
            accountId,
            keyId,
            details: { prefix, label },
          }))
        }),
      })
    }),
  )
}

const orNotFound = <A>(found: Effect.Effect<Option.Option<A>, StoreError>, kind: "account" | "key", id: string) =>
  Effect.flatMap(
    found,
    Effect.fromOption(() => NotFound.of(`no ${kind} has the id ${id}`)),
  )

/** A rotated key does not count, because it expires soon and its replacement already counts. */
const roomForOneMore = ({ plan }: StoredAccount, keys: ReadonlyArray<StoredKey>): Effect.Effect<void, Conflict> => {
  const allowed = planTerms[plan].keys
  const active = keys.filter((key) => statusOf(key) === "active").length
  return active < allowed
    ? Effect.void
    : Effect.fail(Conflict.because(`plan ${plan} allows ${allowed} keys, and the account already has that many; revoke or rotate one`))
}

const notRotatable = (key: StoredKey): Effect.Effect<never, Conflict> =>
  Effect.fail(
    Conflict.because(
      statusOf(key) === "expiring"
        ? `key ${key.keyId} was already rotated and works until ${new Date(key.expiresAt ?? 0).toISOString()}; rotate its successor`
        : `key ${key.keyId} is ${statusOf(key)}; create a new one`,
    ),
  )
