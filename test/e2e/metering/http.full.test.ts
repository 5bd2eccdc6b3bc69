/**
 * Tests limits, charges and errors of the HTTP API for customers: two gateways on one database, real sockets, real
 * time.
 */
import { assert, it } from "@effect/vitest"
import { StreamSession, Usage } from "@matchpoint/contracts/http/account/AccountApi"
import { Paging } from "@matchpoint/contracts/http/envelope"
import { termsOf } from "@matchpoint/domain/accounts"
import { planTerms } from "@matchpoint/domain/plans"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { embeddedMemory, temporaryDatabase } from "@matchpoint/testing/databases"
import { Clock, Effect, Layer, Schedule, Schema } from "effect"
import { inject } from "vitest"
import { type Answer, ask, TwoGateways } from "../../fixtures/twoGateways.ts"

const databaseUrl = inject("databaseUrl")
if (databaseUrl === null) it.skip("on PostgreSQL: set DATABASE_URL to a database whose user may create databases", () => undefined)

const databases = {
  PGlite: embeddedMemory,
  ...(databaseUrl === null
    ? {}
    : { PostgreSQL: Layer.unwrap(Effect.map(temporaryDatabase(databaseUrl), (url) => Postgres.layer({ url }))) }),
}

const ErrorBody = Schema.fromJsonString(
  Schema.Struct({
    success: Schema.Literal(false),
    error: Schema.Struct({
      code: Schema.String,
      message: Schema.String,
      details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Json)),
    }),
  }),
)
const errorOf = ({ text }: Answer) => Schema.decodeSync(ErrorBody)(text).error
const usageIn = ({ text }: Answer) => Schema.decodeSync(Schema.fromJsonString(Schema.Struct({ data: Usage })))(text).data

const Receipts = Schema.Struct({
  data: Schema.Array(StreamSession),
  meta: Schema.Struct({ ...Paging.fields, ticks: Schema.Natural }),
})
const receiptsIn = ({ text }: Answer) => Schema.decodeSync(Schema.fromJsonString(Receipts))(text)

/**
 * Parses a list of structured fields (RFC 9651) whose items are strings with integer parameters. Throws on anything
 * else.
 */
const listOf = (field: string): ReadonlyMap<string, Readonly<Record<string, number>>> =>
  new Map(
    field.split(/[ \t]*,[ \t]*/).map((item) => {
      const parts = /^"([\x20\x21\x23-\x5b\x5d-\x7e]*)"((?:; *[a-z*][a-z0-9_.*-]*=-?[0-9]{1,15})*)$/.exec(item)
      if (parts === null) throw new Error(`not an item of a structured list: ${item}`)
      const parameters = (parts[2] ?? "")
        .split(";")
        .slice(1)
        .map((text): readonly [string, number] => {
          const [key = "", value] = text.trim().split("=")
          return [key, Number(value)]
        })
      return [parts[1] ?? "", Object.fromEntries(parameters)]
    }),
  )

const sending = (secret: string, more: Record<string, string> = {}) => ({ "x-api-key": secret, ...more })

/** Opens a stream. Returns a function that closes it. */
const follow = (url: string, secret: string) =>
  Effect.promise(async () => {
    const controller = new AbortController()
    const { status } = await fetch(`${url}/cs2/live/stream`, { headers: sending(secret), signal: controller.signal })
    assert.strictEqual(status, 200)
    return () => controller.abort()
  })

/** Repeats a request until the response is as wanted. Returns the response and the time it took in milliseconds. */
const until = (wanted: (answer: Answer) => boolean, asking: Effect.Effect<Answer>) =>
  Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    const answer = yield* asking.pipe(
      Effect.filterOrFail(wanted, (last) => `still ${last.status} ${last.text.slice(0, 200)}`),
      Effect.retry(Schedule.spaced("50 millis")),
      Effect.timeout("20 seconds"),
    )
    return { answer, ms: (yield* Clock.currentTimeMillis) - began }
  })

/** Time within which a change must take effect on a gateway, in milliseconds, including the delay of a busy machine. */
const PROMPT_MS = 5_000

for (const [name, database] of Object.entries(databases)) {
  it.layer(TwoGateways.layer(database), { timeout: 120_000, excludeTestServices: true })(`HTTP metering on ${name}`, (it) => {
    it.effect("two gateways together serve a quota exactly and charge only for successful responses", () =>
      Effect.gen(function* () {
        const { customer, urls } = yield* TwoGateways
        const secret = yield* customer(termsOf("free", { requestsPerMonth: 40, requestsPerSecond: 10_000 }))
        const paths = [
          "/cs2/live",
          "/cs2/live",
          "/cs2/live/cs2-match-7/state",
          "/cs2/live",
          "/cs2/live/nonsense/state",
          "/usage",
          "/cs2/nothing",
        ]
        const answers = yield* Effect.forEach(
          Array.from({ length: 280 }, (_, n) => `${urls[n % 2]}${paths[n % paths.length]}`),
          (url) => Effect.map(ask(url, sending(secret)), (answer) => ({ ...answer, url })),
          { concurrency: 20 },
        )
        const lists = answers.filter(({ url }) => url.endsWith("/cs2/live"))
        assert.strictEqual(lists.filter(({ status }) => status === 200).length, 40)
        const refused = lists.filter(({ status }) => status !== 200)
        assert.strictEqual(refused.length, 80)
        for (const answer of refused) {
          assert.strictEqual(answer.status, 429)
          const { code, details } = errorOf(answer)
          assert.strictEqual(code, "RATE_LIMIT_EXCEEDED")
          assert.strictEqual(details?.["limit"], "requests_per_month")
          assert.strictEqual(answer.headers.get("retry-after"), String(details?.["retryAfterSeconds"]))
          assert.isAbove(Number(answer.headers.get("retry-after")), 0)
        }
        assert.isTrue(answers.filter(({ url }) => url.endsWith("/usage")).every(({ status }) => status === 200))
        for (const url of urls) yield* ask(`${url}/usage`, sending(secret))
        const usage = usageIn(yield* ask(`${urls[0]}/usage`, sending(secret)))
        assert.deepStrictEqual(
          [usage.requests, usage.streamTicks, usage.total, usage.quota, usage.remaining, usage.misplaced],
          [40, 0, 40, 40, 0, 0],
        )
        assert.strictEqual(
          usage.history.reduce((sum, day) => sum + day.total, 0),
          40,
        )
        assert.strictEqual(usage.limits.requestsPerSecond, 10_000)
        assert.strictEqual(usage.limits.historyDays, 30)
      }),
    )

    it.effect("charges nothing for 304, errors, /usage and /plans", () =>
      Effect.gen(function* () {
        const {
          customer,
          urls: [url],
        } = yield* TwoGateways
        const secret = yield* customer(termsOf("free", { requestsPerMonth: 3, requestsPerSecond: 10_000 }))
        const first = yield* ask(`${url}/cs2/live`, sending(secret))
        assert.strictEqual(first.status, 200)
        const etag = first.headers.get("etag") ?? ""
        for (let n = 0; n < 10; n++) {
          const same = yield* ask(`${url}/cs2/live`, sending(secret, { "if-none-match": etag }))
          assert.strictEqual(same.status, 304)
          assert.include(same.headers.get("ratelimit"), `"month";r=2;`)
          assert.strictEqual((yield* ask(`${url}/cs2/live/cs2-match-9/maps`, sending(secret))).status, 404)
          assert.strictEqual((yield* ask(`${url}/cs2/live?limit=x`, sending(secret))).status, 400)
          assert.strictEqual((yield* ask(`${url}/plans`, sending(secret))).status, 200)
        }
        const usage = usageIn(yield* ask(`${url}/usage`, sending(secret)))
        assert.deepStrictEqual([usage.requests, usage.remaining], [1, 2])
      }),
    )

    it.effect("distinguishes the three causes of 429, and the rate recovers by itself", () =>
      Effect.gen(function* () {
        const {
          customer,
          urls: [url],
        } = yield* TwoGateways
        const slow = yield* customer(termsOf("free", { requestsPerMonth: 10_000 }))
        const burst = yield* Effect.forEach(Array.from({ length: 12 }), () => ask(`${url}/cs2/live`, sending(slow)), { concurrency: 12 })
        const tooFast = burst.filter(({ status }) => status === 429)
        assert.isAtLeast(tooFast.length, 4)
        for (const answer of tooFast) {
          const { code, details } = errorOf(answer)
          assert.deepStrictEqual([code, details?.["limit"], details?.["allowed"]], ["RATE_LIMIT_EXCEEDED", "requests_per_second", 2])
          assert.isAtLeast(Number(answer.headers.get("retry-after")), 1)
          assert.match(answer.headers.get("ratelimit") ?? "", /"second";r=0;/)
        }
        yield* until(({ status }) => status === 200, ask(`${url}/cs2/live`, sending(slow)))

        const poor = yield* customer(termsOf("free", { requestsPerMonth: 1, requestsPerSecond: 1_000 }))
        yield* ask(`${url}/cs2/live`, sending(poor))
        const spent = errorOf(yield* ask(`${url}/cs2/live`, sending(poor)))
        assert.deepStrictEqual([spent.code, spent.details?.["limit"]], ["RATE_LIMIT_EXCEEDED", "requests_per_month"])

        const crowd = yield* customer(termsOf("free", { requestsPerSecond: 1_000 }))
        const open = yield* Effect.forEach(Array.from({ length: planTerms.free.connections }), () => follow(url, crowd))
        const full = yield* ask(`${url}/cs2/live/stream`, sending(crowd))
        assert.strictEqual(full.status, 429)
        const { code, details } = errorOf(full)
        assert.deepStrictEqual([code, details?.["limit"]], ["TOO_MANY_CONNECTIONS", "connections"])
        assert.isAtLeast(Number(full.headers.get("retry-after")), 1)
        for (const leave of open) leave()
      }),
    )

    it.effect("sends rate-limit headers in the draft's grammar that count down", () =>
      Effect.gen(function* () {
        const {
          customer,
          urls: [url],
        } = yield* TwoGateways
        const secret = yield* customer(termsOf("free", { requestsPerMonth: 100, requestsPerSecond: 50 }))
        const months: Array<number> = []
        for (let n = 0; n < 5; n++) {
          const { headers } = yield* ask(`${url}/cs2/live`, sending(secret))
          const policy = listOf(headers.get("ratelimit-policy") ?? "")
          const limit = listOf(headers.get("ratelimit") ?? "")
          assert.deepStrictEqual([...policy.keys()], ["second", "month"])
          assert.deepStrictEqual([...limit.keys()], ["second", "month"])
          assert.deepStrictEqual([policy.get("second")?.["q"], policy.get("second")?.["w"], policy.get("month")?.["q"]], [50, 1, 100])
          assert.isAtLeast(policy.get("month")?.["w"] ?? 0, 28 * 86_400)
          assert.isAtMost(limit.get("month")?.["t"] ?? Number.NaN, 31 * 86_400)
          months.push(limit.get("month")?.["r"] ?? Number.NaN)
        }
        assert.deepStrictEqual(months, [99, 98, 97, 96, 95])
      }),
    )

    it.effect("a plan for one game refuses other games, and an upgrade takes effect on both gateways within seconds", () =>
      Effect.gen(function* () {
        const { accounts, customer, urls } = yield* TwoGateways
        const secret = yield* customer(termsOf("starter", { game: "tennis", requestsPerSecond: 1_000 }))
        for (const url of urls) {
          const answer = yield* ask(`${url}/cs2/live`, sending(secret))
          assert.strictEqual(answer.status, 403)
          const { code, details } = errorOf(answer)
          assert.strictEqual(code, "GAME_NOT_INCLUDED")
          assert.deepInclude(details, { game: "cs2", chosen: "tennis", plan: "starter" })
        }
        const { accountId } = usageIn(yield* ask(`${urls[0]}/usage`, sending(secret)))
        yield* accounts.update(accountId, "grown", termsOf("pro", { requestsPerSecond: 1_000 }))
        for (const url of urls) {
          const { ms } = yield* until(({ status }) => status === 200, ask(`${url}/cs2/live`, sending(secret)))
          assert.isAtMost(ms, PROMPT_MS)
        }
        const usage = usageIn(yield* ask(`${urls[1]}/usage`, sending(secret)))
        assert.deepStrictEqual([usage.plan, usage.game, usage.quota], ["pro", null, planTerms.pro.requestsPerMonth])
      }),
    )

    it.effect("a larger quota reopens a used-up month, and a smaller one does not bill twice", () =>
      Effect.gen(function* () {
        const { accounts, customer, urls } = yield* TwoGateways
        const terms = (requestsPerMonth: number) => termsOf("free", { requestsPerMonth, requestsPerSecond: 1_000 })
        const secret = yield* customer(terms(2))
        const list = ask(`${urls[0]}/cs2/live`, sending(secret))
        assert.deepStrictEqual([(yield* list).status, (yield* list).status, (yield* list).status], [200, 200, 429])
        const { accountId } = usageIn(yield* ask(`${urls[0]}/usage`, sending(secret)))
        yield* accounts.update(accountId, "more", terms(5))
        yield* until(({ status }) => status === 200, list)
        yield* accounts.update(accountId, "less", terms(1))
        yield* until(({ status }) => status === 429, list)
        const usage = usageIn(yield* ask(`${urls[0]}/usage`, sending(secret)))
        assert.isAtLeast(usage.total, 3)
        assert.isAtMost(usage.total, 5)
        assert.deepStrictEqual([usage.quota, usage.remaining], [1, 0])
      }),
    )

    it.effect("both gateways refuse a revoked key within seconds", () =>
      Effect.gen(function* () {
        const { customer, keys, urls } = yield* TwoGateways
        const secret = yield* customer(termsOf("pro", { requestsPerSecond: 10_000 }))
        const other = yield* customer(termsOf("pro"))
        for (const url of urls) assert.strictEqual((yield* ask(`${url}/plans`, sending(secret))).status, 200)
        const { accountId } = usageIn(yield* ask(`${urls[0]}/usage`, sending(secret)))
        const [key] = yield* keys.ofAccount(accountId)
        if (key === undefined) return assert.fail("the account has no key")
        yield* keys.revoke(key.keyId)
        const gone = yield* Effect.forEach(urls, (url) => until(({ status }) => status === 401, ask(`${url}/plans`, sending(secret))), {
          concurrency: 2,
        })
        for (const { answer, ms } of gone) {
          assert.isAtMost(ms, PROMPT_MS)
          assert.strictEqual(errorOf(answer).code, "INVALID_API_KEY")
        }
        assert.strictEqual((yield* ask(`${urls[0]}/plans`, sending(other))).status, 200)
      }),
    )

    it.effect("receipts are visible to their customer only, page, and add up to the bill", () =>
      Effect.gen(function* () {
        const {
          customer,
          urls: [url],
        } = yield* TwoGateways
        const secret = yield* customer(termsOf("pro", { requestsPerSecond: 1_000 }))
        const otherSecret = yield* customer(termsOf("pro", { requestsPerSecond: 1_000 }))
        for (let n = 0; n < 5; n++) {
          const leave = yield* follow(url, secret)
          leave()
        }
        const page = yield* until(
          (answer) => receiptsIn(answer).data.length === 2 && receiptsIn(answer).data.every(({ closedAt }) => closedAt !== null),
          ask(`${url}/usage/sessions?limit=2&page=1`, sending(secret)),
        )
        const { data, meta } = receiptsIn(page.answer)
        assert.deepInclude(meta, { limit: 2, total: 5, page: 1, totalPages: 3, hasNext: true, hasPrev: false, ticks: 5 })
        assert.deepInclude(receiptsIn(yield* ask(`${url}/usage/sessions?limit=100000`, sending(secret))).meta, { limit: 200, total: 5 })
        const usage = usageIn(yield* ask(`${url}/usage`, sending(secret)))
        assert.deepStrictEqual([usage.streamTicks, usage.requests], [5, 0])
        const receipt = `${url}/usage/sessions/${data[0]?.sessionId}`
        assert.strictEqual((yield* ask(receipt, sending(secret))).status, 200)
        const refusedReceipt = yield* ask(receipt, sending(otherSecret))
        assert.deepStrictEqual([refusedReceipt.status, errorOf(refusedReceipt).code], [404, "NOT_FOUND"])
        assert.strictEqual(receiptsIn(yield* ask(`${url}/usage/sessions`, sending(otherSecret))).meta.total, 0)
        for (const odd of ["no-uuid", "%00", "'; DROP TABLE accounts; --"]) {
          assert.strictEqual((yield* ask(`${url}/usage/sessions/${encodeURIComponent(odd)}`, sending(secret))).status, 404)
        }
        for (const period of ["2026-13", "0000-01", "now"]) {
          assert.strictEqual((yield* ask(`${url}/usage?period=${period}`, sending(secret))).status, 400)
        }
        const past = usageIn(yield* ask(`${url}/usage?period=2020-02`, sending(secret)))
        assert.deepStrictEqual([past.period.period, past.total, past.period.endsAt], ["2020-02", 0, "2020-03-01T00:00:00.000Z"])
      }),
    )
  })
}
