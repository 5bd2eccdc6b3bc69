import { Schema } from "effect"
import { Instant } from "../instants.ts"

/** Characters. */
export const MAX_POST_URL_LENGTH = 2_048

export const TranscriptFormat = Schema.Literals(["text", "verbose", "srt", "vtt"])
export type TranscriptFormat = typeof TranscriptFormat.Type

const requestOf = (url: string) =>
  Schema.Struct({
    url: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(MAX_POST_URL_LENGTH)).annotate({ description: url }),
    format: Schema.optionalKey(
      TranscriptFormat.annotate({
        description: "`text` (default): the speech as one text. `verbose`: also the segments with their times. `srt`, `vtt`: subtitles",
      }),
    ),
    language: Schema.optionalKey(
      Schema.String.check(Schema.isMaxLength(20)).annotate({ description: "ISO 639-1 code of the spoken language. Absent: detected" }),
    ),
    webhook: Schema.optionalKey(
      Schema.Boolean.annotate({
        description:
          "If true, your webhooks that are subscribed to `transcript.completed` or `transcript.failed` receive the end of the job",
      }),
    ),
  })

export const TiktokTranscriptRequest = requestOf("URL of a public TikTok video").annotate({
  identifier: "TiktokTranscriptRequest",
  examples: [{ url: "https://www.tiktok.com/@user/video/7301234567890123456", format: "verbose", language: "en" }],
})

export const TwitterTranscriptRequest = requestOf("URL of a public post on X (Twitter) with a video").annotate({
  identifier: "TwitterTranscriptRequest",
  examples: [{ url: "https://x.com/user/status/1790000000000000001", format: "srt" }],
})
export type TranscriptRequest = typeof TwitterTranscriptRequest.Type

const seconds = (description: string) => Schema.Finite.annotate({ description })

const SpokenSegment = Schema.Struct({
  start: seconds("Seconds from the start of the video"),
  end: seconds("Seconds from the start of the video"),
  text: Schema.String,
}).annotate({ identifier: "TranscriptSegment" })

const common = {
  language: Schema.String.annotate({ description: "Spoken language, ISO 639-1" }),
  duration: seconds("Length of the video in seconds"),
  url: Schema.String.annotate({ description: "URL of the post without tracking parameters" }),
  format: TranscriptFormat,
  segments: Schema.optionalKey(Schema.Array(SpokenSegment).annotate({ description: "Only in the format `verbose`" })),
} as const

const speech = Schema.String.annotate({ description: "The speech, or the subtitle file" })

export const TiktokTranscript = Schema.Struct({ transcript: speech, ...common }).annotate({
  identifier: "TiktokTranscript",
  examples: [
    {
      transcript: "Good evening and welcome to the grand final.",
      language: "en",
      duration: 4.2,
      url: "https://www.tiktok.com/@user/video/7301234567890123456",
      format: "verbose",
      segments: [{ start: 0, end: 4.2, text: "Good evening and welcome to the grand final." }],
    },
  ],
})
export type TiktokTranscript = typeof TiktokTranscript.Type

export const TwitterTranscript = Schema.Struct({ text: speech, ...common }).annotate({
  identifier: "TwitterTranscript",
  examples: [
    {
      text: "1\n00:00:00,000 --> 00:00:04,200\nGood evening and welcome\nto the grand final.\n",
      language: "en",
      duration: 4.2,
      url: "https://x.com/user/status/1790000000000000001",
      format: "srt",
    },
  ],
})
export type TwitterTranscript = typeof TwitterTranscript.Type

/** Reasons why a video has no transcript, or none for this plan. */
export const VideoReason = Schema.Literals([
  "video_unavailable",
  "no_video",
  "no_speech",
  "video_too_long",
  "video_too_large",
  "too_slow",
  "media_invalid",
  "language_unsupported",
])
export type VideoReason = typeof VideoReason.Type

/** Reasons why the server cannot make a transcript now. */
export const UnavailableReason = Schema.Literals(["not_set_up", "queue_full", "download_failed", "engine_failed"])
export type UnavailableReason = typeof UnavailableReason.Type

export const TranscriptJob = Schema.Struct({
  job_id: Schema.String,
  status: Schema.Literals(["queued", "running", "done", "failed", "cancelled"]),
  stage: Schema.NullOr(Schema.Literals(["downloading", "converting", "transcribing"])).annotate({
    description: "null unless the job is running",
  }),
  progress: Schema.Finite.annotate({ description: "Part of the stage that is done, 0 to 1. 1 if the job is done" }),
  platform: Schema.Literals(["tiktok", "twitter"]),
  url: Schema.String,
  format: TranscriptFormat,
  result: Schema.NullOr(Schema.Union([TiktokTranscript, TwitterTranscript])).annotate({
    description: "The transcript if the job is done, otherwise null",
  }),
  error: Schema.NullOr(
    Schema.Struct({ code: Schema.Union([VideoReason, UnavailableReason]), message: Schema.String }).annotate({
      identifier: "TranscriptJobError",
    }),
  ).annotate({ description: "Why the job failed, otherwise null" }),
  job_url: Schema.String.annotate({ description: "Path at which this server shows the job" }),
  created_at: Instant,
  finished_at: Schema.NullOr(Instant),
}).annotate({
  identifier: "TranscriptJob",
  examples: [
    {
      job_id: "0f2c1d0e-6a60-4a3f-9d0c-9a4f5f2f7a11",
      status: "running",
      stage: "transcribing",
      progress: 0.4,
      platform: "tiktok",
      url: "https://www.tiktok.com/@user/video/7301234567890123456",
      format: "text",
      result: null,
      error: null,
      job_url: "/api/v1/transcript/jobs/0f2c1d0e-6a60-4a3f-9d0c-9a4f5f2f7a11",
      created_at: "2026-11-26T09:00:00.000Z",
      finished_at: null,
    },
  ],
})
export type TranscriptJob = typeof TranscriptJob.Type
