/** Recognizes the speech in one window of audio. Does not cut, join or retry beyond what a port user must not see. */
import type { Segment } from "@matchpoint/transcripts/Transcript"
import { Context, type Effect } from "effect"
import type { EngineFailed, LanguageUnsupported, TranscriptionUnavailable } from "../TranscribeFailure.ts"
import type { Component } from "../Transcriber.ts"

export interface SpeechRequest {
  /** Mono, 16,000 per second, at most 30 seconds. */
  readonly samples: Int16Array
  /** ISO 639-1 code of the spoken language, or null to detect it. */
  readonly language: string | null
}

export interface Speech {
  /** Requested or detected language, ISO 639-1. */
  readonly language: string
  /** Seconds from the start of the window. May overlap slightly, and may be empty. Text is trimmed and not empty. */
  readonly segments: ReadonlyArray<Segment>
}

export class SpeechEngine extends Context.Service<
  SpeechEngine,
  {
    /**
     * Recognizes one window at a time; further calls wait. If the engine's process ends in the middle, it is started
     * again and the window is repeated, up to two times.
     */
    readonly recognize: (request: SpeechRequest) => Effect.Effect<Speech, EngineFailed | LanguageUnsupported | TranscriptionUnavailable>
    /** Checks the program and its weights without starting the engine. */
    readonly components: Effect.Effect<ReadonlyArray<Component>>
  }
>()("@matchpoint/service-transcripts/engine/SpeechEngine") {}

/** Whisper works on windows of this length. */
export const WINDOW_SECONDS = 30
