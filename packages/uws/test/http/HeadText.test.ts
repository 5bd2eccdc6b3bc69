import { assert, describe, it } from "@effect/vitest"
import * as HeadBytes from "../../src/http/HeadBytes.ts"
import { HeadPieces, HeadText } from "../../src/http/HeadText.ts"
import { headerLines } from "../../src/http/responseHead.ts"
import { SharedHeaders } from "../../src/http/SharedHeaders.ts"

const pieces = new HeadPieces(HeadText.of('"second";r='), 3, HeadText.of(";t="), -1.5e-7)

describe("HeadText", () => {
  it("is put together with numbers, and sent as it is", () => {
    assert.strictEqual(pieces.text, '"second";r=3;t=-1.5e-7')
    const lines = { first: "x-one", text: '1\r\nratelimit: "second";r=3;t=-1.5e-7', isPlain: true }
    assert.deepStrictEqual(headerLines({ "x-one": "1", ratelimit: pieces }, false), lines)
  })

  it("is never made of text that ends its line, or that is no ASCII", () => {
    for (const text of ["1\r\nx-forged: yes", "1\n", "\0", "h\xe9", "\u{10d}"]) assert.throws(() => HeadText.of(text), TypeError)
  })
})

describe("HeadBytes", () => {
  const numbers = [
    0,
    -0,
    1,
    9,
    10,
    99,
    100,
    12_345_678,
    2 ** 31 - 1,
    2 ** 31,
    2 ** 53,
    1e21,
    -1,
    -7.25,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ]

  it("writes numbers as JavaScript does", () => {
    for (const number of numbers) {
      assert.isTrue(HeadBytes.begin(new Uint8Array(0)))
      assert.isTrue(HeadBytes.write(new HeadPieces(number)))
      assert.strictEqual(Buffer.from(HeadBytes.written()).toString(), String(number))
    }
  })

  it("leaves to others what is not visible ASCII, and what is too long", () => {
    HeadBytes.begin(new Uint8Array(0))
    for (const text of ["1\r\nx-forged: yes", "\0", "\x7f", "h\xe9", "\u{10d}"]) assert.isFalse(HeadBytes.write(text))
    for (const value of ["a".repeat(20_000), HeadText.of("a".repeat(20_000))]) assert.isFalse(HeadBytes.write(value))
    assert.isFalse(HeadBytes.begin(new Uint8Array(20_000)))
    assert.strictEqual(HeadBytes.written().length, 0)
  })
})

describe("SharedHeaders", () => {
  const text = (shared: SharedHeaders, own: Record<string, string | HeadText | HeadPieces>) => {
    const now = shared.blockForNow(own)
    if (now === undefined || now instanceof TypeError) return now
    // Gone with the next one.
    const value = Buffer.from(now.value).toString("latin1")
    return { name: now.name, value }
  }

  it("are the same bytes as they are text, whatever stands behind them, one after the other", () => {
    const some = new SharedHeaders({ etag: '"1"', "x-place": "Oslo" })
    const others = new SharedHeaders({ vary: "accept" })
    const foreign = new SharedHeaders({ "x-place": "h\xe9" })
    const none = new SharedHeaders({})
    const owns = [
      {},
      { "x-request-id": "a-1" },
      { "x-request-id": "a-2", ratelimit: pieces, "ratelimit-policy": HeadText.of("q=1") },
      { etag: '"2"', ratelimit: pieces },
      { "x-place": "h\xe9" },
      { "content-length": "3", date: "never", "x-one": "1" },
      { "x-long": "a".repeat(20_000) },
    ]
    for (const shared of [some, others, foreign, none]) {
      for (const own of [...owns, ...owns]) {
        const block = shared.block(own)
        const now = text(shared, own)
        if (block === undefined || block instanceof TypeError) assert.strictEqual(now, block)
        else assert.deepStrictEqual(now, { name: block.name, value: Buffer.from(block.value).toString("latin1") })
      }
    }
  })

  it("refuse an own value that forges a line", () => {
    const shared = new SharedHeaders({ etag: '"1"' })
    for (const own of [{ "x-user": "1\r\nx-forged: yes" }, { "x\r\n": "1" }, { "x-user": "\u20ac" }]) {
      for (const _ of [1, 2]) assert.instanceOf(shared.blockForNow(own), TypeError)
    }
  })
})
