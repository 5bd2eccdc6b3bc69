/** Entity tags: what changes a tag, and how a request names one. */
import { assert, describe, it } from "@effect/vitest"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { framesTag, frameTag, namesTag, type Variant } from "@matchpoint/game/edge/responses/entityTag"
import { Effect } from "effect"

const variant: Variant = { shape: "v1", delaySeconds: 0 }

describe("namesTag", () => {
  it.effect.each([
    [undefined, false],
    ["", false],
    ['"1.4-v1.d0"', true],
    ['W/"1.4-v1.d0"', true],
    ['"x", W/"1.4-v1.d0" ,"y"', true],
    [" * ", true],
    ['"1.5-v1.d0"', false],
    ["1.4-v1.d0", false],
  ] as const)("%s: %s", ([header, expected]) => Effect.sync(() => assert.strictEqual(namesTag(header, '"1.4-v1.d0"'), expected)))
})

describe("entity tags", () => {
  it.effect("of a frame contain its cursor and all other inputs of the response", () =>
    Effect.sync(() => {
      assert.strictEqual(frameTag({ epoch: 1, seq: 412 }, variant), '"1.412-v1.d0"')
      const tags = [
        frameTag({ epoch: 1, seq: 412 }, variant),
        frameTag({ epoch: 2, seq: 412 }, variant),
        frameTag({ epoch: 1, seq: 413 }, variant),
        frameTag({ epoch: 1, seq: 412 }, { ...variant, shape: "v2" }),
        frameTag({ epoch: 1, seq: 412 }, { ...variant, delaySeconds: 60 }),
        frameTag({ epoch: 1, seq: 412 }, { ...variant, also: [2, undefined] }),
        frameTag({ epoch: 1, seq: 412 }, { ...variant, also: [undefined, 2] }),
      ]
      assert.strictEqual(new Set(tags).size, tags.length)
    }),
  )

  it.effect("of a list depend on the frames shown, their order and the total", () =>
    Effect.sync(() => {
      const frame = (n: number, seq: number) => ({ matchId: matchId(n), epoch: 1, seq })
      const tags = [
        framesTag([], 0, variant),
        framesTag([frame(1, 1)], 1, variant),
        framesTag([frame(1, 2)], 1, variant),
        framesTag([frame(2, 1)], 1, variant),
        framesTag([frame(1, 1)], 2, variant),
        framesTag([frame(1, 1), frame(2, 1)], 2, variant),
        framesTag([frame(2, 1), frame(1, 1)], 2, variant),
        framesTag([frame(11, 1), frame(2, 1)], 2, variant),
      ]
      assert.strictEqual(new Set(tags).size, tags.length)
      assert.strictEqual(framesTag([frame(1, 1)], 1, variant), framesTag([frame(1, 1)], 1, variant))
      for (const tag of tags) assert.match(tag, /^"[\x21\x23-\x7e]+"$/)
    }),
  )
})
