import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { TranscriptionUnavailable, VideoRejected } from "@matchpoint/contracts/http/errors"
import {
  type TiktokTranscript,
  TranscriptJob,
  type TwitterTranscript,
  UnavailableReason,
  type VideoReason,
  VideoReason as VideoReasons,
} from "@matchpoint/contracts/http/transcripts/transcriptModels"
import type { Plan } from "@matchpoint/domain/plans"
import type { JobError, StoredRequest } from "@matchpoint/store/transcripts/transcriptRows"
import { render } from "@matchpoint/transcripts/formats"
import type { Transcript } from "@matchpoint/transcripts/Transcript"
import { transcriptLimits } from "@matchpoint/transcripts/transcriptLimits"
import { Schema } from "effect"

/** Failures that another attempt cannot change. */
export const lasting: ReadonlyArray<VideoReason> = ["video_unavailable", "no_video", "no_speech", "media_invalid", "language_unsupported"]
/** Failures that larger limits may avoid. */
export const ofLimits: ReadonlyArray<VideoReason> = ["video_too_long", "video_too_large", "too_slow"]

const isVideoReason = Schema.is(VideoReasons)
const isUnavailableReason = Schema.is(UnavailableReason)
const isStage = Schema.is(TranscriptJob.fields.stage)

export const jobUrl = (requestId: string): string => `${API_ROOT}/transcript/jobs/${requestId}`

/** Messages about limits name those of the caller's plan. */
export const failureOf = (
  { code, message }: JobError,
  plan: Plan,
): { readonly code: VideoReason | UnavailableReason; readonly message: string } => {
  if (isVideoReason(code)) return { code, message: limitMessages(plan)[code] ?? message }
  return { code: isUnavailableReason(code) ? code : "engine_failed", message }
}

/** `Retry-After` of a failure for a passing reason. */
const RETRY_AFTER_SECONDS = 30

export const errorOf = (error: JobError, plan: Plan): VideoRejected | TranscriptionUnavailable => {
  const { code, message } = failureOf(error, plan)
  return isVideoReason(code) ? VideoRejected.because(code, message) : TranscriptionUnavailable.because(code, message, RETRY_AFTER_SECONDS)
}

/** Error for a transcript that only another plan may read. Null if the caller may read it. */
export const limitError = ({ durationSeconds }: Transcript, plan: Plan): JobError | null =>
  durationSeconds > transcriptLimits[plan].maxDurationSeconds ? { code: "video_too_long", message: "" } : null

const limitMessages = (plan: Plan): Partial<Record<VideoReason, string>> => {
  const { maxBytes, maxDurationSeconds, maxWallSeconds } = transcriptLimits[plan]
  return {
    video_too_long: `the video is longer than ${maxDurationSeconds} seconds, the limit of plan ${plan}`,
    video_too_large: `the video is larger than ${maxBytes / 1_000_000} MB, the limit of plan ${plan}`,
    too_slow: `the transcript was not ready within ${maxWallSeconds} seconds, the limit of plan ${plan}`,
  }
}

/** The transcript in the format of the request. */
export const resultOf = ({ format, platform, url }: StoredRequest, transcript: Transcript): TiktokTranscript | TwitterTranscript => {
  const { text, ...segments } = render(transcript, format)
  const common = { language: transcript.language, duration: transcript.durationSeconds, url, format, ...segments }
  return platform === "tiktok" ? { transcript: text, ...common } : { text, ...common }
}

/** The job without its result. */
export const jobRow = (stored: StoredRequest, plan: Plan): TranscriptJob => {
  const error = stored.error ?? (stored.transcript === null ? null : limitError(stored.transcript, plan))
  const status = error !== null ? "failed" : stored.status === "expired" ? "done" : stored.status
  return {
    job_id: stored.requestId,
    status,
    stage: status === "running" && isStage(stored.stage) ? stored.stage : null,
    progress: stored.progress,
    platform: stored.platform,
    url: stored.url,
    format: stored.format,
    result: null,
    error: error === null ? null : failureOf(error, plan),
    job_url: jobUrl(stored.requestId),
    created_at: new Date(stored.createdAt).toISOString(),
    finished_at: stored.finishedAt === null ? null : new Date(stored.finishedAt).toISOString(),
  }
}
