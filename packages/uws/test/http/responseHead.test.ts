import { assert, describe, it } from "@effect/vitest"
import { headerBlock, headerLines } from "../../src/http/responseHead.ts"

const blockOf = (headers: Readonly<Record<string, string>>, withLength = false) => {
  const lines = headerLines(headers, withLength)
  return lines instanceof TypeError ? lines : headerBlock(lines)
}

describe("the head of a response", () => {
  it("rejects a value that forges a line, even of a header whose plain value was just sent", () => {
    const good = { "x-one": "1", "x-two": "plain" }
    const forged = { "x-one": "1", "x-two": "plain\r\nset-cookie: a=b" }
    for (const _ of [1, 2]) {
      assert.deepStrictEqual(blockOf(good), { name: "x-one", value: "1\r\nx-two: plain" })
      assert.instanceOf(blockOf(forged), TypeError)
    }
    assert.instanceOf(blockOf({ "x-two\r\n": "plain" }), TypeError)
  })

  it("rejects it in a header whose name is different every time, and still sends plain values", () => {
    for (let n = 0; n < 100; n++) {
      assert.deepStrictEqual(blockOf({ "x-count": `${n}` }), { name: "x-count", value: `${n}` })
      assert.instanceOf(blockOf({ "x-count": `${n}\r\nx: y` }), TypeError)
    }
    for (const _ of [1, 2]) assert.deepStrictEqual(blockOf({ "x-count": "0" }), { name: "x-count", value: "0" })
  })

  it("sends Latin-1 as bytes, repeatedly, and rejects other characters", () => {
    const bytes = Buffer.from("caf\u00e9", "latin1")
    for (const _ of [1, 2]) assert.deepStrictEqual(blockOf({ "x-place": "caf\u00e9" }), { name: "x-place", value: bytes })
    assert.instanceOf(blockOf({ "x-place": "\u20ac" }), TypeError)
  })

  it("omits headers that the native library writes", () => {
    const headers = { date: "today", "x-one": "1", "content-length": "3" }
    assert.deepStrictEqual(blockOf(headers), { name: "x-one", value: "1" })
    assert.deepStrictEqual(blockOf(headers, true), { name: "x-one", value: "1\r\ncontent-length: 3" })
  })
})
