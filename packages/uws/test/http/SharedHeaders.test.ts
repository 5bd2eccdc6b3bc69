import { assert, describe, it } from "@effect/vitest"
import { blockOf, headerLines } from "../../src/http/responseHead.ts"
import { SharedHeaders } from "../../src/http/SharedHeaders.ts"

describe("SharedHeaders", () => {
  it("writes the same lines as a single record of all headers, whichever response came before", () => {
    const records = [{ etag: '"1"', "x-place": "Oslo" }, { vary: "accept" }, { "x-place": "h\xe9" }, {}]
    const owns: ReadonlyArray<Readonly<Record<string, string>>> = [
      {},
      { "x-request-id": "a-1" },
      { "x-request-id": "a-2", ratelimit: '"second";r=3;t=1' },
      { "x-one": "h\xe9" },
      { "content-length": "3", date: "never", "x-one": "1" },
      { "x-long": "a".repeat(20_000) },
    ]
    for (const all of records) {
      const shared = new SharedHeaders(all)
      for (const own of [...owns, ...owns]) assert.deepStrictEqual(shared.block(own), blockOf(headerLines({ ...all, ...own }, false)))
    }
  })

  it("lets a header of one response replace the shared one, for that response only", () => {
    const shared = new SharedHeaders({ etag: '"1"', vary: "accept" })
    assert.deepStrictEqual(shared.block({ etag: '"2"' }), { name: "etag", value: '"2"\r\nvary: accept' })
    assert.deepStrictEqual(shared.block({}), { name: "etag", value: '"1"\r\nvary: accept' })
  })

  it("rejects an own value that forges a line", () => {
    const shared = new SharedHeaders({ etag: '"1"' })
    for (const own of [{ "x-user": "1\r\nx-forged: yes" }, { "x\r\n": "1" }, { "x-user": "\u20ac" }, { "x-user": "\0" }]) {
      for (const _ of [1, 2]) assert.instanceOf(shared.block(own), TypeError)
    }
  })
})
