/**
 * Why a video has no transcript. `message` is for the customer and contains no addresses, paths or output of tools.
 * `detail` is for the operator's log, has at most 2,000 characters, and may contain them.
 */
import { Effect, Schema } from "effect"

const detail = { detail: Schema.String.pipe(Schema.withConstructorDefault(Effect.succeed(""))) }

/** The post does not exist or is not public. */
export class VideoUnavailable extends Schema.TaggedError<VideoUnavailable>("@matchpoint/service-transcripts/VideoUnavailable")(
  "VideoUnavailable",
  detail,
) {
  override get message(): string {
    return "The post is private, deleted or does not exist."
  }
}

export class NoVideo extends Schema.TaggedError<NoVideo>("@matchpoint/service-transcripts/NoVideo")("NoVideo", detail) {
  override get message(): string {
    return "The post contains no video."
  }
}

/** The video has no audio or no speech. */
export class NoSpeech extends Schema.TaggedError<NoSpeech>("@matchpoint/service-transcripts/NoSpeech")("NoSpeech", detail) {
  override get message(): string {
    return "The video contains no speech that could be recognized."
  }
}

export class VideoTooLong extends Schema.TaggedError<VideoTooLong>("@matchpoint/service-transcripts/VideoTooLong")("VideoTooLong", {
  maxDurationSeconds: Schema.Finite,
  ...detail,
}) {
  override get message(): string {
    return `The video is longer than ${this.maxDurationSeconds} seconds, the limit of your plan.`
  }
}

export class VideoTooLarge extends Schema.TaggedError<VideoTooLarge>("@matchpoint/service-transcripts/VideoTooLarge")("VideoTooLarge", {
  maxBytes: Schema.Finite,
  ...detail,
}) {
  override get message(): string {
    return `The video is larger than ${Math.floor(this.maxBytes / 1_000_000)} MB, the limit of your plan.`
  }
}

/** The downloaded file is not audio or video that can be decoded. */
export class MediaInvalid extends Schema.TaggedError<MediaInvalid>("@matchpoint/service-transcripts/MediaInvalid")("MediaInvalid", detail) {
  override get message(): string {
    return "The video could not be decoded."
  }
}

/** The engine's weights do not know the language. */
export class LanguageUnsupported extends Schema.TaggedError<LanguageUnsupported>("@matchpoint/service-transcripts/LanguageUnsupported")(
  "LanguageUnsupported",
  { language: Schema.String, ...detail },
) {
  override get message(): string {
    return `The language "${this.language}" is not supported.`
  }
}

/** `npm run transcripts -- check` names what is missing: a tool, the engine or its weights. */
export class TranscriptionUnavailable extends Schema.TaggedError<TranscriptionUnavailable>(
  "@matchpoint/service-transcripts/TranscriptionUnavailable",
)("TranscriptionUnavailable", detail) {
  override get message(): string {
    return "Transcripts are not available on this server."
  }
}

/** The whole work took longer than `limits.maxWallSeconds`. */
export class TranscriptionTimeout extends Schema.TaggedError<TranscriptionTimeout>("@matchpoint/service-transcripts/TranscriptionTimeout")(
  "TranscriptionTimeout",
  { maxWallSeconds: Schema.Finite, ...detail },
) {
  override get message(): string {
    return `The transcript was not ready within ${this.maxWallSeconds} seconds.`
  }
}

/** The platform did not deliver the video. Another attempt may succeed. */
export class DownloadFailed extends Schema.TaggedError<DownloadFailed>("@matchpoint/service-transcripts/DownloadFailed")(
  "DownloadFailed",
  detail,
) {
  override get message(): string {
    return "The video could not be downloaded. Try again later."
  }
}

/** The engine or a tool ended without a result. Another attempt may succeed. */
export class EngineFailed extends Schema.TaggedError<EngineFailed>("@matchpoint/service-transcripts/EngineFailed")("EngineFailed", detail) {
  override get message(): string {
    return "The speech recognition failed. Try again later."
  }
}

export type TranscribeFailure =
  | VideoUnavailable
  | NoVideo
  | NoSpeech
  | VideoTooLong
  | VideoTooLarge
  | MediaInvalid
  | LanguageUnsupported
  | TranscriptionUnavailable
  | TranscriptionTimeout
  | DownloadFailed
  | EngineFailed

export const isRetryable = (failure: TranscribeFailure): boolean => failure._tag === "DownloadFailed" || failure._tag === "EngineFailed"
