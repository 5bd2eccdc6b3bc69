import { isStorable } from "@matchpoint/domain/storableText"
import { assert, describe, it } from "vitest"
import { excerptOf, retryAfterOf } from "../src/responseText.ts"

const excerpt = (text: string) => excerptOf(Buffer.from(text), undefined)

describe("excerptOf", () => {
  const cases: ReadonlyArray<readonly [title: string, body: string, expected: string]> = [
    ["empty text", "", ""],
    ["text", "ok", "ok"],
    ["letters of several bytes", "größe 日本 🎯", "größe 日本 🎯"],
    ["white space", " a\r\n\tb\u00a0\u2028c ", "a b c"],
    ["control characters", "a\0b\u0007c\u001b[31md\u007fe\u0085f", "abc[31mdef"],
    ["marks of the direction", "a\u202eb\u2066c\u200fd", "abcd"],
    ["only NULs", "\0\0\0", ""],
  ]
  it.each(cases)("cleans %s", (_title, body, expected) => {
    assert.strictEqual(excerpt(body), expected)
  })

  it("returns at most 1,024 characters, and cuts no character in half", () => {
    assert.strictEqual(excerpt("é".repeat(3_000)), "é".repeat(1_024))
    assert.strictEqual(excerpt(`a${"🎯".repeat(1_000)}`), `a${"🎯".repeat(511)}`)
    // The bytes end in the middle of the last character.
    assert.strictEqual(excerptOf(Buffer.from("ab🎯").subarray(0, 5), undefined), "ab")
  })

  it("returns storable text for any bytes", () => {
    for (let seed = 1; seed <= 50; seed++) {
      const bytes = Uint8Array.from({ length: 3_072 }, (_, index) => (index * index * seed + (index >> 3) * 31) & 0xff)
      const text = excerptOf(bytes, undefined)
      assert.isTrue(isStorable(text))
      assert.isAtMost(text.length, 1_024)
      assert.notMatch(text, /\p{Cc}/u)
    }
  })

  it("is empty for a compressed body", () => {
    assert.strictEqual(excerptOf(Buffer.from("abc"), "gzip"), "")
    assert.strictEqual(excerptOf(Buffer.from("abc"), " Identity "), "abc")
  })
})

describe("retryAfterOf", () => {
  const now = Date.UTC(2026, 0, 2, 3, 4, 5, 500)
  const cases: ReadonlyArray<readonly [header: string | undefined, seconds: number | undefined]> = [
    [undefined, undefined],
    ["", undefined],
    ["0", 0],
    ["120", 120],
    [" 120 ", 120],
    ["86400", 86_400],
    ["86401", 86_400],
    ["999999999999999", 86_400],
    ["9999999999999999999999", undefined],
    ["-1", undefined],
    ["1.5", undefined],
    ["1e3", undefined],
    ["0x10", undefined],
    ["Infinity", undefined],
    ["soon", undefined],
    ["10, 20", undefined],
    ["Fri, 02 Jan 2026 03:05:05 GMT", 60],
    ["Friday, 02-Jan-26 03:05:05 GMT", 60],
    ["Fri, 02 Jan 2026 03:04:06 GMT", 1],
    ["Fri, 02 Jan 2026 03:04:05 GMT", 0],
    ["Thu, 01 Jan 2015 00:00:00 GMT", 0],
    ["Fri, 01 Jan 2100 00:00:00 GMT", 86_400],
    ["Fri, 99 Foo 2026 03:05:05 GMT", undefined],
    ["2026-01-02T03:05:05Z", undefined],
    ["Fri Jan  2 03:05:05 2026", undefined],
  ]
  it.each(cases)("%j: %s", (header, seconds) => {
    assert.strictEqual(retryAfterOf(header, now), seconds)
  })
})
