import { assert, describe, it } from "@effect/vitest"
import { parse } from "@plussub/srt-vtt-parser"
import { Schema } from "effect"
import { render } from "../src/formats.ts"
import { isLanguage, languages } from "../src/languages.ts"
import { cuesOf, MAX_MS, MIN_MS } from "../src/subtitles/cues.ts"
import { MAX_LINE } from "../src/subtitles/words.ts"
import type { Segment, Transcript } from "../src/Transcript.ts"

const transcriptOf = (segments: ReadonlyArray<Segment>, language = "en"): Transcript => ({
  language,
  durationSeconds: segments.at(-1)?.end ?? 0,
  segments,
})

const Word = Schema.Union([
  Schema.Literals([
    "so",
    "the",
    "round",
    "begins,",
    "and",
    "extraordinarily",
    "nobody",
    "Donaudampfschifffahrtsgesellschaftskapitän",
    "won.",
    "a<b>&c",
    "-->",
    "&amp;",
  ]),
  Schema.Literals(["彼は決勝戦で三回も連続して勝ちましたが、まだ満足していません。", "👩‍👩‍👧‍👦".repeat(20), "x".repeat(200)]),
  Schema.String,
])

/** Pause before a segment, its length (both in tenths of a second), and its words. */
const Spoken = Schema.Array(
  Schema.Struct({
    pause: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 })),
    length: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 300 })),
    words: Schema.Array(Word).check(Schema.isMaxLength(60)),
  }),
).check(Schema.isMaxLength(8))

const segmentsOf = (spoken: typeof Spoken.Type): ReadonlyArray<Segment> => {
  let at = 0
  return spoken.map(({ length, pause, words }) => {
    const start = (at + pause) / 10
    at += pause + length
    return { start, end: at / 10, text: words.join(" ") }
  })
}

/** Text without anything that formats may change: spaces and control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are removed from subtitles
const letters = (text: string) => text.replaceAll(/[\s\u0000-\u001f\u007f]/gu, "")

interface Entry {
  readonly from: number
  readonly to: number
  readonly text: string
}
/** The package's declarations do not resolve, because they import files without extensions. */
const entriesOf = (text: string): ReadonlyArray<Entry> => parse(text).entries

const unescaped = (text: string) => text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&")

describe("formats", () => {
  const spoken = transcriptOf([
    { start: 0, end: 4.2, text: " Good evening and welcome to the grand final." },
    { start: 4.2, end: 4.9, text: " Tonight" },
    { start: 5, end: 9.5, text: " two teams meet that have never lost a map on this stage, and one of them will." },
  ])

  it("text is one paragraph", () =>
    assert.deepStrictEqual(render(spoken, "text"), {
      text: "Good evening and welcome to the grand final. Tonight two teams meet that have never lost a map on this stage, and one of them will.",
    }))

  it("verbose adds the segments", () => {
    assert.deepStrictEqual(render(spoken, "verbose"), { ...render(spoken, "text"), segments: spoken.segments })
  })

  it("srt has balanced lines, and joins a single word with what follows", () => {
    assert.strictEqual(
      render(spoken, "srt").text,
      `1
00:00:00,000 --> 00:00:04,200
Good evening and welcome
to the grand final.

2
00:00:04,200 --> 00:00:06,881
Tonight two teams meet
that have never lost

3
00:00:06,881 --> 00:00:09,500
a map on this stage, and one of them will.
`,
    )
  })

  it("vtt escapes what its parsers would interpret", () => {
    const text = render(transcriptOf([{ start: 3_600, end: 3_602, text: "a <b> & --> c" }]), "vtt").text
    assert.strictEqual(text, "WEBVTT\n\n01:00:00.000 --> 01:00:02.000\na &lt;b&gt; &amp; --&gt; c\n")
  })

  it("a video without speech has empty subtitles", () => {
    assert.deepStrictEqual(render(transcriptOf([]), "srt"), { text: "" })
    assert.deepStrictEqual(render(transcriptOf([]), "vtt"), { text: "WEBVTT\n" })
    assert.deepStrictEqual(render(transcriptOf([]), "text"), { text: "" })
  })

  it.prop(
    "subtitles of any speech are readable, in order, and keep the text",
    { spoken: Spoken },
    ({ spoken }) => {
      const segments = segmentsOf(spoken)
      const cues = cuesOf(transcriptOf(segments, "ja"))
      assert.strictEqual(letters(cues.flatMap(({ lines }) => lines).join("")), letters(segments.map(({ text }) => text).join("")))
      let before = 0
      for (const { endMs, lines, startMs } of cues) {
        assert.isAtLeast(startMs, before)
        assert.isAbove(endMs, startMs)
        assert.isAtMost(endMs - startMs, MAX_MS)
        assert.isAtMost(lines.length, 2)
        for (const line of lines) {
          assert.isAtMost([...line].length, MAX_LINE)
          assert.strictEqual(line, line.trim())
          assert.notStrictEqual(line, "")
        }
        before = endMs
      }
    },
    { arbitrary: { runs: 200 } },
  )

  it.prop(
    "an independent parser reads the same cues from srt and vtt",
    { spoken: Spoken },
    ({ spoken }) => {
      const transcript = transcriptOf(segmentsOf(spoken))
      const cues = cuesOf(transcript)
      // The parser cannot read files without cues.
      if (cues.length === 0) return
      const times = cues.map(({ endMs, startMs }) => [startMs, endMs])
      const [srt, vtt] = [entriesOf(render(transcript, "srt").text), entriesOf(render(transcript, "vtt").text)]
      for (const entries of [srt, vtt])
        assert.deepStrictEqual(
          entries.map(({ from, to }) => [from, to]),
          times,
        )
      const texts = cues.map(({ lines }) => letters(lines.join("")))
      assert.deepStrictEqual(
        srt.map(({ text }) => letters(text)),
        cues.map(({ lines }) => letters(lines.map((line) => line.replaceAll("-->", "→")).join(""))),
      )
      assert.deepStrictEqual(
        vtt.map(({ text }) => letters(unescaped(text))),
        texts,
      )
    },
    { arbitrary: { runs: 200 } },
  )

  it("speech with pauses has subtitles of at least a second at a readable speed", () => {
    const words = "every subtitle stays on the screen long enough to be read by everyone".split(" ")
    const segments = words.map((word, index) => ({ start: index * 4, end: index * 4 + 0.3, text: `${word} ${word}` }))
    for (const { endMs, lines, startMs } of cuesOf(transcriptOf(segments))) {
      assert.isAtLeast(endMs - startMs, MIN_MS)
      assert.isAtMost([...lines.join(" ")].length / ((endMs - startMs) / 1_000), 17)
    }
  })

  it("no subtitle of ordinary speech has a single word on a line", () => {
    const text =
      "we have seen this team come back from two maps down before and they can do it again if they find their calm in the last round of the night"
    for (let count = 2; count <= text.split(" ").length; count++) {
      const cues = cuesOf(transcriptOf([{ start: 0, end: count / 3, text: text.split(" ").slice(0, count).join(" ") }]))
      for (const { lines } of cues)
        for (const line of lines) assert.isAbove(line.split(" ").length, 1, `${count}: ${JSON.stringify(lines)}`)
    }
  })
})

describe("languages", () => {
  it("are ISO 639-1 codes", () => {
    assert.isAbove(languages.length, 50)
    assert.strictEqual(new Set(languages).size, languages.length)
    for (const code of languages) assert.match(code, /^[a-z]{2}$/)
    assert.isTrue(isLanguage("de"))
    for (const code of ["DE", "haw", "jw", "xx", ""]) assert.isFalse(isLanguage(code))
  })
})
