import { assert, describe, it } from "@effect/vitest"
import { HttpServerResponse } from "effect/http"
import { AnswerShelf, type ShelvedAnswer } from "../../../src/http/responses/AnswerShelf.ts"

const answer = (bytes: number): ShelvedAnswer => ({ response: HttpServerResponse.text("x"), etag: `"${bytes}"`, bytes })

describe("AnswerShelf", () => {
  it("returns a response until it expires, then forgets it", () => {
    const shelf = new AnswerShelf(1_000_000, 10_000)
    shelf.put("a", answer(5), 100)
    assert.strictEqual(shelf.get("a", 10_099)?.etag, '"5"')
    assert.isUndefined(shelf.get("b", 10_099))
    assert.isUndefined(shelf.get("a", 10_100))
    assert.strictEqual(shelf.bytes, 0)
  })

  it("stays within its bytes and keeps the most recently used responses", () => {
    const shelf = new AnswerShelf(100_000, 10_000)
    for (let n = 0; n < 100; n++) {
      shelf.put(`${n}`, answer(2_000), n)
      assert.isAtMost(shelf.bytes, 100_000)
      shelf.get("0", n)
    }
    assert.isDefined(shelf.get("0", 100))
    assert.isDefined(shelf.get("99", 100))
    assert.isUndefined(shelf.get("1", 100))
  })

  it("counts a response once, however often it is stored, and rejects one that would displace too many", () => {
    const shelf = new AnswerShelf(100_000, 10_000)
    shelf.put("a", answer(2_000), 0)
    const once = shelf.bytes
    shelf.put("a", answer(2_000), 5_000)
    assert.strictEqual(shelf.bytes, once)
    assert.isDefined(shelf.get("a", 14_000))
    shelf.put("large", answer(50_000), 0)
    assert.isUndefined(shelf.get("large", 0))
  })

  it("counts a response twice, because its gzip and brotli forms take up to half its size each", () => {
    const shelf = new AnswerShelf(100_000, 10_000)
    shelf.put("a", answer(1_000), 0)
    const before = shelf.bytes
    shelf.put("b", answer(1_500), 0)
    assert.strictEqual(shelf.bytes - 2 * before, 1_000)
  })

  it("stores nothing if the reuse time is 0", () => {
    const shelf = new AnswerShelf(100_000, 0)
    shelf.put("a", answer(5), 100)
    assert.isUndefined(shelf.get("a", 100))
  })
})
