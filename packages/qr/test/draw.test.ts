/** Drawn images decode to the input with a second reader, and unreadable requests are refused with advice. */
import { assert, describe, it } from "@effect/vitest"
import { readQrCode } from "@matchpoint/testing/readQrCode"
import { Effect } from "effect"
import { draw } from "../src/drawing/draw.ts"
import type { QrImage } from "../src/QrImage.ts"
import { Case, imageOf, shapeOf } from "./images.ts"

const usual: QrImage = {
  data: "https://example.com/matches/1001",
  type: "png",
  size: 300,
  margin: 4,
  errorCorrection: "M",
  foreground: [0, 0, 0],
  background: [255, 255, 255],
}

const adviceFor = (change: Partial<QrImage>) =>
  Effect.map(
    Effect.promise(() => draw({ ...usual, ...change })),
    (drawing) => (drawing._tag === "Refused" ? drawing.advice : assert.fail("the image was drawn")),
  )

describe("draw", () => {
  it.effect.prop(
    "any text, size, margin and color scheme decodes to the input",
    { one: Case },
    ({ one }) =>
      Effect.gen(function* () {
        const image = imageOf(one)
        const drawing = yield* Effect.promise(() => draw(image))
        if (drawing._tag === "Refused") return assert.fail(`${drawing.advice}: ${JSON.stringify(image)}`)
        assert.strictEqual(yield* Effect.promise(() => readQrCode(drawing.bytes, shapeOf(image))), image.data)
      }),
    { arbitrary: { runs: 5 } },
  )

  it.effect("draws an SVG with even modules if it could not be read with modules between pixels", () =>
    Effect.gen(function* () {
      const small = { type: "svg", zoom: 2.0631, margin: 0, parts: ["é"], fill: 0.3743, errorCorrection: "M", scheme: 1 } as const
      const image = imageOf(small)
      const drawing = yield* Effect.promise(() => draw(image))
      if (drawing._tag === "Refused") return assert.fail(drawing.advice)
      assert.include(new TextDecoder().decode(drawing.bytes), `viewBox="0 0 ${image.size} ${image.size}"`)
      assert.strictEqual(yield* Effect.promise(() => readQrCode(drawing.bytes, shapeOf(image))), image.data)
    }),
  )

  it.effect("refuses more data than fits, by error correction, and names the limit", () =>
    Effect.gen(function* () {
      for (const [errorCorrection, limit] of [
        ["M", 2_331],
        ["Q", 1_663],
        ["H", 1_273],
      ] as const) {
        const advice = yield* adviceFor({ data: "é".repeat(limit / 2 + 1), errorCorrection, size: 2_000 })
        assert.match(advice, new RegExp(`does not fit: .*${errorCorrection} holds at most ${limit} bytes.*shorten it`))
        const fitting = yield* Effect.promise(() =>
          draw({ ...usual, data: "x".repeat(Math.min(limit, 2_048)), errorCorrection, size: 1_000 }),
        )
        assert.strictEqual(fitting._tag, "Drawn")
      }
    }),
  )

  it.effect("refuses modules below 2 pixels and names the size that suffices", () =>
    Effect.gen(function* () {
      const data = "x".repeat(2_000)
      const advice = yield* adviceFor({ data })
      const size = Number(/a size of at least (\d+)/.exec(advice)?.[1])
      assert.isAbove(size, usual.size)
      assert.strictEqual((yield* Effect.promise(() => draw({ ...usual, data, size })))._tag, "Drawn")
      yield* adviceFor({ data, size: size - 1 })
    }),
  )

  it.effect("refuses colors that the reader cannot tell apart", () =>
    Effect.gen(function* () {
      for (const type of ["png", "svg"] as const) {
        const advice = yield* adviceFor({ type, foreground: [255, 255, 255], background: [250, 250, 250] })
        assert.include(advice, "unreadable")
      }
    }),
  )

  it.effect("draws small images with uneven modules again with even ones", () =>
    Effect.gen(function* () {
      for (let size = 114; size < 150; size++) {
        const drawing = yield* Effect.promise(() => draw({ ...usual, data: `${"x".repeat(180)}${size}`, size, margin: 0 }))
        assert.strictEqual(drawing._tag, size < 2 * 57 ? "Refused" : "Drawn", `${size}`)
      }
    }),
  )
})
