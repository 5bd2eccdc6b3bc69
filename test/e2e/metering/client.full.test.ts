/**
 * Tests the client library as a customer of the real gateway: the limits of plan, quota and key, and the errors it
 * reports. Uses the test's clock.
 */
import { assert, it } from "@effect/vitest"
import { type LiveError, type LiveNotice, type LiveOptions, Matchpoint } from "@matchpoint/client/effect"
import { eventually } from "@matchpoint/testing/realTime"
import { Effect, Fiber, Redacted, Stream } from "effect"
import { id, playing } from "../../fixtures/metering/meteredMatch.ts"
import { Metered, onEmbedded, type TestCustomer } from "../../fixtures/metering/meteredStack.ts"

const clientOf = Effect.fnUntraced(function* ({ secret }: TestCustomer) {
  const { url } = yield* Metered
  return yield* Matchpoint.pipe(Effect.provide(Matchpoint.layer({ baseUrl: url, apiKey: Redacted.make(secret), timeoutMs: 60_000 })))
})

interface Following {
  readonly seqs: Array<number>
  readonly notices: Array<LiveNotice>
  readonly ended: Effect.Effect<LiveError>
}

/** Follows a match until the stream fails. Collects the seqs and notices. */
const follow = Effect.fnUntraced(function* (customer: TestCustomer, options: LiveOptions = {}) {
  const { live } = yield* clientOf(customer)
  const seqs: Array<number> = []
  const notices: Array<LiveNotice> = []
  const fiber = yield* live.match(id, { ...options, onNotice: (notice) => notices.push(notice) }).pipe(
    Stream.runForEach(({ seq }) => Effect.sync(() => seqs.push(seq))),
    Effect.flip,
    Effect.forkScoped,
  )
  const following: Following = { seqs, notices, ended: Effect.orDie(Fiber.join(fiber)) }
  return following
})

const isLive = ({ notices }: Following) => eventually(Effect.sync(() => notices.some(({ type }) => type === "live")))

const transports = ["websocket", "sse"] as const

/** Time limit in milliseconds. Each test starts a database, and a busy machine needs time. */
const PATIENCE_MS = 90_000

it.effect(
  "uses server-sent events if the plan has no WebSockets, and reports the refusal if a WebSocket is requested",
  () =>
    Effect.gen(function* () {
      yield* playing
      const metered = yield* Metered
      const customer = yield* metered.customer("pro")
      const following = yield* follow(customer)
      yield* isLive(following)
      assert.isNotEmpty(following.seqs)
      assert.deepInclude(following.notices[0], { type: "stale", retryInMs: 0 })
      const refused = yield* follow(customer, { transport: "websocket" })
      assert.deepInclude(yield* refused.ended, { reason: "PlanRequired", code: "PLAN_REQUIRED" })
      // Neither the refused handshakes nor the requests after them are charged.
      const { requests, streamTicks } = yield* metered.bill(customer)
      assert.deepStrictEqual([requests, streamTicks], [0, 1])
    }).pipe(Effect.scoped, Effect.provide(onEmbedded)),
  PATIENCE_MS,
)

it.effect(
  "ends a stream when the monthly quota is used up, and refuses the next one",
  () =>
    Effect.gen(function* () {
      yield* playing
      const metered = yield* Metered
      for (const transport of transports) {
        const customer = yield* metered.customer("scale", { requestsPerMonth: 2 })
        const following = yield* follow(customer, { transport })
        yield* isLive(following)
        yield* metered.pass(31)
        assert.deepInclude(yield* following.ended, { reason: "LimitExceeded", code: "RATE_LIMIT_EXCEEDED" }, transport)
        const again = yield* follow(customer, { transport })
        const error = yield* again.ended
        assert.deepInclude(error, { reason: "LimitExceeded", code: "RATE_LIMIT_EXCEEDED" }, transport)
        assert.isAbove(error.retryAfterMs ?? 0, 0, transport)
      }
    }).pipe(Effect.scoped, Effect.provide(onEmbedded)),
  PATIENCE_MS,
)

it.effect(
  "ends a stream when its key is revoked, and reconnects over an allowed transport when the plan changes",
  () =>
    Effect.gen(function* () {
      yield* playing
      const metered = yield* Metered
      for (const transport of transports) {
        const customer = yield* metered.customer("scale")
        const following = yield* follow(customer, { transport })
        yield* isLive(following)
        yield* metered.revoke(customer)
        yield* metered.pass(5)
        assert.deepInclude(yield* following.ended, { reason: "Unauthorized" }, transport)
      }
      const customer = yield* metered.customer("scale")
      const following = yield* follow(customer)
      yield* isLive(following)
      const before = following.seqs.length
      yield* metered.change(customer, "pro")
      yield* metered.passUntil(() => following.notices.filter(({ type }) => type === "live").length === 2)
      const plans = following.notices.flatMap((notice) => (notice.type === "connected" ? [notice.plan] : []))
      assert.deepStrictEqual(plans, ["scale", "pro"])
      assert.strictEqual(following.seqs.length, before, "it resumed after the last frame")
      assert.isTrue(following.notices.some((notice) => notice.type === "resumed" && notice.verdict === "recovered"))
    }).pipe(Effect.scoped, Effect.provide(onEmbedded)),
  PATIENCE_MS,
)

it.effect(
  "reports a used-up quota as a typed error without waiting for the next month, and charges nothing for account requests",
  () =>
    Effect.gen(function* () {
      yield* playing
      const metered = yield* Metered
      const customer = yield* metered.customer("scale", { requestsPerMonth: 1 })
      const { rest } = yield* clientOf(customer)
      yield* rest["cs2-live"].list({ query: {} })
      const error = yield* Effect.flip(rest["cs2-live"].list({ query: {} }))
      assert.isTrue("error" in error && error.error.code === "RATE_LIMIT_EXCEEDED" && error.error.details.limit === "requests_per_month")
      const { data } = yield* rest.account.plans()
      assert.lengthOf(data, 6)
      assert.strictEqual((yield* metered.bill(customer)).requests, 1)
    }).pipe(Effect.scoped, Effect.provide(onEmbedded)),
  PATIENCE_MS,
)
