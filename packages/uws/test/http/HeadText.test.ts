import { assert, describe, it } from "@effect/vitest"
import { HeadText } from "../../src/http/HeadText.ts"
import { headerLines } from "../../src/http/responseHead.ts"

describe("HeadText", () => {
  it("is put together from checked text and numbers, and sent as it is", () => {
    const text = HeadText.of('"second";r=').and(3).and(HeadText.of(";t=")).and(-1.5e-7)
    assert.strictEqual(String(text), '"second";r=3;t=-1.5e-7')
    const lines = { first: "x-one", text: '1\r\nratelimit: "second";r=3;t=-1.5e-7', isPlain: true }
    assert.deepStrictEqual(headerLines({ "x-one": "1", ratelimit: text }, false), lines)
  })

  it("is never made of text that ends its line, or that is no ASCII", () => {
    for (const text of ["1\r\nx-forged: yes", "1\n", "\0", "h\xe9", "\u{10d}"]) assert.throws(() => HeadText.of(text), TypeError)
  })
})
