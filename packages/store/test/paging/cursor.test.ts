import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import { type Order, readCursor, writeCursor } from "../../src/paging/cursor.ts"

const order: Order = {
  name: "cups-by-end",
  keys: [
    { of: "c.ends_at", type: "timestamptz", nullable: true },
    { of: "c.name", type: "text" },
    { of: "c.points", type: "double precision" },
    { of: "c.cup_number", type: "bigint" },
  ],
}

const values = ["1795348800000000", "Überschall ✓", "-1.5e-07", "17"]
const base64Url = (text: string) => Buffer.from(text).toString("base64url")

describe("cursor", () => {
  it.prop(
    "decodes to what was encoded, for any text",
    { before: Schema.Natural, name: Schema.String, at: Schema.NullOr(Schema.Natural) },
    ({ at, before, name }) => {
      const position = { before, values: [at === null ? null : String(at), name.toWellFormed().replaceAll("\0", ""), "0.1", "3"] }
      const cursor = writeCursor(order, position)
      assert.match(cursor, /^[\w-]+$/)
      assert.deepStrictEqual(readCursor(order, cursor), Option.some(position))
    },
  )

  it("is rejected by another order", () => {
    const cursor = writeCursor(order, { before: 50, values })
    assert.isTrue(Option.isSome(readCursor(order, cursor)))
    assert.isTrue(Option.isNone(readCursor({ ...order, name: "cups-by-start" }, cursor)))
  })

  it("is rejected if forged", () => {
    const [endsAt, name, points, number] = values
    const madeUp: ReadonlyArray<unknown> = [
      "nothing",
      [],
      ["cups-by-end", 50],
      ["cups-by-end", -1, ...values],
      ["cups-by-end", 1.5, ...values],
      ["cups-by-end", 50, ...values, "18"],
      ["cups-by-end", 50, endsAt, null, points, number],
      ["cups-by-end", 50, endsAt, name, points, null],
      ["cups-by-end", 50, "2026-11-22", name, points, number],
      ["cups-by-end", 50, endsAt, "\0", points, number],
      ["cups-by-end", 50, endsAt, name, "NaN", number],
      ["cups-by-end", 50, endsAt, name, points, "17; DROP TABLE cups"],
      ["cups-by-end", 50, endsAt, name, points, "9".repeat(30)],
      ["cups-by-end", 50, endsAt, name, points, 17],
    ]
    for (const invalid of madeUp)
      assert.isTrue(Option.isNone(readCursor(order, base64Url(JSON.stringify(invalid)))), JSON.stringify(invalid))
    for (const text of ["", "%", "bm90IGpzb24", "é"]) assert.isTrue(Option.isNone(readCursor(order, text)), text)
  })
})
