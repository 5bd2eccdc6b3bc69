/** The management of webhooks over HTTP, at both places where the specification names it, on a real database. */
import { assert, it } from "@effect/vitest"
import { termsOf } from "@matchpoint/domain/accounts"
import { Accounts } from "@matchpoint/store/keys/Accounts"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { WebhookEvents } from "@matchpoint/store/webhooks/WebhookEvents"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Clock, Effect, Redacted } from "effect"
import {
  assertError,
  deliveriesOf,
  deliveryOf,
  eventOf,
  manage,
  newKey,
  PUBLIC,
  roots,
  senderOf,
  webhookOf,
  webhookStack,
  webhooksOf,
  withSecretOf,
} from "../../fixtures/webhooks/webhookStack.ts"

const names = new Map([["receiver.test", [PUBLIC]]])
const wanted = { url: "https://receiver.test/hooks", events: ["match.updated"] }

const create = Effect.fnUntraced(function* (key: string, changes: Readonly<Record<string, unknown>> = {}) {
  return withSecretOf(yield* manage(key, "POST", "", { body: { ...wanted, ...changes } })).data
})

const write = (...events: ReadonlyArray<ReturnType<typeof eventOf>>) => Effect.flatMap(WebhookEvents, (stored) => stored.write(events))

/** Number of queued deliveries. All tests write events to the same database. */
const pendingOf = (key: string, id: string) => Effect.map(manage(key, "GET", `/${id}`), (answer) => webhookOf(answer).data.pending)

const isoOf = (ms: number) => new Date(ms).toISOString()

let matches = 0
const newMatch = () => `cs2-match-${7_000 + ++matches}`

onDatabaseOfRun((database, layer) =>
  it.layer(webhookStack(layer, senderOf(names)), { timeout: 60_000, excludeTestServices: true })(`webhooks on ${database}`, (it) => {
    for (const place of roots) {
      it.effect(`are created, read, changed, paused and deleted below ${place.root}`, () =>
        Effect.gen(function* () {
          const key = yield* newKey()
          const at = (method: string, path: string, body?: unknown) => manage(key, method, path, body === undefined ? {} : { body }, place)
          const before = yield* Clock.currentTimeMillis
          const answer = yield* at("POST", "", {
            ...wanted,
            url: "HTTPS://Receiver.test:443/hööks",
            events: ["match.updated", "cs2.score.updated"],
            filters: { games: ["cs2"], match_ids: ["cs2-match-1"] },
            max_per_second: 5,
          })
          assert.strictEqual(answer.headers.get("cache-control"), "no-store")
          const { secret, ...created } = withSecretOf(answer).data
          assert.strictEqual(Buffer.from(secret, "base64").length, 32)
          assert.isAtLeast(Date.parse(created.created_at), before - 1_000)
          const { created_at, id, updated_at, ...rest } = created
          assert.strictEqual(created_at, updated_at)
          assert.deepStrictEqual(rest, {
            url: "https://receiver.test/h%C3%B6%C3%B6ks",
            events: ["match.updated", "cs2.score.updated"],
            description: "",
            filters: { games: ["cs2"], match_ids: ["cs2-match-1"], team_ids: [], player_ids: [] },
            max_per_second: 5,
            status: "active",
            status_reason: null,
            warning: null,
            pending: 0,
            previous_secret_valid_until: null,
          })
          assert.deepStrictEqual(webhookOf(yield* at("GET", `/${id}`)).data, created)
          assert.deepStrictEqual(webhooksOf(yield* at("GET", "")).data, [created])

          const described = webhookOf(yield* at("PATCH", `/${id}`, { description: "my server" })).data
          assert.deepStrictEqual({ ...described, updated_at }, { ...created, description: "my server" })
          assert.isAtLeast(Date.parse(described.updated_at), Date.parse(updated_at))
          const change = { url: wanted.url, events: ["match.ended"], filters: { team_ids: ["cs2-team-1"] }, max_per_second: null }
          const changed = webhookOf(yield* at("PATCH", `/${id}`, change)).data
          const filters = { games: [], match_ids: [], team_ids: ["cs2-team-1"], player_ids: [] }
          assert.deepInclude(changed, { ...change, filters, description: "my server" })
          assert.deepInclude(webhookOf(yield* at("PATCH", `/${id}`, {})).data, { ...change, filters })

          assert.deepInclude(webhookOf(yield* at("POST", `/${id}/pause`)).data, { status: "paused", status_reason: "customer" })
          for (const [path, body] of [["test"], ["resend", { since: "2026-01-01" }]] as const) {
            const { message } = assertError(yield* at("POST", `/${id}/${path}`, body), "CONFLICT")
            assert.include(message, `/${id}/activate`)
          }
          assert.deepInclude(webhookOf(yield* at("POST", `/${id}/activate`)).data, { status: "active", status_reason: null })

          const deleted = yield* at("DELETE", `/${id}`)
          assert.deepStrictEqual(JSON.parse(deleted.text), { success: true, data: { id, deleted: true }, meta: {} })
          assertError(yield* at("GET", `/${id}`), "NOT_FOUND")
          assertError(yield* at("DELETE", `/${id}`), "NOT_FOUND")
          assert.deepStrictEqual(webhooksOf(yield* at("GET", "")).data, [])
        }),
      )
    }

    it.effect("are listed newest first, page by page", () =>
      Effect.gen(function* () {
        const key = yield* newKey()
        const ids: Array<string> = []
        for (let count = 0; count < 3; count++) ids.unshift((yield* create(key)).id)
        const page = (query: string) => Effect.map(manage(key, "GET", query), webhooksOf)
        const first = yield* page("?limit=2")
        assert.deepStrictEqual([first.data.map(({ id }) => id), first.meta.hasNext], [ids.slice(0, 2), true])
        const second = yield* page("?limit=2&page=2")
        assert.deepStrictEqual(
          second.data.map(({ id }) => id),
          ids.slice(2),
        )
        assert.deepStrictEqual(second.meta, { count: 1, limit: 2, total: 3, page: 2, totalPages: 2, hasNext: false, hasPrev: true })
        assert.deepStrictEqual((yield* page("?limit=2&page=9007199254740991")).data, [])
        assert.strictEqual((yield* page("?limit=1000000")).meta.limit, 100)
      }),
    )

    it.effect("show the secret only when it is created or rotated", () =>
      Effect.gen(function* () {
        const key = yield* newKey()
        const { id, secret } = yield* create(key)
        const now = yield* Clock.currentTimeMillis
        const rotated = withSecretOf(yield* manage(key, "POST", `/${id}/rotate-secret`, { body: { grace_seconds: 600 } })).data
        assert.notStrictEqual(rotated.secret, secret)
        const until = Date.parse(rotated.previous_secret_valid_until ?? "") - now
        assert.isTrue(until > 599_000 && until < 660_000, String(until))
        yield* manage(key, "POST", `/${id}/test`)
        const paths = ["", `/${id}`, `/${id}/deliveries`] as const
        const shown = yield* Effect.forEach(paths, (path) => Effect.map(manage(key, "GET", path), ({ text }) => text))
        shown.push((yield* manage(key, "PATCH", `/${id}`, { body: {} })).text, (yield* manage(key, "POST", `/${id}/pause`)).text)
        for (const text of shown) {
          assert.notInclude(text, 'secret"')
          assert.notInclude(text, rotated.secret)
          assert.notInclude(text, secret)
        }
        const again = withSecretOf(yield* manage(key, "POST", `/${id}/rotate-secret`, { body: { grace_seconds: 0 } })).data
        assert.strictEqual(new Set([secret, rotated.secret, again.secret]).size, 3)
        assert.isNull(again.previous_secret_valid_until)
        const day = withSecretOf(yield* manage(key, "POST", `/${id}/rotate-secret`, { body: {} })).data
        assert.closeTo(Date.parse(day.previous_secret_valid_until ?? "") - now, 86_400_000, 60_000)
      }),
    )

    it.effect("limit the test events of an account", () =>
      Effect.gen(function* () {
        const key = yield* newKey()
        const { id } = yield* create(key)
        const sent = yield* Effect.forEach(Array.from({ length: 12 }), () => manage(key, "POST", `/${id}/test`))
        assert.deepStrictEqual(
          sent.map(({ status }) => status),
          [...Array.from({ length: 10 }, () => 200), 409, 409],
        )
        assert.include(sent.at(-1)?.text, "test events")
      }),
    )

    it.effect("have a log of deliveries, from which one can be resent", () =>
      Effect.gen(function* () {
        const key = yield* newKey()
        const { id } = yield* create(key)
        const lane = newMatch()
        yield* write(eventOf(lane, 1), eventOf(lane, 2), eventOf(lane, 3, { name: "match.ended" }))
        assert.deepStrictEqual(JSON.parse((yield* manage(key, "POST", `/${id}/test`)).text).data, { queued: 1 })
        const { data, meta } = deliveriesOf(yield* manage(key, "GET", `/${id}/deliveries`))
        assert.deepStrictEqual(
          data.map(({ event, match_id, seq }) => [event, match_id, seq]),
          [
            ["webhook.test", null, 0],
            ["match.updated", lane, 2],
            ["match.updated", lane, 1],
          ],
        )
        assert.strictEqual(meta.total, 3)
        // Only the first delivery of a match has a time: the others wait for it.
        assert.deepStrictEqual(
          data.map((one) => one.next_attempt_at === null),
          [false, true, false],
        )
        for (const one of data) {
          assert.deepInclude(one, { status: "pending", attempts: [], finished_at: null })
          assert.deepInclude(one.trace, { fact_id: null, fact_received_at: null })
          assert.isNotNull(one.trace.stored_at)
        }
        const [, second] = deliveriesOf(yield* manage(key, "GET", `/${id}/deliveries?limit=1&page=2`)).data.concat(data.slice(1, 2))
        assert.deepStrictEqual(second, data[1])
        const { id: deliveryId = "", event_id = "" } = data[2] ?? {}
        assert.deepStrictEqual(deliveryOf(yield* manage(key, "GET", `/${id}/deliveries/${deliveryId}`)).data, data[2])
        const resent = deliveryOf(yield* manage(key, "POST", `/${id}/deliveries/${deliveryId}/resend`)).data
        assert.deepInclude(resent, { event_id, status: "pending", match_id: lane })
        assert.notStrictEqual(resent.id, deliveryId)
        assert.strictEqual(yield* pendingOf(key, id), 4)
      }),
    )

    it.effect("resend the events since a time, or of a match after a position", () =>
      Effect.gen(function* () {
        const key = yield* newKey()
        const { id } = yield* create(key, { filters: { team_ids: ["mine"] } })
        yield* manage(key, "POST", `/${id}/pause`)
        const now = yield* Clock.currentTimeMillis
        const since = isoOf(now - 1)
        const [one, other] = [newMatch(), newMatch()]
        const mine = { teamIds: ["mine"] }
        yield* write(eventOf(one, 1, mine), eventOf(one, 2, mine), eventOf(one, 3, mine), eventOf(other, 1, mine), eventOf(other, 2))
        assert.strictEqual(yield* pendingOf(key, id), 0)
        yield* manage(key, "POST", `/${id}/activate`)
        const resend = (body: unknown) =>
          Effect.map(manage(key, "POST", `/${id}/resend`, { body }), ({ text }) => JSON.parse(text).data.queued)
        assert.strictEqual(yield* resend({ match_id: one, epoch: 1, seq: 2 }), 1)
        assert.strictEqual(yield* resend({ match_id: one, epoch: 2, seq: 0 }), 0)
        assert.strictEqual(yield* resend({ since: isoOf(now + 60_000) }), 0)
        // The delivery of the third event is still pending.
        assert.strictEqual(yield* resend({ since }), 3)
        assert.strictEqual(yield* resend({ since: "2020-01-01" }), 0)
        const { data } = deliveriesOf(yield* manage(key, "GET", `/${id}/deliveries`))
        assert.sameMembers(
          data.map(({ match_id, seq }) => `${match_id} ${seq}`),
          [`${one} 1`, `${one} 2`, `${one} 3`, `${other} 1`],
        )
      }),
    )

    it.effect("belong to an account: others get 404 for all of their paths", () =>
      Effect.gen(function* () {
        const [key, stranger] = [yield* newKey(), yield* newKey()]
        const { id } = yield* create(key)
        yield* manage(key, "POST", `/${id}/test`)
        const [delivery] = deliveriesOf(yield* manage(key, "GET", `/${id}/deliveries`)).data
        const requests: ReadonlyArray<readonly [method: string, path: string, body?: unknown]> = [
          ["GET", ""],
          ["PATCH", "", { description: "taken" }],
          ["DELETE", ""],
          ["POST", "/pause"],
          ["POST", "/activate"],
          ["POST", "/rotate-secret", {}],
          ["POST", "/test"],
          ["POST", "/resend", { since: "2026-01-01" }],
          ["GET", "/deliveries"],
          ["GET", `/deliveries/${delivery?.id}`],
          ["POST", `/deliveries/${delivery?.id}/resend`],
        ]
        const before = yield* manage(key, "GET", `/${id}`)
        for (const [method, path, body] of requests) {
          const answer = yield* manage(stranger, method, `/${id}${path}`, body === undefined ? {} : { body })
          assertError(answer, "NOT_FOUND", `${method} ${path}`)
        }
        assert.deepStrictEqual(webhooksOf(yield* manage(stranger, "GET", "")).data, [])
        assert.strictEqual((yield* manage(key, "GET", `/${id}`)).text, before.text)
        // A delivery is found only below its own webhook.
        const { id: second } = yield* create(key)
        assertError(yield* manage(key, "GET", `/${second}/deliveries/${delivery?.id}`), "NOT_FOUND")
      }),
    )

    it.effect("are paused if the plan no longer includes them, and resumed if it does again", () =>
      Effect.gen(function* () {
        const accounts = yield* Accounts
        const keys = yield* KeyRegister
        const { accountId } = yield* accounts.create("moving", termsOf("pro"))
        // The gateway caches the plan of a key for a moment, so each plan has a key of its own.
        const ownKey = Effect.map(keys.create(accountId, "test"), ({ secret }) => Redacted.value(secret))
        const first = yield* ownKey
        const [running, paused] = [yield* create(first), yield* create(first)]
        yield* manage(first, "POST", `/${paused.id}/pause`)
        yield* accounts.update(accountId, "moving", termsOf("starter"))
        yield* write(eventOf(newMatch(), 1))
        const downgraded = yield* ownKey
        assertError(yield* manage(downgraded, "POST", `/${running.id}/activate`), "PLAN_REQUIRED")
        const seen = webhookOf(yield* manage(downgraded, "GET", `/${running.id}`)).data
        assert.deepInclude(seen, { status: "paused", status_reason: "plan" })
        yield* accounts.update(accountId, "moving", termsOf("business"))
        const { data } = webhooksOf(yield* manage(yield* ownKey, "GET", ""))
        const shown = data.map(({ id, pending, status_reason }) => [id, status_reason, pending])
        assert.sameDeepMembers(shown, [
          [paused.id, "customer", 0],
          [running.id, null, 0],
        ])
      }),
    )
  }),
)
