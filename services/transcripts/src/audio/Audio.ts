/** Decodes a downloaded file to samples. Does not trust it: it may claim any format, size and duration. */
import { Context, type Effect } from "effect"
import type { MediaInvalid, NoSpeech, TranscriptionTimeout, TranscriptionUnavailable, VideoTooLong } from "../TranscribeFailure.ts"
import type { Component, TranscribeLimits } from "../Transcriber.ts"

/** Samples per second, as the speech engines need it. */
export const SAMPLE_RATE = 16_000

export interface DecodeRequest {
  readonly path: string
  /** Private directory of the job, for the samples. */
  readonly directory: string
  readonly limits: TranscribeLimits
  /** Decoded part, 0 to 1. Called only if the file says how long it is. */
  readonly onProgress: (fraction: number) => Effect.Effect<void>
}

export interface DecodedAudio {
  /** Samples without a header: mono, 16,000 per second, 16-bit signed little-endian. */
  readonly path: string
  readonly durationSeconds: number
}

export type DecodeFailure = NoSpeech | VideoTooLong | MediaInvalid | TranscriptionUnavailable | TranscriptionTimeout

export class Audio extends Context.Service<
  Audio,
  {
    /** Fails with `NoSpeech` if the file has no audio. */
    readonly decode: (request: DecodeRequest) => Effect.Effect<DecodedAudio, DecodeFailure>
    readonly components: Effect.Effect<ReadonlyArray<Component>>
  }
>()("@matchpoint/service-transcripts/audio/Audio") {}
