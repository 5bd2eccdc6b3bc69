import { assert, describe, it } from "@effect/vitest"
import { HttpServerResponse } from "effect/http"
import { type CacheableResponse, ResponseCache } from "../../../src/http/responses/ResponseCache.ts"

const answer = (bytes: number): CacheableResponse => ({ response: HttpServerResponse.text("x"), etag: `"${bytes}"`, bytes })

describe("ResponseCache", () => {
  it("returns a response until it expires, then forgets it", () => {
    const cache = new ResponseCache(1_000_000, 10_000)
    cache.put("a", answer(5), 100)
    assert.strictEqual(cache.get("a", 10_099)?.etag, '"5"')
    assert.isUndefined(cache.get("b", 10_099))
    assert.isUndefined(cache.get("a", 10_100))
    assert.strictEqual(cache.bytes, 0)
  })

  it("stays within its bytes and keeps the most recently used responses", () => {
    const cache = new ResponseCache(100_000, 10_000)
    for (let n = 0; n < 100; n++) {
      cache.put(`${n}`, answer(2_000), n)
      assert.isAtMost(cache.bytes, 100_000)
      cache.get("0", n)
    }
    assert.isDefined(cache.get("0", 100))
    assert.isDefined(cache.get("99", 100))
    assert.isUndefined(cache.get("1", 100))
  })

  it("counts a response once, however often it is stored, and rejects one that would displace too many", () => {
    const cache = new ResponseCache(100_000, 10_000)
    cache.put("a", answer(2_000), 0)
    const once = cache.bytes
    cache.put("a", answer(2_000), 5_000)
    assert.strictEqual(cache.bytes, once)
    assert.isDefined(cache.get("a", 14_000))
    cache.put("large", answer(50_000), 0)
    assert.isUndefined(cache.get("large", 0))
  })

  it("counts a response twice, because its gzip and brotli forms take up to half its size each", () => {
    const cache = new ResponseCache(100_000, 10_000)
    cache.put("a", answer(1_000), 0)
    const before = cache.bytes
    cache.put("b", answer(1_500), 0)
    assert.strictEqual(cache.bytes - 2 * before, 1_000)
  })

  it("stores nothing if the reuse time is 0", () => {
    const cache = new ResponseCache(100_000, 0)
    cache.put("a", answer(5), 100)
    assert.isUndefined(cache.get("a", 100))
  })
})
