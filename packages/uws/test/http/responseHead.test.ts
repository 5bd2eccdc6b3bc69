import { assert, describe, it } from "@effect/vitest"
import { headerBlock } from "../../src/http/responseHead.ts"

describe("headerBlock", () => {
  it("refuses a value that forges a line, also of a header whose plain value it has just seen", () => {
    const good = { "x-one": "1", "x-two": "plain" }
    const forged = { "x-one": "1", "x-two": "plain\r\nset-cookie: a=b" }
    for (const _ of [1, 2]) {
      assert.deepStrictEqual(headerBlock(good, false), { name: "x-one", value: "1\r\nx-two: plain" })
      assert.instanceOf(headerBlock(forged, false), TypeError)
    }
    assert.instanceOf(headerBlock({ "x-two\r\n": "plain" }, false), TypeError)
  })

  it("refuses it also of a header that is different every time, and goes on to send what is plain", () => {
    for (let n = 0; n < 100; n++) {
      assert.deepStrictEqual(headerBlock({ "x-count": `${n}` }, false), { name: "x-count", value: `${n}` })
      assert.instanceOf(headerBlock({ "x-count": `${n}\r\nx: y` }, false), TypeError)
    }
    for (const _ of [1, 2]) assert.deepStrictEqual(headerBlock({ "x-count": "0" }, false), { name: "x-count", value: "0" })
  })

  it("sends Latin-1 as bytes, again and again, and what is beyond not at all", () => {
    const bytes = Buffer.from("caf\u00e9", "latin1")
    for (const _ of [1, 2]) assert.deepStrictEqual(headerBlock({ "x-place": "caf\u00e9" }, false), { name: "x-place", value: bytes })
    assert.instanceOf(headerBlock({ "x-place": "\u20ac" }, false), TypeError)
  })

  it("leaves out what the native library writes", () => {
    const headers = { date: "today", "x-one": "1", "content-length": "3" }
    assert.deepStrictEqual(headerBlock(headers, false), { name: "x-one", value: "1" })
    assert.deepStrictEqual(headerBlock(headers, true), { name: "x-one", value: "1\r\ncontent-length: 3" })
  })
})
