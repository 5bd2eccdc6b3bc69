/**
 * What the live channels share for connecting clients: API key, options, the response to a rejected handshake and the
 * first message to an accepted client.
 */
import { API_KEY_HEADER } from "@matchpoint/contracts/http/Authentication"
import { errorStatus, ValidationError } from "@matchpoint/contracts/http/errors"
import { acceptsProblem, type ErrorEnvelope, PROBLEM_CONTENT_TYPE, problemOf, retryAfterOf } from "@matchpoint/contracts/http/problem"
import { unknownParameter } from "@matchpoint/contracts/http/QueryRules"
import { Shape } from "@matchpoint/contracts/stream/frames"
import { conflationSteps, Flush, MaxRateMs, PING_INTERVAL_SECONDS, type Ready, SlowPolicy } from "@matchpoint/contracts/stream/messages"
import type { Customer } from "@matchpoint/domain/accounts"
import { planTerms } from "@matchpoint/domain/plans"
import type { GatewaySettings } from "@matchpoint/game/edge/GatewayConfig"
import { TICK_SECONDS } from "@matchpoint/metering/StreamMeter"
import { REQUEST_ID_HEADER, requestIdOf } from "@matchpoint/process/http/requestId"
import type { Pace } from "@matchpoint/realtime/Channel"
import { type Accept, accept, type Reject, reject } from "@matchpoint/uws/ConnectDecision"
import type { UpgradeRequest } from "@matchpoint/uws/UpgradeRequest"
import { Effect, Redacted, Result, Schema } from "effect"

const utf8 = new TextEncoder()

/**
 * Longest time until a handshake is decided, for tens of thousands of clients that reconnect at once. They wait their
 * turn: rejected clients would come back and cost the same again.
 */
export const HANDSHAKE_WITHIN_MS = 30_000

/**
 * Reconnects of many clients are spread at random over one millisecond per client, because a gateway accepts about
 * 1,000 clients a second, and over this many milliseconds at most.
 */
const RECONNECT_WITHIN_MS = 5_000

/** Milliseconds after which one of `clients` that must reconnect should do so. */
export const reconnectAfterMs = (random: { readonly nextDoubleUnsafe: () => number }, clients = Number.POSITIVE_INFINITY): number =>
  Math.floor(random.nextDoubleUnsafe() * Math.min(RECONNECT_WITHIN_MS, clients))

/** Browsers cannot set headers when they open a stream, so the query parameter `apiKey` is accepted too. */
export const secretOf = (request: UpgradeRequest): Redacted.Redacted<string> => {
  const bearer = /^Bearer\s+(.+)$/i.exec(request.headers["authorization"] ?? "")?.[1]
  const secret = request.headers[API_KEY_HEADER] ?? bearer ?? request.query.get("apiKey") ?? ""
  return Redacted.make(secret.trim(), { label: "API key" })
}

const QueryOptions = Schema.Struct({
  shape: Schema.optionalKey(Shape),
  maxRateMs: Schema.optionalKey(Schema.FiniteFromString.pipe(Schema.decodeTo(MaxRateMs))),
  flush: Schema.optionalKey(Flush),
  slow: Schema.optionalKey(SlowPolicy),
})

const decodeQueryOptions = Schema.decodeUnknownResult(QueryOptions)
const optionNames = Object.keys(QueryOptions.fields)

/** The SSE stream also has `lastEventId`. */
const channelParameters: ReadonlyArray<string> = [...optionNames, "matchId", "apiKey"]

export interface StreamOptions {
  readonly shape: Shape
  readonly pace: Pace
  readonly policy: SlowPolicy
}

/** Query parameters in `others` may stand beside the options. Fails if one is unknown or invalid. */
export const streamOptionsOf = (
  query: URLSearchParams,
  others: ReadonlyArray<string> = [],
): Effect.Effect<StreamOptions, ValidationError> => {
  const unknown = unknownParameter(query.keys(), [...channelParameters, ...others])
  if (unknown !== undefined) return Effect.fail(unknown)
  const options = decodeQueryOptions(Object.fromEntries([...query].filter(([name]) => optionNames.includes(name))))
  if (Result.isFailure(options)) return Effect.fail(ValidationError.because("the query is invalid", { issue: options.failure.message }))
  const { shape, slow } = options.success
  return Effect.succeed({ shape: shape ?? "v1", pace: paceOf(options.success), policy: slow ?? "conflate" })
}

/** `maxRateMs` takes precedence over `flush`. */
export const paceOf = (requested: { readonly maxRateMs?: number; readonly flush?: Flush }, fallback: Pace = "adaptive"): Pace =>
  requested.maxRateMs === undefined ? (requested.flush ?? fallback) : conflationStep(requested.maxRateMs)

const conflationStep = (ms: number): number => conflationSteps.find((step) => step >= ms) ?? 10_000

/** A browser waits for `retryMs` before it reconnects. */
export const acceptStream = <Data>(data: Data, retryMs: number): Accept<Data> =>
  accept(data, { headers: { "access-control-allow-origin": "*" }, retryMs })

/** The error envelope, or a problem document if the client accepts that. */
export const refusal = (refused: ErrorEnvelope, headers: { readonly [name: string]: string | undefined }): Reject => {
  const { error } = refused
  const requestId = requestIdOf(headers)
  const isProblem = acceptsProblem(headers["accept"])
  const retryAfter = retryAfterOf(refused)
  return reject(errorStatus[error.code], {
    headers: {
      "content-type": isProblem ? PROBLEM_CONTENT_TYPE : "application/json",
      "access-control-allow-origin": "*",
      "access-control-expose-headers": `retry-after, ${REQUEST_ID_HEADER}`,
      [REQUEST_ID_HEADER]: requestId,
      ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
    },
    body: utf8.encode(JSON.stringify(isProblem ? problemOf(refused, requestId) : { success: false, error })),
  })
}

/** The first message on a channel. `metered`: this gateway counts requests and streams. */
export const readyFor = (key: Customer, { shape, policy }: StreamOptions, settings: GatewaySettings, metered: boolean): Ready => ({
  type: "ready",
  delay_seconds: planTerms[key.plan].delaySeconds === 0 ? 0 : settings.delaySeconds,
  billing: { requests_at_connect: 1, requests_per_interval: 1, interval_seconds: TICK_SECONDS, metered },
  heartbeat_seconds: PING_INTERVAL_SECONDS,
  plan: key.plan,
  shape,
  slow: policy,
  limits: {
    rooms: planTerms[key.plan].rooms,
    message_bytes: settings.maxMessageBytes,
    waiting_bytes: settings.maxBackpressureBytes,
  },
})
