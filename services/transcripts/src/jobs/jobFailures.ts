/** Failures of the pipeline as those of jobs: the reason for customers, and whether another attempt is made. */
import type { UnavailableReason, VideoReason } from "@matchpoint/contracts/http/transcripts/transcriptModels"
import type { JobError } from "@matchpoint/store/transcripts/transcriptRows"
import { isRetryable, type TranscribeFailure } from "../TranscribeFailure.ts"

const reasons = {
  VideoUnavailable: "video_unavailable",
  NoVideo: "no_video",
  NoSpeech: "no_speech",
  VideoTooLong: "video_too_long",
  VideoTooLarge: "video_too_large",
  MediaInvalid: "media_invalid",
  LanguageUnsupported: "language_unsupported",
  TranscriptionTimeout: "too_slow",
  DownloadFailed: "download_failed",
  EngineFailed: "engine_failed",
  TranscriptionUnavailable: "not_set_up",
} as const satisfies Record<TranscribeFailure["_tag"], VideoReason | UnavailableReason>

const ofLimits: ReadonlySet<TranscribeFailure["_tag"]> = new Set(["VideoTooLong", "VideoTooLarge", "TranscriptionTimeout"])

/** Error of a job whose attempts all ended with a crash. */
export const gaveUp: JobError = {
  code: "engine_failed" satisfies UnavailableReason,
  message: "The speech recognition failed. Try again later.",
}

export const errorOf = (failure: TranscribeFailure): JobError => ({ code: reasons[failure._tag], message: failure.message })

/** True if the video exceeded a limit. */
export const isOfLimits = (failure: TranscribeFailure): boolean => ofLimits.has(failure._tag)

/** Delay before the next attempt, or null if there is none. `attempt` counts from 1. */
export const retryDelayOf = (
  failure: TranscribeFailure,
  attempt: number,
  { maxAttempts, retryDelaysMs }: { readonly maxAttempts: number; readonly retryDelaysMs: ReadonlyArray<number> },
): number | null => (isRetryable(failure) && attempt < maxAttempts ? (retryDelaysMs[attempt - 1] ?? retryDelaysMs.at(-1) ?? 0) : null)
