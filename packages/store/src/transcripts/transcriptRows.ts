/** Transcript jobs and requests as the database returns them. */
import { TranscriptFormat } from "@matchpoint/contracts/http/transcripts/transcriptModels"
import { Platform, Transcript } from "@matchpoint/transcripts/Transcript"
import { Schema } from "effect"
import { Counter } from "../Counter.ts"

/** Identifies the speech. `language` is null for detection. */
export interface TranscriptKey {
  readonly platform: Platform
  readonly postId: string
  readonly language: string | null
}

/** The database stores detection as an empty language, because null values are never equal. */
export const languageColumn = (language: string | null): string => language ?? ""

/** `code` is one of the reasons of the contract. */
export const JobError = Schema.Struct({ code: Schema.String, message: Schema.String })
export type JobError = typeof JobError.Type

export const ClaimedJob = Schema.Struct({
  jobId: Schema.String,
  platform: Platform,
  url: Schema.String,
  language: Schema.NullOr(Schema.String),
  maxDurationSeconds: Schema.Natural,
  maxBytes: Counter,
  maxWallSeconds: Schema.Natural,
  /** Number of the attempt, from 1. */
  attempt: Schema.Natural,
  /** Number of the claim. Only the newest claim of a job can change it. */
  fence: Schema.Natural,
})
export type ClaimedJob = typeof ClaimedJob.Type

/** Request with the state of its job. Times are epoch ms. */
export const StoredRequest = Schema.Struct({
  requestId: Schema.String,
  /** Null if the transcript existed when the request arrived. */
  jobId: Schema.NullOr(Schema.String),
  platform: Platform,
  url: Schema.String,
  format: TranscriptFormat,
  /** `expired`: the transcript is no longer stored. */
  status: Schema.Literals(["queued", "running", "done", "failed", "cancelled", "expired"]),
  stage: Schema.NullOr(Schema.String),
  progress: Schema.Finite,
  error: Schema.NullOr(JobError),
  transcript: Schema.NullOr(Schema.fromJsonString(Transcript)),
  isBilled: Schema.Boolean,
  createdAt: Counter,
  finishedAt: Schema.NullOr(Counter),
})
export type StoredRequest = typeof StoredRequest.Type
