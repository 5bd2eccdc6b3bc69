import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { applyPatch, diff, diffFields, type JsonObject } from "../../../src/stream/compact/mergePatch.ts"

const Key = Schema.Literals(["a", "b", "1", "2", "cs2-player-1"])
const Leaf = Schema.Union([Schema.Int, Schema.Boolean, Schema.Literals(["x", "y"]), Schema.Array(Schema.Int).check(Schema.isMaxLength(2))])
const Part = Schema.Record(Key, Schema.Union([Leaf, Schema.Record(Key, Leaf)]))
const Document = Schema.Record(Key, Schema.Union([Leaf, Part]))
const Flat = Schema.Struct({ a: Schema.NullOr(Leaf), b: Schema.NullOr(Leaf), c: Schema.NullOr(Leaf), d: Schema.NullOr(Schema.String) })

/** Returns the value after JSON encoding, as a client receives it, with own keys only. */
const wire = (value: JsonObject): JsonObject => JSON.parse(JSON.stringify(value))

const withoutNulls = (object: object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null))

describe("merge patches", () => {
  it.prop("change one document into the other and nothing else", { before: Document, after: Document }, ({ before, after }) => {
    const from = wire(before)
    const to = wire(after)
    const untouched = JSON.stringify(from)
    const patch = diff(from, to)
    const arrived = patch === undefined ? from : applyPatch(from, wire(patch))
    assert.deepStrictEqual(arrived, to)
    assert.strictEqual(JSON.stringify(from), untouched)
    assert.strictEqual(patch === undefined, sameJson(from, to))
    assert.isUndefined(diff(to, wire(to)))
  })

  it.prop("diffFields equals diff of the objects without nulls", { before: Flat, after: Flat }, ({ before, after }) => {
    assert.strictEqual(JSON.stringify(diffFields(before, after)), JSON.stringify(diff(withoutNulls(before), withoutNulls(after))))
  })

  it("match the examples of RFC 7396 for documents without nulls", () => {
    const cases: ReadonlyArray<readonly [JsonObject, JsonObject, JsonObject]> = [
      [{ a: "b" }, { a: "c" }, { a: "c" }],
      [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
      [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
      [{ a: ["b"] }, { a: "c" }, { a: "c" }],
      [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
      [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
      [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    ]
    for (const [document, patch, result] of cases) assert.deepStrictEqual(applyPatch(document, patch), result)
  })

  it("never change a prototype", () => {
    const patched = applyPatch({}, JSON.parse('{"__proto__":{"polluted":true}}'))
    assert.isUndefined(Reflect.get({}, "polluted"))
    assert.strictEqual(Object.getPrototypeOf(patched), Object.prototype)
  })
})

const sameJson = (a: unknown, b: unknown): boolean => {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b
  const keys = Object.keys(a)
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && sameJson(Reflect.get(a, key), Reflect.get(b, key)))
  )
}
