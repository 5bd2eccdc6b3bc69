/** Recognizes the language of a text, to check the engine, which guesses it from the sound of one window. */
import { Context, Effect, Layer } from "effect"

export interface TextLanguageGuess {
  /** ISO 639-1 code. */
  readonly language: string
  /** 0 to 1. Related languages share their words, so that 0.1 can be right for a short text. */
  readonly confidence: number
}

export class TextLanguage extends Context.Service<
  TextLanguage,
  {
    /** Undefined for a text without a known language. */
    readonly guess: (text: string) => Effect.Effect<TextLanguageGuess | undefined>
  }
>()("@matchpoint/service-transcripts/engine/TextLanguage") {
  /**
   * tinyld knows 62 languages and reads the first 2,000 characters. Loaded for the first text, because most servers
   * transcribe nothing.
   */
  static readonly layer = Layer.succeed(TextLanguage, {
    guess: (text) =>
      Effect.promise(async () => {
        const { detectAll } = await import("tinyld")
        const [best] = detectAll(text.slice(0, MAX_CHARACTERS))
        return best === undefined ? undefined : { language: best.lang, confidence: best.accuracy }
      }),
  })
}

const MAX_CHARACTERS = 2_000
/** A shorter text does not overrule the engine. */
const MIN_CHARACTERS = 40
const MIN_CONFIDENCE = 0.5

/** The engine is believed, unless a text of some length is clearly in another language. */
export const detectedLanguage = (engine: string, text: string, guess: TextLanguageGuess | undefined): string =>
  guess !== undefined && text.length >= MIN_CHARACTERS && guess.confidence >= MIN_CONFIDENCE ? guess.language : engine
