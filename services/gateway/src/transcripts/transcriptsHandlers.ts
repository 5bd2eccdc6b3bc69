/**
 * Accept requests, wait for jobs and deliver transcripts. Workers of `services/transcripts` make them, in this process
 * or another.
 */
import { createHash, randomUUID } from "node:crypto"
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { Conflict, NotFound, TooManyTranscripts, TranscriptionUnavailable, ValidationError } from "@matchpoint/contracts/http/errors"
import { ServiceApi } from "@matchpoint/contracts/http/ServiceApi"
import type { TranscriptRequest } from "@matchpoint/contracts/http/transcripts/transcriptModels"
import type { Customer } from "@matchpoint/domain/accounts"
import { handlersWith, unavailable } from "@matchpoint/game/edge/responses/unavailable"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Meter } from "@matchpoint/metering/Meter"
import type { StoreError } from "@matchpoint/store/StoreError"
import { type NewRequest, type Opened, TranscriptRequests } from "@matchpoint/store/transcripts/TranscriptRequests"
import type { StoredRequest } from "@matchpoint/store/transcripts/transcriptRows"
import { isLanguage, languages } from "@matchpoint/transcripts/languages"
import { readPostUrl } from "@matchpoint/transcripts/postUrls"
import type { Platform, Transcript } from "@matchpoint/transcripts/Transcript"
import { TranscriptionStatus } from "@matchpoint/transcripts/TranscriptionStatus"
import { transcriptLimits } from "@matchpoint/transcripts/transcriptLimits"
import { Duration, Effect, Layer, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { type Deliver, withReserved } from "./DeliveryCharges.ts"
import { JobWaiters } from "./JobWaiters.ts"
import { TranscriptConfig } from "./TranscriptConfig.ts"
import { errorOf, jobRow, jobUrl, lasting, limitError, ofLimits, resultOf } from "./transcriptRows.ts"

interface OfPost {
  readonly payload: TranscriptRequest
  readonly headers: { readonly "idempotency-key"?: string }
}
interface OfJob {
  readonly params: { readonly jobId: string }
}

const makeHandlers = Effect.gen(function* () {
  const requests = yield* TranscriptRequests
  const meter = yield* Meter
  const waiters = yield* JobWaiters
  const status = yield* TranscriptionStatus
  const { keepFailures, openJobs } = yield* TranscriptConfig
  const reserved = withReserved(meter, requests)

  const available = Effect.flatMap(status.problem, (problem) =>
    problem === null ? Effect.void : Effect.fail(TranscriptionUnavailable.because("not_set_up", problem, NOT_SET_UP_SECONDS)),
  )

  const open = Effect.fnUntraced(function* (wanted: Omit<NewRequest, "limits">, { plan }: Customer) {
    const { openRequests, ...limits } = transcriptLimits[plan]
    const failuresKeptMs = Duration.toMillis(keepFailures)
    const opened = yield* requests.open({ ...wanted, limits }, { openJobs, openRequests, failuresKeptMs, lasting, ofLimits })
    return yield* accepted(opened, plan)
  })

  /** A transcript if the request is finished, otherwise the job. */
  const answer = Effect.fnUntraced(function* (stored: StoredRequest, { plan }: Customer, deliver: Deliver) {
    switch (stored.status) {
      case "done":
        return yield* result(stored, plan, deliver)
      case "failed":
        return yield* errorOf(stored.error ?? NO_REASON, plan)
      case "cancelled":
        return yield* Conflict.because("this transcript was cancelled; send the request again with another Idempotency-Key")
      case "expired":
        return yield* Conflict.because(
          "the transcript of this request is no longer stored; send the request again with another Idempotency-Key",
        )
      case "queued":
      case "running":
        return HttpServerResponse.jsonUnsafe(data(jobRow(stored, plan)), {
          status: 202,
          headers: { location: jobUrl(stored.requestId), "retry-after": POLL_SECONDS },
        })
    }
  })

  const result = Effect.fnUntraced(function* (stored: StoredRequest, plan: Customer["plan"], deliver: Deliver) {
    const transcript = readable(stored, plan)
    if (transcript === null) return yield* errorOf({ code: "video_too_long", message: "" }, plan)
    yield* deliver(stored)
    return HttpServerResponse.jsonUnsafe(data(resultOf(stored, transcript)))
  })

  const post = (platform: Platform) =>
    answering(function* ({ headers, payload }: OfPost) {
      const caller = yield* Caller
      const { postId, url } = yield* postOf(platform, payload.url)
      const language = yield* languageOf(payload.language)
      yield* available
      const key = headers["idempotency-key"]
      const format = payload.format ?? "text"
      const wantsWebhook = payload.webhook ?? false
      const content = JSON.stringify([platform, postId, language, format, wantsWebhook])
      const wanted = {
        requestId: randomUUID(),
        jobId: randomUUID(),
        accountId: caller.accountId,
        platform,
        postId,
        language,
        url,
        format,
        wantsWebhook,
        idempotency: key === undefined ? undefined : { key, hash: createHash("sha256").update(content).digest() },
      }
      return yield* reserved(
        caller,
        Effect.fnUntraced(function* (deliver) {
          const stored = yield* open(wanted, caller)
          if (stored.jobId === null || (stored.status !== "queued" && stored.status !== "running"))
            return yield* answer(stored, caller, deliver)
          yield* waiters.wait(stored.jobId)
          const after = yield* requests.get(caller.accountId, stored.requestId)
          return yield* answer(
            Option.getOrElse(after, () => stored),
            caller,
            deliver,
          )
        }),
      )
    })

  const existing = Effect.fnUntraced(function* (found: Effect.Effect<Option.Option<StoredRequest>, StoreError>, jobId: string) {
    if (!UUID.test(jobId)) return yield* noJob
    const stored = yield* found
    return Option.isSome(stored) && stored.value.status !== "expired" ? stored.value : yield* noJob
  })

  const job = answering(function* ({ params: { jobId } }: OfJob) {
    const caller = yield* Caller
    const stored = yield* existing(requests.get(caller.accountId, jobId), jobId)
    const row = jobRow(stored, caller.plan)
    const transcript = readable(stored, caller.plan)
    if (stored.status !== "done" || transcript === null) return data(row)
    if (!stored.isBilled) yield* reserved(caller, (deliver) => deliver(stored))
    return data({ ...row, result: resultOf(stored, transcript) })
  })

  const cancel = answering(function* ({ params: { jobId } }: OfJob) {
    const caller = yield* Caller
    return data(jobRow(yield* existing(requests.cancel(caller.accountId, jobId), jobId), caller.plan))
  })

  return { tiktok: post("tiktok"), twitter: post("twitter"), job, cancel }
})

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
/** `Retry-After` of a job. */
const POLL_SECONDS = "2"
const NOT_SET_UP_SECONDS = 3_600
const QUEUE_FULL_SECONDS = 60
const NO_REASON = { code: "engine_failed", message: "the transcript could not be made; try again" }

const postOf = (platform: Platform, url: string) => {
  const read = readPostUrl(platform, url)
  return read._tag === "Post" ? Effect.succeed(read.post) : Effect.fail(ValidationError.because(read.reason, { field: "url" }))
}

const languageOf = (language: string | undefined) => {
  if (language === undefined) return Effect.succeed(null)
  const code = language.toLowerCase()
  if (isLanguage(code)) return Effect.succeed(code)
  const message = `language ${JSON.stringify(language)} is not supported; use one of details.valid, or leave it out to detect the language`
  return Effect.fail(ValidationError.because(message, { field: "language", valid: languages }))
}

const accepted = (
  opened: Opened,
  plan: Customer["plan"],
): Effect.Effect<StoredRequest, ReturnType<typeof errorOf> | Conflict | TooManyTranscripts | TranscriptionUnavailable> => {
  switch (opened._tag) {
    case "Stored":
      return Effect.succeed(opened.request)
    case "FailedBefore":
      return Effect.fail(errorOf(opened.error, plan))
    case "OtherRequest":
      return Effect.fail(Conflict.because("this Idempotency-Key belongs to another request; use a new key for each request"))
    case "TooManyOpen":
      return Effect.fail(TooManyTranscripts.of(plan, transcriptLimits[plan].openRequests))
    case "QueueFull":
      return Effect.fail(
        TranscriptionUnavailable.because("queue_full", "too many transcripts are waiting on this server; try again", QUEUE_FULL_SECONDS),
      )
  }
}

/** Null if the transcript is not ready or exceeds the limits of the plan. */
const readable = ({ transcript }: StoredRequest, plan: Customer["plan"]): Transcript | null =>
  transcript === null || limitError(transcript, plan) !== null ? null : transcript

const answering = handlersWith(unavailable("transcripts cannot be read or requested"))

const data = <A>(shown: A) => ({ success: true as const, data: shown, meta: {} })

const noJob = Effect.fail(NotFound.of("your account has no transcript job with this id; jobs are kept for a day"))

export const TranscriptsHandlers = endpointGroup(ServiceApi, "transcripts", (handlers) =>
  Effect.map(makeHandlers, (all) => handlers.handleAll(all)),
).pipe(Layer.provide(JobWaiters.layer))
