/** An operator at the command line: a key from its making to its end, on a real server that crashes in between. */
import { assert, it } from "@effect/vitest"
import { AccountUsage, AuditEntry, CreatedKey, KeyRow } from "@matchpoint/contracts/http/admin/AdminApi"
import { Clock, Effect, Schedule, Schema } from "effect"
import { Standalone } from "../../fixtures/Standalone.ts"
import { adminJson, runAdmin } from "./adminCommand.ts"

const REVOKED_WITHIN_MS = 5_000

const admin = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
  const { url } = yield* Standalone
  return yield* runAdmin([...args, "--url", url])
})

const outputOf = Effect.fnUntraced(function* <S extends Schema.Decoder<unknown>>(schema: S, ...args: ReadonlyArray<string>) {
  const { url } = yield* Standalone
  return yield* adminJson(schema, [...args, "--url", url, "--as", "Ada"])
})

/** The status of one paid call. */
const call = Effect.fnUntraced(function* (secret: string) {
  const { url } = yield* Standalone
  const init = { headers: { "x-api-key": secret }, signal: AbortSignal.timeout(10_000) }
  return yield* Effect.promise(() =>
    fetch(`${url}/api/v1/cs2/live`, init).then((answer) => answer.body?.cancel().then(() => answer.status)),
  )
})

const usageOf = ({ accountId }: CreatedKey) => outputOf(AccountUsage, "usage", "show", accountId)

it.layer(Standalone.layer({ matches: 0, speed: 1 }), { excludeTestServices: true, timeout: "60 seconds" })("npm run admin", (it) => {
  it.effect(
    "a key is created, used, rotated and revoked; its usage and its story are told",
    () =>
      Effect.gen(function* () {
        const key = yield* outputOf(CreatedKey, "keys", "create", "--plan", "business", "--label", "desk", "--requests-per-month", "500")
        const calls = 23
        for (let n = 0; n < calls; n += 1) assert.strictEqual(yield* call(key.secret), 200)
        assert.deepInclude(yield* usageOf(key), { quota: 500, requests: calls, streamTicks: 0, total: calls })

        const fresh = yield* outputOf(CreatedKey, "keys", "rotate", key.keyId, "--grace-hours", "1")
        assert.strictEqual(yield* call(key.secret), 200)
        assert.strictEqual(yield* call(fresh.secret), 200)

        yield* outputOf(KeyRow, "keys", "revoke", key.keyId)
        const revokedAt = yield* Clock.currentTimeMillis
        yield* call(key.secret).pipe(Effect.repeat({ until: (status) => status === 401, schedule: Schedule.spaced("250 millis") }))
        assert.isAtMost((yield* Clock.currentTimeMillis) - revokedAt, REVOKED_WITHIN_MS)
        assert.strictEqual(yield* call(fresh.secret), 200)

        const keys = yield* outputOf(Schema.Array(KeyRow), "keys", "list", key.accountId)
        assert.deepStrictEqual(
          keys.map(({ keyId, status }) => ({ keyId, status })),
          [
            { keyId: fresh.keyId, status: "active" },
            { keyId: key.keyId, status: "revoked" },
          ],
        )
        const story = yield* outputOf(Schema.Array(AuditEntry), "audit", "list")
        assert.deepStrictEqual(
          story.filter(({ accountId }) => accountId === key.accountId).map(({ action, actor }) => ({ action, actor })),
          ["key.revoke", "key.rotate", "key.create", "account.create"].map((action) => ({ action, actor: "Ada" })),
        )
        for (const secret of [key.secret, fresh.secret]) assert.notInclude(JSON.stringify(story), secret)
      }),
    60_000,
  )

  it.effect(
    "killed and started again the server knows its keys and what they used",
    () =>
      Effect.gen(function* () {
        const server = yield* Standalone
        const key = yield* outputOf(CreatedKey, "keys", "create", "--plan", "business", "--label", "survivor", "--requests-per-month", "12")
        for (let n = 0; n < 7; n += 1) assert.strictEqual(yield* call(key.secret), 200)
        const before = yield* usageOf(key)
        assert.strictEqual(before.total, 7)
        yield* server.kill
        yield* server.start
        assert.deepInclude(yield* usageOf(key), { requests: 7, quota: 12 })
        // What the process that was killed had borrowed is not served again, and never more than the quota is.
        const statuses = yield* Effect.replicateEffect(call(key.secret), 8)
        const served = statuses.filter((status) => status === 200).length
        assert.isAtMost(served, 5)
        assert.isTrue(statuses.every((status) => status === 200 || status === 429))
        assert.strictEqual((yield* usageOf(key)).total, 7 + served)
      }),
    60_000,
  )

  it.effect(
    "prints tables for people, and the secret with a word of warning",
    () =>
      Effect.gen(function* () {
        const created = yield* admin("accounts", "create", "--name", "ACME Sports", "--plan", "starter", "--game", "tennis")
        assert.strictEqual(created.code, 0, created.stderr)
        assert.match(created.stdout, /^name +ACME Sports$/m)
        assert.match(created.stdout, /^game +tennis$/m)
        const accountId = /^account +(\S+)$/m.exec(created.stdout)?.[1] ?? ""
        const key = yield* admin("keys", "create", "--account", accountId, "--label", "mobile")
        assert.match(key.stdout, /^secret +mp_live_[\w-]{32}$/m)
        assert.match(key.stdout, /secret is shown only once/)
        const updated = yield* admin("accounts", "update", accountId, "--plan", "pro", "--add-on", "live-websockets")
        assert.match(updated.stdout, /^add-ons +live-websockets$/m)
        assert.match(updated.stdout, /^per month +1,000,000$/m)
        const listed = yield* admin("accounts", "list", "--limit", "1")
        assert.match(listed.stdout, /^ACCOUNT +NAME +PLAN /)
        assert.include(listed.stdout, accountId)
        assert.match(listed.stdout, /^1 of \d+; --page 2 shows the next page$/m)
      }),
    60_000,
  )

  it.effect(
    "says what to do when it cannot be done, and ends with 1",
    () =>
      Effect.gen(function* () {
        const { url } = yield* Standalone
        const unknownAccount = "00000000-0000-4000-8000-000000000000"
        const wrong = [
          [["accounts", "show", unknownAccount, "--url", url], {}, `no account has the id ${unknownAccount}`],
          [["audit", "list", "--url", url], { MATCHPOINT_ADMIN_TOKEN: "not-the-token-of-it" }, "set MATCHPOINT_ADMIN_TOKEN"],
          [["audit", "list", "--url", "http://127.0.0.1:9"], {}, "npm start"],
          [["audit", "list", "--url", "http://matchpoint.invalid"], {}, "set MATCHPOINT_ADMIN_TOKEN"],
          [["keys", "create", "--label", "lost", "--url", url], {}, "give --plan"],
          [["keys", "create", "--label", "lost", "--account", unknownAccount, "--url", url], {}, "no account has the id"],
          [["keys", "create", "--label", "lost", "--plan", "gold", "--url", url], {}, '"enterprise"'],
          [["accounts", "update", unknownAccount, "--url", url], {}, "nothing to change"],
          [["accounts", "create", "--name", "N", "--plan", "pro", "--game", "cs2", "--url", url], {}, "all games"],
        ] as const
        yield* Effect.forEach(
          wrong,
          Effect.fnUntraced(function* ([args, env, message]) {
            const { code, stderr } = yield* runAdmin(args, env)
            assert.strictEqual(code, 1, args.join(" "))
            assert.include(stderr, message)
          }),
          { concurrency: 3, discard: true },
        )
      }),
    60_000,
  )

  it.effect(
    "--help knows every command",
    () =>
      Effect.gen(function* () {
        const commands = [
          "accounts list",
          "accounts create",
          "accounts show",
          "accounts update",
          "keys list",
          "keys create",
          "keys rotate",
          "keys revoke",
          "usage show",
          "audit list",
        ]
        yield* Effect.forEach(
          commands,
          Effect.fnUntraced(function* (command) {
            const { code, stdout } = yield* runAdmin([...command.split(" "), "--help"])
            assert.strictEqual(code, 0)
            assert.include(stdout, `admin ${command}`)
          }),
          { concurrency: 3, discard: true },
        )
      }),
    60_000,
  )
})
