import { crc32 } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { canonical, stateHash } from "../../../src/stream/compact/stateHash.ts"

const Leaf = Schema.Union([Schema.Int, Schema.Finite, Schema.Boolean, Schema.String])
const Part = Schema.Record(Schema.String, Schema.Union([Leaf, Schema.Array(Leaf)]))
const Document = Schema.Record(Schema.String, Schema.Union([Leaf, Part, Schema.Record(Schema.String, Part)]))

const reversed = (object: object): Record<string, unknown> => Object.fromEntries(Object.entries(object).reverse())

describe("stateHash", () => {
  it("is the CRC-32 of the canonical text", () => {
    assert.strictEqual(canonical({ b: [1, { y: "é", x: 2.5 }], a: true }), '{"a":true,"b":[1,{"x":2.5,"y":"é"}]}')
    assert.strictEqual(stateHash({}), crc32("{}").toString(16).padStart(8, "0"))
    assert.strictEqual(stateHash({ nick: "zyx é 🐍" }), crc32('{"nick":"zyx é 🐍"}').toString(16).padStart(8, "0"))
  })

  it.prop("does not depend on key order or on cached texts", { document: Document }, ({ document }) => {
    const plain = stateHash(document)
    assert.strictEqual(plain, crc32(canonical(document)).toString(16).padStart(8, "0"))
    assert.strictEqual(stateHash(reversed(document)), plain)
    const known = new WeakMap<object, string>()
    assert.strictEqual(stateHash(document, known), plain)
    assert.strictEqual(stateHash({ ...document }, known), plain)
    assert.strictEqual(stateHash({ ...document, more: { one: 1 } }, known), stateHash({ ...document, more: { one: 1 } }))
  })
})
