/**
 * Transcripts of public video posts. A request waits some seconds for its transcript and then answers 202 with the URL
 * of a job. It costs 1 when its transcript is delivered for the first time, and nothing otherwise.
 */
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Authentication } from "../Authentication.ts"
import { BodyRules } from "../BodyRules.ts"
import { NoMeta, success } from "../envelope.ts"
import { Conflict, NotFound, ServiceUnavailable, TooManyTranscripts, TranscriptionUnavailable, VideoRejected } from "../errors.ts"
import { IdempotencyKey } from "../IdempotencyKey.ts"
import { Free, Metering, OnDelivery } from "../Metering.ts"
import { QueryRules } from "../QueryRules.ts"
import { RequestRules } from "../RequestRules.ts"
import {
  TiktokTranscript,
  TiktokTranscriptRequest,
  TranscriptJob,
  TwitterTranscript,
  TwitterTranscriptRequest,
} from "./transcriptModels.ts"

const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const headers = {
  "idempotency-key": Schema.optionalKey(
    IdempotencyKey.annotate({
      description: "If you repeat the request with the same key within a day, it is the same request and is charged once",
    }),
  ),
} as const

const job = success(TranscriptJob, NoMeta)
const accepted = job.pipe(HttpApiSchema.status(202)).annotate({
  description: "The transcript is not ready yet. `Location` is the URL of the job",
})
const error = [VideoRejected, Conflict, TooManyTranscripts, TranscriptionUnavailable, ServiceUnavailable] as const

const waits =
  "Answers 200 with the transcript if it is ready within 25 seconds, and otherwise 202 with the URL of a job. Transcripts are stored for a day, " +
  "so the same post is answered at once."

const params = { jobId: StorableText } as const

export class TranscriptsApi extends HttpApiGroup.make("transcripts")
  .add(
    HttpApiEndpoint.post("tiktok", "/transcript/tiktok", {
      headers,
      payload: TiktokTranscriptRequest,
      success: [success(TiktokTranscript, NoMeta), accepted],
      error,
    })
      .annotate(OnDelivery, true)
      .annotateMerge(describe("Transcript of a TikTok video", `The speech in a public TikTok video. ${waits}`)),
    HttpApiEndpoint.post("twitter", "/transcript/twitter", {
      headers,
      payload: TwitterTranscriptRequest,
      success: [success(TwitterTranscript, NoMeta), accepted],
      error,
    })
      .annotate(OnDelivery, true)
      .annotateMerge(describe("Transcript of a post on X", `The speech in the video of a public post on X (Twitter). ${waits}`)),
    HttpApiEndpoint.get("job", "/transcript/jobs/:jobId", { params, success: job, error: [NotFound, ServiceUnavailable] })
      .annotate(OnDelivery, true)
      .annotateMerge(
        describe(
          "Transcript job",
          "State of a job that your account has requested, with the transcript when it is done. Jobs are kept for a day.",
        ),
      ),
    HttpApiEndpoint.delete("cancel", "/transcript/jobs/:jobId", { params, success: job, error: [NotFound, ServiceUnavailable] })
      .annotate(Free, true)
      .annotateMerge(
        describe(
          "Cancel a transcript job",
          "Ends the job for your request. A job that is finished stays as it is. The response has no transcript.",
        ),
      ),
  )
  .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error" })
  .middleware(QueryRules)
  .middleware(BodyRules)
  .middleware(Metering)
  .middleware(Authentication)
  .middleware(RequestRules)
  .annotateMerge(
    OpenApi.annotations({
      title: "Transcripts",
      description: "The speech in public video posts as text or subtitles, with the language detected or given.",
    }),
  ) {}
