/** Requirements of both drivers before they start a process. */
import { isLanguage } from "@matchpoint/transcripts/languages"
import { Effect, Option } from "effect"
import { LanguageUnsupported, TranscriptionUnavailable } from "../TranscribeFailure.ts"

/** The engines crash on unknown codes. */
export const requireLanguage = (language: string | null): Effect.Effect<void, LanguageUnsupported> =>
  language === null || isLanguage(language) ? Effect.void : Effect.fail(new LanguageUnsupported({ language }))

export const requireWeights = (weights: Option.Option<string>): Effect.Effect<string, TranscriptionUnavailable> =>
  Option.match(weights, {
    onNone: () => Effect.fail(new TranscriptionUnavailable({ detail: "MATCHPOINT_TRANSCRIPTS_WEIGHTS is not set." })),
    onSome: Effect.succeed,
  })
