/** A larger run of the property of `draw.test.ts`. */
import { assert, it } from "@effect/vitest"
import { readQrCode } from "@matchpoint/testing/readQrCode"
import { Effect } from "effect"
import { draw } from "../src/drawing/draw.ts"
import { Case, imageOf, shapeOf } from "./images.ts"

it.effect.prop(
  "any text, size, margin and color scheme decodes to the input",
  { one: Case },
  ({ one }) =>
    Effect.gen(function* () {
      const image = imageOf(one)
      const drawing = yield* Effect.promise(() => draw(image))
      if (drawing._tag === "Refused") return assert.fail(`${drawing.advice}: ${JSON.stringify(image)}`)
      assert.strictEqual(yield* Effect.promise(() => readQrCode(drawing.bytes, shapeOf(image))), image.data, JSON.stringify(image))
    }),
  { arbitrary: { runs: 500 }, timeout: 300_000 },
)
