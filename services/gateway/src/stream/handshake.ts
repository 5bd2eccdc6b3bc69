/** What the live channels share when a client connects: the key, its wishes, the answer to a refused one, the first message. */
import { API_KEY_HEADER } from "@matchpoint/contracts/http/Authentication"
import { body, type ErrorCode, errorStatus } from "@matchpoint/contracts/http/errors"
import { Shape } from "@matchpoint/contracts/stream/frames"
import { conflationSteps, Flush, MaxRateMs, PING_INTERVAL_SECONDS, type Ready, SlowPolicy } from "@matchpoint/contracts/stream/messages"
import type { Customer } from "@matchpoint/domain/accounts"
import { planTerms } from "@matchpoint/domain/plans"
import type { Pace } from "@matchpoint/realtime/Channel"
import type { UpgradeRequest } from "@matchpoint/uws/UpgradeRequest"
import { type Reject, reject } from "@matchpoint/uws/Verdict"
import { Redacted, type Result, Schema } from "effect"
import type { GatewaySettings } from "../GatewayConfig.ts"

const utf8 = new TextEncoder()

/** Header `x-api-key`, then `Authorization: Bearer`, then, where the channel allows it, the query parameter `apiKey`. */
export const secretOf = (request: UpgradeRequest, options: { readonly inQuery: boolean }): Redacted.Redacted<string> => {
  const bearer = /^Bearer\s+(.+)$/i.exec(request.headers["authorization"] ?? "")?.[1]
  const query = options.inQuery ? request.query.get("apiKey") : null
  return Redacted.make((request.headers[API_KEY_HEADER] ?? bearer ?? query ?? "").trim(), { label: "API key" })
}

/** What a client may ask for in the query of a live channel. */
const Wishes = Schema.Struct({
  shape: Schema.optionalKey(Shape),
  maxRateMs: Schema.optionalKey(Schema.FiniteFromString.pipe(Schema.decodeTo(MaxRateMs))),
  flush: Schema.optionalKey(Flush),
  slow: Schema.optionalKey(SlowPolicy),
})

const decodeWishes = Schema.decodeUnknownResult(Wishes)
const wishNames = Object.keys(Wishes.fields)

export interface Wish {
  readonly shape: Shape
  readonly pace: Pace
  readonly policy: SlowPolicy
}

export const wishesOf = (query: URLSearchParams): Result.Result<typeof Wishes.Type, Schema.SchemaError> =>
  decodeWishes(Object.fromEntries([...query].filter(([name]) => wishNames.includes(name))))

export const wishOf = (wishes: typeof Wishes.Type): Wish => ({
  shape: wishes.shape ?? "v1",
  pace: paceOf(wishes),
  policy: wishes.slow ?? "conflate",
})

/** Undefined members: not said. */
export const paceOf = (said: { readonly maxRateMs?: number; readonly flush?: Flush }, fallback: Pace = "adaptive"): Pace =>
  said.maxRateMs === undefined ? (said.flush ?? fallback) : conflationStep(said.maxRateMs)

const conflationStep = (ms: number): number => conflationSteps.find((step) => step >= ms) ?? 10_000

export const refuse = (code: ErrorCode, message: string, details?: unknown): Reject =>
  reject(errorStatus[code], {
    headers: {
      "content-type": "application/json",
      "access-control-allow-origin": "*",
      ...(errorStatus[code] === 429 ? { "retry-after": "5" } : {}),
    },
    body: utf8.encode(JSON.stringify(body(code, message, details))),
  })

interface ErrorBody {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly details?: unknown }
}

export const refusal = ({ error }: ErrorBody): Reject => refuse(error.code, error.message, error.details)

/** Until plans are metered streams cost nothing. */
export const readyFor = (key: Customer, { shape, policy }: Wish, settings: GatewaySettings): Ready => ({
  type: "ready",
  delay_seconds: planTerms[key.plan].delaySeconds === 0 ? 0 : settings.delaySeconds,
  billing: { requests_at_connect: 1, requests_per_interval: 1, interval_seconds: 15, metered: false },
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
