/**
 * Webhook events of transcripts. Only the account that requested a transcript receives them, and only if the request
 * asked for them.
 */
import { Schema } from "effect"
import { TranscriptJob } from "../http/transcripts/transcriptModels.ts"

const { created_at, error, finished_at, format, job_id, job_url, platform, url } = TranscriptJob.fields

const CompletedData = Schema.Struct({
  job_id,
  platform,
  url,
  format,
  language: Schema.String.annotate({ description: "Spoken language, ISO 639-1" }),
  duration: Schema.Finite.annotate({ description: "Length of the video in seconds" }),
  job_url: job_url.annotate({ description: "Path at which the transcript can be read. Reading it for the first time costs one request" }),
  created_at,
  finished_at,
}).annotate({ identifier: "TranscriptCompletedData" })

const FailedData = Schema.Struct({ job_id, platform, url, format, error, job_url, created_at, finished_at }).annotate({
  identifier: "TranscriptFailedData",
})

export const transcriptWebhookEvents = {
  "transcript.completed": { description: "A transcript that you requested with `webhook: true` is ready.", data: CompletedData },
  "transcript.failed": { description: "A transcript that you requested with `webhook: true` could not be made.", data: FailedData },
} as const

export type TranscriptEventName = keyof typeof transcriptWebhookEvents

export const transcriptEventNames: ReadonlyArray<TranscriptEventName> = ["transcript.completed", "transcript.failed"]

/** A request has at most one event. */
export const transcriptEventId = (requestId: string): string => `evt_transcript_${requestId}`
