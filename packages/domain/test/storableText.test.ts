/** Which text can be stored, and where a value contains text that cannot. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { allTextStorable, isStorable, StorableText, unstorableTextIn } from "../src/storableText.ts"

describe("isStorable", () => {
  it.each(["", "North", "Ünï", "日本", "🦊", "\u0001\u001f\u007f", "\uFFFD\uFFFE\uFFFF", "a\u0301"])("accepts %j", (text) => {
    assert.isTrue(isStorable(text))
    assert.isTrue(Schema.is(StorableText)(text))
  })

  it.each(["\0", "Nor\0th", "\ud800", "\udc00", "a\ud83e", "\udd8a\ud83e", "\ud83e\ud83e\udd8a"])("rejects %j", (text) => {
    assert.isFalse(isStorable(text))
    assert.isFalse(Schema.is(StorableText)(text))
  })
})

describe("unstorableTextIn", () => {
  it("returns the path of the first text that cannot be stored", () => {
    assert.isUndefined(unstorableTextIn({ a: ["x", 1, null, true, { b: "🦊" }], c: undefined }))
    assert.deepInclude(unstorableTextIn({ a: ["x", { b: "y\0" }], c: "\0" }), { path: ["a", 1, "b"] })
    assert.deepInclude(unstorableTextIn("\ud800"), { path: [] })
    assert.deepInclude(unstorableTextIn({ a: { "k\0": 1 } }), { path: ["a", "k\0"] })
  })

  it("reads values of any depth", () => {
    let deep: unknown = "\0"
    for (let level = 0; level < 200_000; level++) deep = [deep]
    assert.lengthOf(unstorableTextIn(deep)?.path ?? [], 200_000)
  })

  it("fails a schema with the path", () => {
    const decoded = Schema.decodeUnknownResult(Schema.Struct({ payload: Schema.Json.check(allTextStorable) }))({ payload: { n: ["\0"] } })
    assert.include(String(Result.isFailure(decoded) ? decoded.failure : ""), '["payload"]["n"][0]')
  })
})
