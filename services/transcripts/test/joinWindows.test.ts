import { assert, describe, it } from "@effect/vitest"
import type { Segment } from "@matchpoint/transcripts/Transcript"
import { Schema } from "effect"
import { joinWindows, type RecognizedWindow } from "../src/windows/joinWindows.ts"
import { FRAME_SECONDS } from "../src/windows/levels.ts"
import { planWindows } from "../src/windows/planWindows.ts"
import { wordsOf } from "../src/windows/words.ts"

interface Spoken {
  readonly text: string
  readonly start: number
  readonly end: number
}

const SPOKEN = -20
const SILENT = -90

/** Speech as lengths in frames: a word, then a pause. `groups` says how many words a segment has. */
const Speech = Schema.Struct({
  words: Schema.Array(
    Schema.Struct({
      length: Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 60 })),
      pause: Schema.Literals([0, 3, 10, 45, 400]),
    }),
    // At least two windows if the pauses are short.
  ).check(Schema.isMinLength(100), Schema.isMaxLength(200)),
  longestPause: Schema.Literals([0, 10, 45, 400]),
  groups: Schema.NonEmptyArray(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 }))),
})

const build = ({ longestPause, words }: typeof Speech.Type) => {
  const levels: Array<number> = []
  const spoken: Array<Spoken> = []
  for (const [index, { length, pause }] of words.entries()) {
    const start = levels.length * FRAME_SECONDS
    for (let frame = 0; frame < length; frame++) levels.push(SPOKEN)
    // Long words take long, as in real speech.
    spoken.push({ text: `w${index}${"x".repeat(length / 2)}`, start, end: levels.length * FRAME_SECONDS })
    for (let frame = 0; frame < Math.min(pause, longestPause); frame++) levels.push(SILENT)
  }
  return { levels: Float32Array.from(levels), spoken }
}

/** A pause of this length in seconds ends a segment. */
const LONG_PAUSE = 0.5

/** An ideal engine: it recognizes the words that are wholly in the window. */
const recognize = (spoken: ReadonlyArray<Spoken>, groups: ReadonlyArray<number>, start: number, end: number): ReadonlyArray<Segment> => {
  const inside = spoken.filter((word) => word.start >= start - 1e-6 && word.end <= end + 1e-6)
  const segments: Array<Segment> = []
  for (let index = 0, group = 0; index < inside.length; group++) {
    const most = inside.slice(index, index + (groups[group % groups.length] ?? 1))
    const pause = most.findIndex((word, at) => at > 0 && word.start - (most[at - 1]?.end ?? 0) > LONG_PAUSE)
    const part = pause === -1 ? most : most.slice(0, pause)
    index += part.length
    segments.push({
      start: (part[0]?.start ?? 0) - start,
      end: (part.at(-1)?.end ?? 0) - start,
      text: part.map(({ text }) => text).join(" "),
    })
  }
  return segments
}

describe("windows", () => {
  it.prop(
    "every word appears once, in order, and times never go back",
    [Speech],
    ([speech]) => {
      const { levels, spoken } = build(speech)
      const windows = planWindows(levels)
      const segments = joinWindows(
        windows.map((window) => ({ window, segments: recognize(spoken, speech.groups, window.start, window.end) })),
      )
      assert.deepStrictEqual(
        segments.flatMap(({ text }) => text.split(" ")),
        spoken.map(({ text }) => text),
      )
      let last = 0
      for (const { end, start } of segments) {
        assert.isTrue(start >= last && end >= start)
        last = end
      }
    },
    { arbitrary: { runs: 50 } },
  )

  it.prop("windows are at most 30 s, in order, and contain every loud frame", [Speech], ([speech]) => {
    const { levels } = build(speech)
    const windows = planWindows(levels)
    for (const [index, { end, overlap, start }] of windows.entries()) {
      assert.isAtMost(end - start, 30 + 1e-6)
      assert.isAbove(end, start)
      const before = windows[index - 1]
      if (before !== undefined) assert.approximately(Math.max(0, before.end - start), overlap, 1e-6)
    }
    const isCovered = (time: number) => windows.some(({ end, start }) => time >= start - 1e-6 && time < end + 1e-6)
    assert.isTrue(levels.every((level, frame) => level !== SPOKEN || isCovered(frame * FRAME_SECONDS)))
  })

  const seam = (before: ReadonlyArray<Segment>, after: ReadonlyArray<Segment>) => {
    const recognized: ReadonlyArray<RecognizedWindow> = [
      { window: { start: 0, end: 30, overlap: 0 }, segments: before },
      { window: { start: 28, end: 58, overlap: 2 }, segments: after },
    ]
    return joinWindows(recognized)
      .map(({ text }) => text)
      .join(" ")
  }

  it("a word that the cut has damaged is taken from the other window", () => {
    const joined = seam(
      [{ start: 20, end: 30, text: "and then we went to the beau" }],
      [{ start: 0, end: 4, text: "went to the beautiful beach" }],
    )
    assert.strictEqual(joined, "and then we went to the beautiful beach")
  })

  it("repeated words stay as often as they were said", () => {
    const joined = seam([{ start: 26, end: 30, text: "no no no no" }], [{ start: 0, end: 4, text: "no no no no" }])
    assert.strictEqual(joined, "no no no no no no")
  })

  it("case and punctuation do not matter", () => {
    const joined = seam([{ start: 25, end: 29.5, text: "See you, Tomorrow" }], [{ start: 0.5, end: 4, text: "you tomorrow. Bye!" }])
    assert.strictEqual(joined, "See you, Tomorrow Bye!")
  })

  it("languages without spaces are joined by words", () => {
    const joined = seam([{ start: 24, end: 30, text: "今日はいい天気です" }], [{ start: 0, end: 5, text: "天気ですね。散歩しましょう" }])
    assert.strictEqual(joined.replaceAll(" ", ""), "今日はいい天気ですね。散歩しましょう")
  })

  it("windows that disagree keep their side of the middle", () => {
    const joined = seam([{ start: 28, end: 30, text: "alpha beta" }], [{ start: 0, end: 2, text: "gamma delta" }])
    assert.strictEqual(joined, "alpha delta")
  })

  it("silence has no windows, and a click is silence", () => {
    const levels = new Float32Array(3_000).fill(SILENT)
    assert.deepStrictEqual(planWindows(levels), [])
    levels.fill(SPOKEN, 100, 102)
    assert.deepStrictEqual(planWindows(levels), [])
  })

  it("words keep the punctuation that follows", () => {
    assert.deepStrictEqual(
      wordsOf({ start: 0, end: 1, text: "Oh, it's 5 o'clock!" }).map(({ text }) => text),
      ["Oh, ", "it's ", "5 ", "o'clock!"],
    )
  })
})
