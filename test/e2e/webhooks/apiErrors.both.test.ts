/**
 * Requests to the management of webhooks that are rejected. Each response has an error code and advice, and reveals
 * nothing internal.
 */
import { assert, it } from "@effect/vitest"
import { webhookLimits } from "@matchpoint/contracts/http/webhooks/webhookModels"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect } from "effect"
import {
  assertError,
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

const ids = (count: number) => Array.from({ length: count }, (_, at) => `id-${at}`)

/** Changes to a valid request to create or change a webhook, and the part that `details` must name. */
const rejected: ReadonlyArray<readonly [title: string, change: Readonly<Record<string, unknown>>, part: string]> = [
  ["an unknown event", { events: ["match.updated", "match.exploded"] }, "events"],
  ["the event of tests", { events: ["webhook.test"] }, "events"],
  ["the name of a property", { events: ["__proto__"] }, "events"],
  ["no events", { events: [] }, "events"],
  ["too many events", { events: ids(webhookLimits.events + 1) }, "events"],
  ["an event twice", { events: ["match.updated", "match.updated"] }, "events"],
  ["events that are no list", { events: "match.updated" }, "events"],
  ["a number as URL", { url: 7 }, "url"],
  ["an empty URL", { url: "" }, "url"],
  ["a URL that is too long", { url: `https://receiver.test/${"a".repeat(2_048)}` }, "url"],
  ["a URL without a scheme", { url: "receiver.test/hooks" }, "url"],
  ["plain http", { url: "http://receiver.test/" }, "url"],
  ["a name that does not exist", { url: "https://unknown.test/" }, "url"],
  ["an unknown field", { secret: "chosen by me" }, "secret"],
  ["an unknown filter", { filters: { match_id: ["cs2-match-1"] } }, "match_id"],
  ["an unknown game", { filters: { games: ["chess"] } }, "games"],
  ["filters that are no lists", { filters: { team_ids: "cs2-team-1" } }, "team_ids"],
  ["filters that are too long", { filters: { player_ids: ids(webhookLimits.filter + 1) } }, "player_ids"],
  ["a filter with an empty id", { filters: { match_ids: [""] } }, "match_ids"],
  ["a description that is too long", { description: "d".repeat(501) }, "description"],
  ["a description with a NUL", { description: "a\u0000b" }, "description"],
  ["a description with half a character", { description: "a\ud800b" }, "description"],
  ["a rate of 0", { max_per_second: 0 }, "max_per_second"],
  ["a rate of 1.5", { max_per_second: 1.5 }, "max_per_second"],
  ["a rate above 1,000", { max_per_second: 1_001 }, "max_per_second"],
  ["a rate as text", { max_per_second: "5" }, "max_per_second"],
]

onDatabaseOfRun((database, layer) =>
  it.layer(webhookStack(layer, senderOf(names)), { timeout: 60_000, excludeTestServices: true })(`webhooks on ${database}`, (it) => {
    const create = Effect.fnUntraced(function* (key: string) {
      return withSecretOf(yield* manage(key, "POST", "", { body: wanted })).data
    })

    it.effect.each(rejected)("reject %s", ([title, change, part]) =>
      Effect.gen(function* () {
        const key = yield* newKey()
        const { id, secret: _, ...created } = yield* create(key)
        for (const place of roots) {
          for (const [method, path, body] of [
            ["POST", "", { ...wanted, ...change }],
            ["PATCH", `/${id}`, change],
          ] as const) {
            const { details, message } = assertError(yield* manage(key, method, path, { body }, place), "VALIDATION_ERROR", title)
            assert.include(`${message} ${JSON.stringify(details)}`, part, title)
          }
        }
        assert.deepStrictEqual(webhooksOf(yield* manage(key, "GET", "")).data, [{ id, ...created }])
      }),
    )

    it.effect("list the known events if one is unknown", () =>
      Effect.gen(function* () {
        const answer = yield* manage(yield* newKey(), "POST", "", { body: { ...wanted, events: ["x"] } })
        const { details } = assertError(answer, "VALIDATION_ERROR")
        const { known } = details as { readonly known: ReadonlyArray<string> }
        assert.includeMembers([...known], ["match.started", "match.ended", "cs2.score.updated"])
        assert.notInclude(known, "webhook.test")
      }),
    )

    it.effect("reject bodies that are missing, no JSON, no object, of another type, or too large", () =>
      Effect.gen(function* () {
        const key = yield* newKey()
        for (const text of ["", "{", "null", "[]", "7", '"text"', JSON.stringify(wanted).slice(0, -1), "\u0000", "[".repeat(5_000)]) {
          assertError(yield* manage(key, "POST", "", { text }), "VALIDATION_ERROR", text.slice(0, 40))
        }
        for (const type of ["text/plain", "application/xml", "application/x-www-form-urlencoded"]) {
          const answer = yield* manage(key, "POST", "", { body: wanted, headers: { "content-type": type } })
          assert.include(assertError(answer, "VALIDATION_ERROR", type).message, "application/json")
        }
        for (const size of [65_537, 1_000_000]) {
          const { message } = assertError(yield* manage(key, "POST", "", { text: " ".repeat(size) }), "PAYLOAD_TOO_LARGE")
          assert.include(message, "65536 bytes")
        }
        assert.deepStrictEqual(webhooksOf(yield* manage(key, "GET", "")).data, [])
      }),
    )

    it.effect("answer 401 without a valid key, and 403 to a plan without webhooks", () =>
      Effect.gen(function* () {
        const { id } = yield* create(yield* newKey())
        const free = yield* newKey("free")
        for (const place of roots) {
          for (const [method, path] of [
            ["POST", ""],
            ["PATCH", `/${id}`],
            ["POST", `/${id}/activate`],
            ["POST", `/${id}/test`],
          ] as const) {
            for (const key of [null, "mp_wrong"]) assertError(yield* manage(key, method, path, {}, place), "INVALID_API_KEY")
            const { details, message } = assertError(yield* manage(free, method, path, {}, place), "PLAN_REQUIRED", path)
            assert.deepInclude(details, { feature: "webhooks", plan: "free" })
            assert.include(message, "pro")
          }
        }
      }),
    )

    it.effect("answer 404 or 400 to any other id, and never 5xx", () =>
      Effect.gen(function* () {
        const key = yield* newKey()
        const { id } = yield* create(key)
        const others = [
          "0",
          "00000000-0000-4000-8000-000000000000",
          "'%20OR%201=1--",
          "%00",
          "%F0%9F%98%80",
          "%ED%A0%80",
          "9".repeat(400),
          "__proto__",
        ]
        for (const other of others) {
          for (const [method, path] of [
            ["GET", `/${other}`],
            ["DELETE", `/${other}`],
            ["POST", `/${other}/activate`],
            ["GET", `/${other}/deliveries`],
            ["GET", `/${id}/deliveries/${other}`],
            ["POST", `/${id}/deliveries/${other}/resend`],
          ] as const) {
            const answer = yield* manage(key, method, path)
            assertError(answer, answer.status === 400 ? "VALIDATION_ERROR" : "NOT_FOUND", `${method} ${path}`)
          }
        }
        assert.strictEqual(webhookOf(yield* manage(key, "GET", `/${id}`)).data.status, "active")
      }),
    )

    it.effect("reject invalid positions, times, grace periods and pages", () =>
      Effect.gen(function* () {
        const key = yield* newKey()
        const { id } = yield* create(key)
        const lane = "cs2-match-1"
        const resends = [
          {},
          { since: "yesterday" },
          { since: 7 },
          { match_id: lane, epoch: 1 },
          { match_id: lane, epoch: -1, seq: 0 },
          { match_id: lane, epoch: 1, seq: 1.5 },
          { match_id: "", epoch: 1, seq: 1 },
          { match_id: "a\u0000", epoch: 1, seq: 1 },
          { match_id: lane, epoch: 2 ** 31, seq: 1 },
          { match_id: lane, epoch: 1, seq: 2 ** 60 },
          { since: "2026-01-01", match_id: lane, epoch: 1, seq: 1 },
        ]
        for (const body of resends) {
          assertError(yield* manage(key, "POST", `/${id}/resend`, { body }), "VALIDATION_ERROR", JSON.stringify(body))
        }
        for (const grace of [-1, 1.5, 7 * 86_400 + 1, "60"]) {
          const answer = yield* manage(key, "POST", `/${id}/rotate-secret`, { body: { grace_seconds: grace } })
          assertError(answer, "VALIDATION_ERROR", String(grace))
        }
        for (const query of ["limit=0", "limit=-1", "limit=many", "page=0", "page=1.5", "page=99999999999999999999"]) {
          assertError(yield* manage(key, "GET", `?${query}`), "VALIDATION_ERROR", query)
          assertError(yield* manage(key, "GET", `/${id}/deliveries?${query}`), "VALIDATION_ERROR", query)
        }
      }),
    )

    it.effect("are limited to 50 per account, also if they are created at once", () =>
      Effect.gen(function* () {
        const key = yield* newKey()
        const answers = yield* Effect.forEach(Array.from({ length: 53 }), () => manage(key, "POST", "", { body: wanted }), {
          concurrency: 16,
        })
        const refused = answers.filter(({ status }) => status !== 200)
        assert.lengthOf(refused, 3)
        for (const answer of refused) assert.include(assertError(answer, "CONFLICT").message, "at most 50 webhooks; delete one")
        const { data, meta } = webhooksOf(yield* manage(key, "GET", ""))
        assert.strictEqual(meta.total, 50)
        yield* manage(key, "DELETE", `/${data[0]?.id}`)
        yield* create(key)
      }),
    )
  }),
)
