import { assert, describe, it } from "@effect/vitest"
import { AccountId, ApiKeyId, type Customer, termsOf } from "@matchpoint/domain/accounts"
import type { Plan } from "@matchpoint/domain/plans"
import { LedgerClock } from "@matchpoint/metering/LedgerClock"
import { LimitHeaders, rateLimit } from "../../src/keys/limitHeaders.ts"

const november = Date.UTC(2026, 10, 29, 23, 59, 59)
const december = Date.UTC(2026, 11, 1)

const customerOf = (plan: Plan, requestsPerMonth: number, requestsPerSecond: number): Customer => ({
  accountId: AccountId.make("00000000-0000-4000-8000-00000000000a"),
  keyId: ApiKeyId.make("00000000-0000-4000-8000-00000000000b"),
  ...termsOf(plan, { requestsPerMonth, requestsPerSecond }),
})

/** A ledger clock whose moments equal the ledger's time. */
const clockOfLedger = () => {
  const clock = new LedgerClock(() => 0)
  clock.set(0, 0)
  return clock
}

/** Returns the headers of the last of several responses, sent at these times. */
const written = (customer: Customer, left: readonly [second: number, month: number], ...moments: ReadonlyArray<number>) => {
  const limits = new LimitHeaders(clockOfLedger())
  const headers = { "ratelimit-policy": "", ratelimit: "" }
  for (const moment of moments) {
    const texts = limits.texts(customer, moment)
    headers["ratelimit-policy"] = texts.policy
    headers.ratelimit = rateLimit(...left, texts)
  }
  return headers
}

describe("LimitHeaders", () => {
  it("contain the limit and the remaining requests of both policies", () => {
    assert.deepStrictEqual(written(customerOf("starter", 10_000, 5), [4, 9_321], november), {
      "ratelimit-policy": '"second";q=5;w=1, "month";q=10000;w=2592000',
      ratelimit: '"second";r=4;t=1, "month";r=9321;t=86401',
    })
  })

  it("use the length of the current month", () => {
    assert.include(written(customerOf("starter", 10_000, 5), [4, 9_321], november, december)["ratelimit-policy"], "w=2678400")
  })

  it("contain each customer's own terms, even if customers alternate within a second", () => {
    const limits = new LimitHeaders(clockOfLedger())
    const starter = limits.texts(customerOf("starter", 10_000, 5), november)
    assert.include(limits.texts(customerOf("pro", 250_000, 25), november).policy, "q=25;")
    assert.strictEqual(limits.texts(customerOf("starter", 10_000, 5), november + 500), starter)
    assert.strictEqual(starter.goodUntil, november + 1_000)
  })

  it("are built for each request until the ledger has reported its time", () => {
    const clock = new LedgerClock(() => 5_000)
    const limits = new LimitHeaders(clock)
    const customer = customerOf("pro", 250_000, 25)
    assert.strictEqual(limits.texts(customer, 5_000).goodUntil, 5_000)
    clock.set(november, 5_000)
    const texts = limits.texts(customer, 5_000)
    assert.deepStrictEqual([texts.day, texts.goodUntil], ["2026-11-29", 6_000])
  })

  it("are structured fields: lists of strings with positive integer parameters", () => {
    const item = /^"(second|month)"(;[a-z]+=\d{1,15})+$/
    for (const value of Object.values(written(customerOf("enterprise", 500_000_000, 2_000), [2_000, 499_999_999], november))) {
      for (const one of value.split(", ")) assert.match(one, item)
    }
  })
})
