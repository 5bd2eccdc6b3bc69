/** The admin API over real sockets: every endpoint, its audit entry in the same transaction, and its errors. */
import { assert, it } from "@effect/vitest"
import { type AuditEntry, DEFAULT_GRACE_HOURS, MAX_ADMIN_BODY_BYTES } from "@matchpoint/contracts/http/admin/AdminApi"
import { AccountId, ApiKeyId } from "@matchpoint/domain/accounts"
import { planTerms } from "@matchpoint/domain/plans"
import { Meter } from "@matchpoint/metering/Meter"
import { ApiKeys } from "@matchpoint/store/keys/ApiKeys"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { Clock, Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { AdminServer, adminServer, TOKEN } from "./adminServer.ts"

const HOUR_MS = 3_600_000

const unknownAccount = AccountId.make("00000000-0000-4000-8000-000000000000")
const noKey = ApiKeyId.make("00000000-0000-4000-8000-000000000000")

const codeOf = (refused: object): unknown =>
  "error" in refused && typeof refused.error === "object" && refused.error !== null && "code" in refused.error
    ? refused.error.code
    : refused

/** Returns the error code, or `done` if there was no error. */
const code = <A, E extends object, R>(asking: Effect.Effect<A, E, R>) =>
  Effect.match(asking, { onFailure: codeOf, onSuccess: () => "done" })

/** Returns the newest entries of the audit log, newest first. */
const newest = Effect.fnUntraced(function* (count: number) {
  const { api } = yield* AdminServer
  return (yield* api.audit({ query: { limit: count } })).data
})

const entryOf = ({ action, actor, accountId, keyId, details }: AuditEntry) => ({ action, actor, accountId, keyId, details })

const ownerOf = (secret: string) => Effect.flatMap(ApiKeys, (keys) => keys.verify(Redacted.make(secret)))

const post = Effect.fnUntraced(function* (path: string, init: RequestInit) {
  const { url } = yield* AdminServer
  const headers = { "x-admin-token": TOKEN, "content-type": "application/json", ...init.headers }
  return yield* Effect.promise(async () => {
    const answer = await fetch(`${url}${path}`, { method: "POST", ...init, headers, signal: AbortSignal.timeout(10_000) })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, code: /"code":"(\w+)"/.exec(text)?.[1], text }
  })
})

it.layer(adminServer(), { excludeTestServices: true, timeout: "60 seconds" })("the admin API", (it) => {
  it.effect("creates an account with a plan's terms, shows it and lists it", () =>
    Effect.gen(function* () {
      const { api } = yield* AdminServer
      const { data: account } = yield* api.createAccount({ payload: { name: "ACME", plan: "business" } })
      const { requestsPerMonth, requestsPerSecond } = planTerms.business
      assert.deepInclude(account, { name: "ACME", plan: "business", addOns: [], game: null, requestsPerMonth, requestsPerSecond })
      assert.deepStrictEqual((yield* api.account({ params: account })).data, account)
      const { data: listed, meta } = yield* api.accounts({ query: { limit: 1 } })
      assert.deepStrictEqual(listed, [account])
      assert.deepInclude(meta, { count: 1, limit: 1, page: 1 })
      const [entry] = yield* newest(1)
      const terms = { plan: "business", addOns: [], game: null, requestsPerMonth, requestsPerSecond }
      assert.deepStrictEqual(entry === undefined ? undefined : entryOf(entry), {
        action: "account.create",
        actor: "operator",
        accountId: account.accountId,
        keyId: null,
        details: { name: "ACME", terms },
      })
      assert.strictEqual(entry?.address, "127.0.0.1")
    }),
  )

  it.effect("accepts a game only for a plan for one game", () =>
    Effect.gen(function* () {
      const { api } = yield* AdminServer
      const chosen = yield* api.createAccount({ payload: { name: "A", plan: "starter", game: "tennis" } })
      assert.strictEqual(chosen.data.game, "tennis")
      assert.strictEqual((yield* api.createAccount({ payload: { name: "B", plan: "starter" } })).data.game, "cs2")
      assert.strictEqual(yield* code(api.createAccount({ payload: { name: "C", plan: "pro", game: "cs2" } })), "VALIDATION_ERROR")
    }),
  )

  it.effect("applies the quota and rate of a new plan, and keeps terms that are not given", () =>
    Effect.gen(function* () {
      const { api } = yield* AdminServer
      const payload = { name: "X", plan: "pro", requestsPerMonth: 7, requestsPerSecond: 3, addOns: ["live-websockets"] } as const
      const { data: before } = yield* api.createAccount({ payload })
      const renamed = yield* api.updateAccount({ params: before, payload: { name: "Y" } })
      assert.deepStrictEqual(renamed.data, { ...before, name: "Y" })
      const faster = yield* api.updateAccount({ params: before, payload: { requestsPerSecond: 9 } })
      assert.deepStrictEqual(faster.data, { ...before, name: "Y", requestsPerSecond: 9 })
      const scaled = yield* api.updateAccount({ params: before, payload: { plan: "scale" } })
      const { requestsPerMonth, requestsPerSecond } = planTerms.scale
      assert.deepStrictEqual(scaled.data, { ...before, name: "Y", plan: "scale", requestsPerMonth, requestsPerSecond })
      const agreed = yield* api.updateAccount({ params: before, payload: { plan: "enterprise", requestsPerMonth: 11, addOns: [] } })
      assert.deepInclude(agreed.data, { plan: "enterprise", requestsPerMonth: 11, addOns: [] })
      const [entry] = yield* newest(1)
      assert.deepInclude(entry, { action: "account.update", accountId: before.accountId })
      assert.nestedPropertyVal(entry, "details.before.terms.plan", "scale")
      assert.nestedPropertyVal(entry, "details.after.terms.plan", "enterprise")
    }),
  )

  it.effect("creates a key together with a new account, and logs both", () =>
    Effect.gen(function* () {
      const { api } = yield* AdminServer
      const { data: key } = yield* api.createKey({ payload: { plan: "starter", game: "cs2", label: "desk", requestsPerMonth: 5 } })
      assert.match(key.secret, /^mp_live_[\w-]{32}$/)
      assert.isTrue(key.secret.startsWith(key.prefix))
      const owner = Option.getOrUndefined(yield* ownerOf(key.secret))
      assert.deepInclude(owner, { accountId: key.accountId, keyId: key.keyId, plan: "starter", requestsPerMonth: 5 })
      assert.strictEqual((yield* api.account({ params: key })).data.name, "desk")
      const { data: keys } = yield* api.keys({ params: key })
      assert.deepStrictEqual(
        keys.map(({ keyId, label, prefix, status }) => ({ keyId, label, prefix, status })),
        [{ keyId: key.keyId, label: "desk", prefix: key.prefix, status: "active" }],
      )
      const log = yield* newest(2)
      assert.deepStrictEqual(
        log.map(({ action, accountId, keyId }) => ({ action, accountId, keyId })),
        [
          { action: "key.create", accountId: key.accountId, keyId: key.keyId },
          { action: "account.create", accountId: key.accountId, keyId: null },
        ],
      )
      assert.notInclude(JSON.stringify(log), key.secret)
    }),
  )

  it.effect("limits the keys of an account to those of its plan, without counting expiring keys", () =>
    Effect.gen(function* () {
      const { api } = yield* AdminServer
      const { data: account } = yield* api.createAccount({ payload: { name: "small", plan: "free" } })
      const one = Effect.map(api.createKey({ payload: { accountId: account.accountId, label: "one more" } }), ({ data }) => data)
      const keys = yield* Effect.replicateEffect(one, planTerms.free.keys)
      assert.strictEqual(yield* code(one), "CONFLICT")
      const [first, second] = keys
      assert.isDefined(first)
      assert.isDefined(second)
      // A rotated key does not count. Its successor does.
      yield* api.rotateKey({ params: first, payload: {} })
      assert.strictEqual(yield* code(one), "CONFLICT")
      yield* api.revokeKey({ params: second })
      yield* one
      assert.strictEqual(yield* code(one), "CONFLICT")
    }),
  )

  it.effect("does not exceed the plan's number of keys when keys are created concurrently", () =>
    Effect.gen(function* () {
      const { api } = yield* AdminServer
      const { data: account } = yield* api.createAccount({ payload: { name: "hasty", plan: "free" } })
      const asked = Array.from({ length: 8 }, (_, n) =>
        Effect.isSuccess(api.createKey({ payload: { accountId: account.accountId, label: `key ${n}` } })),
      )
      const made = yield* Effect.all(asked, { concurrency: "unbounded" })
      assert.strictEqual(made.filter((success) => success).length, planTerms.free.keys)
    }),
  )

  it.effect("rotates a key: both secrets work during the grace period, then only the new one", () =>
    Effect.gen(function* () {
      const { api } = yield* AdminServer
      const { data: old } = yield* api.createKey({ payload: { plan: "pro", label: "desk" } })
      const begun = yield* Clock.currentTimeMillis
      const { data: fresh } = yield* api.rotateKey({ params: old, payload: {} })
      assert.strictEqual(fresh.accountId, old.accountId)
      assert.isTrue(Option.isSome(yield* ownerOf(old.secret)))
      assert.isTrue(Option.isSome(yield* ownerOf(fresh.secret)))
      const rows = (yield* api.keys({ params: old })).data
      const expiring = rows.find(({ keyId }) => keyId === old.keyId)
      assert.strictEqual(expiring?.status, "expiring")
      const graceMs = Date.parse(expiring?.expiresAt ?? "") - begun
      assert.isBelow(Math.abs(graceMs - DEFAULT_GRACE_HOURS * HOUR_MS), 60_000)
      assert.strictEqual(yield* code(api.rotateKey({ params: old, payload: {} })), "CONFLICT")
      const [entry] = yield* newest(1)
      assert.deepInclude(entry, { action: "key.rotate", keyId: old.keyId })
      assert.nestedPropertyVal(entry, "details.newKeyId", fresh.keyId)

      const { data: last } = yield* api.rotateKey({ params: fresh, payload: { graceHours: 0 } })
      assert.isTrue(Option.isNone(yield* ownerOf(fresh.secret)))
      assert.isTrue(Option.isSome(yield* ownerOf(last.secret)))
      const statuses = (yield* api.keys({ params: old })).data.map(({ status }) => status)
      assert.sameMembers([...statuses], ["active", "expired", "expiring"])
    }),
  )

  it.effect("revokes a key permanently, and only once", () =>
    Effect.gen(function* () {
      const { api } = yield* AdminServer
      const { data: key } = yield* api.createKey({ payload: { plan: "pro", label: "gone" } })
      const { data: row } = yield* api.revokeKey({ params: key })
      assert.strictEqual(row.status, "revoked")
      assert.isTrue(Option.isNone(yield* ownerOf(key.secret)))
      for (const refused of [code(api.revokeKey({ params: key })), code(api.rotateKey({ params: key, payload: {} }))]) {
        assert.strictEqual(yield* refused, "CONFLICT")
      }
      assert.deepInclude((yield* newest(1))[0], { action: "key.revoke", keyId: key.keyId, details: { prefix: key.prefix, label: "gone" } })
    }),
  )

  it.effect("answers 404 for an unknown id and writes no audit entry", () =>
    Effect.gen(function* () {
      const { api } = yield* AdminServer
      const [before] = yield* newest(1)
      const account = { params: { accountId: unknownAccount } }
      for (const refused of [
        code(api.account(account)),
        code(api.updateAccount({ ...account, payload: { name: "N" } })),
        code(api.accountUsage({ ...account, query: {} })),
        code(api.keys(account)),
        code(api.createKey({ payload: { accountId: unknownAccount, label: "L" } })),
        code(api.rotateKey({ params: { keyId: noKey }, payload: {} })),
        code(api.revokeKey({ params: { keyId: noKey } })),
      ]) {
        assert.strictEqual(yield* refused, "NOT_FOUND")
      }
      assert.deepStrictEqual(yield* newest(1), before === undefined ? [] : [before])
    }),
  )

  it.effect("reports usage that includes the requests just served", () =>
    Effect.gen(function* () {
      const { api } = yield* AdminServer
      const meter = yield* Meter
      const { data: key } = yield* api.createKey({ payload: { plan: "pro", label: "busy", requestsPerMonth: 1_000 } })
      const customer = Option.getOrThrow(yield* ownerOf(key.secret))
      for (let n = 0; n < 7; n += 1) meter.serve(meter.reserve(customer) ?? (yield* meter.acquire(customer)), "request")
      const { data: usage } = yield* api.accountUsage({ params: key, query: {} })
      assert.deepInclude(usage, { accountId: key.accountId, quota: 1_000, requests: 7, streamTicks: 0, total: 7, misplaced: 0 })
      const { data: long } = yield* api.accountUsage({ params: key, query: { period: usage.period } })
      assert.deepStrictEqual(long, usage)
    }),
  )

  it.effect("pages lists: reduces a limit that is too high, and returns an empty page past the end", () =>
    Effect.gen(function* () {
      const { api } = yield* AdminServer
      const { meta } = yield* api.audit({ query: { limit: 100_000 } })
      assert.strictEqual(meta.limit, 200)
      const second = yield* api.audit({ query: { limit: 2, page: 2 } })
      assert.deepStrictEqual(second.data, (yield* newest(4)).slice(2))
      assert.isTrue(second.meta.hasPrev)
      const past = yield* api.accounts({ query: { page: Number.MAX_SAFE_INTEGER } })
      assert.deepInclude(past, { data: [] })
      assert.isFalse(past.meta.hasNext)
    }),
  )

  it.effect("stores the actor's name shortened and without control characters", () =>
    Effect.gen(function* () {
      const create = (actor: string) =>
        post("/accounts", { body: JSON.stringify({ name: "N", plan: "free" }), headers: { "x-admin-actor": actor } })
      for (const [given, kept] of [
        [encodeURIComponent("Jörg 李"), "Jörg 李"],
        ["100%", "100%"],
        ["%0d%0aroot", "root"],
        ["x".repeat(500), "x".repeat(120)],
      ] as const) {
        assert.strictEqual((yield* create(given)).status, 200)
        assert.strictEqual((yield* newest(1))[0]?.actor, kept)
      }
    }),
  )

  it.effect("rolls back a change if its audit entry cannot be written", () =>
    Effect.gen(function* () {
      const { api } = yield* AdminServer
      const register = yield* KeyRegister
      const sql = yield* SqlClient.SqlClient
      const { data: key } = yield* api.createKey({ payload: { plan: "pro", label: "kept" } })
      const { meta: accountsBefore } = yield* api.accounts({ query: {} })
      const before = yield* register.ofAccount(key.accountId)
      yield* sql`ALTER TABLE audit_log ADD CONSTRAINT full_disk CHECK (false) NOT VALID`
      for (const change of [
        code(api.updateAccount({ params: key, payload: { plan: "free" } })),
        code(api.createAccount({ payload: { name: "lost", plan: "free" } })),
        code(api.createKey({ payload: { accountId: key.accountId, label: "lost" } })),
        code(api.createKey({ payload: { plan: "pro", label: "lost" } })),
        code(api.rotateKey({ params: key, payload: { graceHours: 0 } })),
        code(api.revokeKey({ params: key })),
      ]) {
        assert.strictEqual(yield* change, "INTERNAL_ERROR")
      }
      yield* sql`ALTER TABLE audit_log DROP CONSTRAINT full_disk`
      assert.strictEqual((yield* api.account({ params: key })).data.plan, "pro")
      assert.deepStrictEqual(yield* register.ofAccount(key.accountId), before)
      assert.strictEqual((yield* api.accounts({ query: {} })).meta.total, accountsBefore.total)
      assert.isTrue(Option.isSome(yield* ownerOf(key.secret)))
    }),
  )

  it.effect("rejects invalid bodies: too large, not JSON, with misspelt fields, with both kinds of key", () =>
    Effect.gen(function* () {
      const { data: account } = yield* (yield* AdminServer).api.createAccount({ payload: { name: "N", plan: "free" } })
      for (const [path, init, status, code] of [
        ["/accounts", { body: "x".repeat(MAX_ADMIN_BODY_BYTES + 1) }, 413, "PAYLOAD_TOO_LARGE"],
        ["/accounts", { body: "{" }, 400, "VALIDATION_ERROR"],
        ["/accounts", {}, 400, "VALIDATION_ERROR"],
        ["/accounts", { body: "{}", headers: { "content-type": "text/plain" } }, 400, "VALIDATION_ERROR"],
        ["/accounts", { body: `{"name":" N","plan":"free"}` }, 400, "VALIDATION_ERROR"],
        ["/accounts", { body: `{"name":"N","plan":"gold"}` }, 400, "VALIDATION_ERROR"],
        ["/accounts", { body: `{"name":"N","plan":"free","requestPerMonth":5}` }, 400, "VALIDATION_ERROR"],
        ["/accounts", { body: `{"name":"N","plan":"free","requestsPerSecond":0}` }, 400, "VALIDATION_ERROR"],
        ["/accounts", { body: `{"name":"N","plan":"free","requestsPerMonth":1.5}` }, 400, "VALIDATION_ERROR"],
        ["/keys", { body: JSON.stringify({ accountId: account.accountId, label: "L", plan: "scale" }) }, 400, "VALIDATION_ERROR"],
        ["/keys", { body: JSON.stringify({ plan: "free", label: "one\nkey_2  forged" }) }, 400, "VALIDATION_ERROR"],
        ["/accounts", { body: JSON.stringify({ plan: "free", name: "one\u001b[2Ktwo" }) }, 400, "VALIDATION_ERROR"],
        [`/keys/${noKey}/rotate`, { body: `{"graceHours":721}` }, 400, "VALIDATION_ERROR"],
        ["/keys/no-id/revoke", {}, 400, "VALIDATION_ERROR"],
        ["/nothing", {}, 404, "NOT_FOUND"],
      ] as const) {
        const answer = yield* post(path, init)
        assert.deepStrictEqual(
          { status: answer.status, code: answer.code },
          { status, code },
          `${path} ${JSON.stringify(init).slice(0, 100)}`,
        )
      }
    }),
  )

  it.effect("forbids caching of responses, and stores the request id in audit entries", () =>
    Effect.gen(function* () {
      const { headers } = yield* post("/keys", { body: JSON.stringify({ plan: "free", label: "L" }) })
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.strictEqual((yield* newest(1))[0]?.requestId, headers.get("x-request-id"))
    }),
  )
})
