import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { MAX_JSON_DEPTH, MAX_JSON_VALUES, nestsTooDeep, parseBoundedJson } from "../../src/http/boundedJson.ts"

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)

it("accepts the maximum depth and rejects one more level, for arrays and objects", () => {
  for (const [open, close] of [
    ["[", "]"],
    ['{"a":', "}"],
  ] as const) {
    const inside = (depth: number) => (open === "[" ? nested(depth, open, close) : `${open.repeat(depth)}1${close.repeat(depth)}`)
    assert.deepStrictEqual(parseBoundedJson(inside(MAX_JSON_DEPTH)), JSON.parse(inside(MAX_JSON_DEPTH)))
    assert.throws(() => parseBoundedJson(inside(MAX_JSON_DEPTH + 1)), SyntaxError, "64 levels")
  }
})

it("ignores brackets in strings and levels that are closed", () => {
  assert.isFalse(nestsTooDeep(JSON.stringify("[".repeat(100))))
  assert.isFalse(nestsTooDeep(JSON.stringify(`\\"${"[".repeat(100)}\\`)))
  assert.isFalse(nestsTooDeep(`[${"[],".repeat(1_000)}1]`))
  assert.isTrue(nestsTooDeep(`["\\\\",${nested(MAX_JSON_DEPTH, "[", "]")}]`))
})

it("rejects more values than a document has, but not commas in strings", () => {
  const numbers = (count: number) => `[${"1,".repeat(count - 1)}1]`
  assert.lengthOf(parseBoundedJson(numbers(MAX_JSON_VALUES)) as ReadonlyArray<number>, MAX_JSON_VALUES)
  assert.throws(() => parseBoundedJson(numbers(MAX_JSON_VALUES + 1)), SyntaxError, "values")
  assert.throws(() => parseBoundedJson(`[${"{},".repeat(MAX_JSON_VALUES)}{}]`), SyntaxError, "values")
  const commas = JSON.stringify(",".repeat(500_000))
  assert.strictEqual(parseBoundedJson(commas), JSON.parse(commas))
})

it("rejects text with an unterminated string", () => {
  assert.throws(() => parseBoundedJson('["abc'), SyntaxError)
  assert.throws(() => parseBoundedJson('"abc\\'), SyntaxError)
})

it.prop("agrees with JSON.parse on all other documents", [Schema.Json], ([value]) => {
  const text = JSON.stringify(value)
  if (!nestsTooDeep(text)) assert.deepStrictEqual(parseBoundedJson(text), JSON.parse(text))
})
