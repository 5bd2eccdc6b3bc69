import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { speechOf } from "../src/engine/speechOf.ts"
import { detectedLanguage, TextLanguage } from "../src/engine/TextLanguage.ts"
import { wavOf } from "../src/engine/wavOf.ts"

describe("TextLanguage", () => {
  const texts = {
    en: "Hello everybody and welcome back to my channel, today we look at something new",
    de: "Guten Morgen zusammen, heute zeige ich euch etwas Neues aus meiner Werkstatt",
    es: "Hola a todos y bienvenidos a mi canal, hoy vamos a ver algo nuevo y diferente",
    ja: "皆さんこんにちは、今日は新しいものを紹介します",
    ru: "Всем привет и добро пожаловать на мой канал, сегодня мы увидим кое-что новое",
  }
  for (const [language, text] of Object.entries(texts)) {
    it.effect(`recognizes ${language}`, () =>
      Effect.gen(function* () {
        const { guess } = yield* TextLanguage
        assert.strictEqual((yield* guess(text))?.language, language)
      }).pipe(Effect.provide(TextLanguage.layer)),
    )
  }

  it.effect("a text without words has no language", () =>
    Effect.gen(function* () {
      const { guess } = yield* TextLanguage
      assert.isUndefined(yield* guess("... 123"))
    }).pipe(Effect.provide(TextLanguage.layer)),
  )

  it("a clear text overrules the engine, a short or unclear one does not", () => {
    const clear = { language: "de", confidence: 0.9 }
    assert.strictEqual(detectedLanguage("en", texts.de, clear), "de")
    assert.strictEqual(detectedLanguage("en", "Guten Morgen", clear), "en")
    assert.strictEqual(detectedLanguage("en", texts.de, { ...clear, confidence: 0.1 }), "en")
    assert.strictEqual(detectedLanguage("en", texts.de, undefined), "en")
  })
})

describe("speechOf", () => {
  it("removes notes and empty segments, and brings times and codes into order", () => {
    const speech = speechOf("yue", [
      { start: -0.1, end: 1, text: " [BLANK_AUDIO]" },
      { start: 1, end: 2, text: " (music)  Hello  ♪ there " },
      { start: 3, end: 2.5, text: "Bye" },
    ])
    assert.deepStrictEqual(speech, {
      language: "zh",
      segments: [
        { start: 1, end: 2, text: "Hello there" },
        { start: 3, end: 3, text: "Bye" },
      ],
    })
  })
})

describe("wavOf", () => {
  it("writes the header of 16 kHz mono", () => {
    const wav = Buffer.from(wavOf(Int16Array.from([1, -1])))
    assert.strictEqual(wav.length, 48)
    assert.strictEqual(wav.readUInt32LE(4), 40)
    assert.strictEqual(wav.readUInt32LE(24), 16_000)
    assert.deepStrictEqual([wav.readInt16LE(44), wav.readInt16LE(46)], [1, -1])
  })
})
