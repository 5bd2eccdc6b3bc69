import { assert, describe, it } from "@effect/vitest"
import { rateLimitHeaders } from "../src/rateLimitHeaders.ts"
import { customerOf } from "./fixtures.ts"

const month = { quota: 10_000, remaining: 9_321, resetSeconds: 86_401, periodSeconds: 30 * 86_400 }

describe("rateLimitHeaders", () => {
  it("names both policies and where they stand", () => {
    assert.deepStrictEqual(rateLimitHeaders(customerOf("starter", 10_000, 5), 4, month), {
      "ratelimit-policy": '"second";q=5;w=1, "month";q=10000;w=2592000',
      ratelimit: '"second";r=4;t=1, "month";r=9321;t=86401',
    })
  })

  it("follows the month and the terms", () => {
    const customer = customerOf("starter", 10_000, 5)
    rateLimitHeaders(customer, 4, month)
    const next = { ...month, periodSeconds: 31 * 86_400 }
    assert.include(rateLimitHeaders(customer, 4, next)["ratelimit-policy"], "w=2678400")
    assert.include(rateLimitHeaders({ ...customer, requestsPerSecond: 7 }, 4, next)["ratelimit-policy"], "q=7;w=1")
  })

  it("is a structured field: a list of strings with whole, positive parameters", () => {
    const item = /^"(second|month)"(;[a-z]+=\d{1,15})+$/
    for (const value of Object.values(rateLimitHeaders(customerOf("enterprise", 500_000_000, 2_000), 2_000, month))) {
      for (const one of value.split(", ")) assert.match(one, item)
    }
  })
})
