import { assert, describe, it } from "@effect/vitest"
import { csvRows } from "@matchpoint/game/feed/import/csv"
import { Effect, Stream } from "effect"

const rowsOf = (text: string) => Stream.runCollect(csvRows(Stream.make(new TextEncoder().encode(text))))

describe("rows of CSV", () => {
  it.effect("may have quoted fields, with commas, quotes and line breaks", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* rowsOf('\ufeffa,b,c,d,e\r\na,"b, c","d ""e""",,"f\ng"\r\n'), [
        { a: "a", b: "b, c", c: 'd "e"', d: "", e: "f\ng" },
      ])
    }),
  )

  it.effect("may be blank, too short or too long", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* rowsOf("a,b\n\n  \n1\n2,\n3,4,5"), [
        { a: "1", b: "" },
        { a: "2", b: "" },
        { a: "3", b: "4" },
      ])
    }),
  )

  it.effect("end at an invalid quote, which is named by its line", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(rowsOf('a,b\n1,2\n3,4"5"\n'))
      assert.match(error.reason, /^line 3: Unexpected quote/)
    }),
  )
})
