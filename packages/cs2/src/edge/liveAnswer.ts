/**
 * Builds the responses of the live endpoints from their content: selects the message format (v1 or v2), adds the entity
 * tag, and answers 304 if the caller has the current version. Each response is encoded once per frame and shared by all
 * callers.
 */
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { ValidationError } from "@matchpoint/contracts/http/errors"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { Plan } from "@matchpoint/domain/plans"
import type { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { namesTag } from "@matchpoint/game/edge/responses/entityTag"
import { keep } from "@matchpoint/game/edge/responses/reusedResponses"
import type { Edge } from "@matchpoint/realtime/Edge"
import { Effect, Result, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { answersV1, answersV2, type LiveRead } from "../contract/http/liveAnswers.ts"
import { shapeOfAccept, V2_CONTENT_TYPE } from "../contract/http/shapes.ts"

/** Snapshots are excluded, because `liveSnapshots` encodes them in slices. */
type WholeRead = Exclude<LiveRead, "snapshots">

type V1 = { readonly [Read in WholeRead]: (typeof answersV1)[Read]["Type"] }
type V2 = { readonly [Read in WholeRead]: (typeof answersV2)[Read]["Type"] }

/**
 * `edge` is the live data that the caller's plan may see, `shape` the message format, and the entity tag that of the
 * version that the caller already has.
 */
export interface LiveRequest {
  readonly edge: Edge
  readonly plan: Plan
  readonly shape: Shape
  readonly ifNoneMatch: string | undefined
}

export const liveRequestOf = Effect.fnUntraced(function* (
  hub: LiveHub["Service"],
  request: HttpServerRequest.HttpServerRequest,
  query: { readonly shape?: Shape },
) {
  const { plan } = yield* Caller
  const chosen = query.shape === undefined ? shapeOfAccept(request.headers["accept"]) : Result.succeed(query.shape)
  if (Result.isFailure(chosen)) return yield* ValidationError.because(chosen.failure)
  return { edge: hub.edgeFor(plan), plan, shape: chosen.success, ifNoneMatch: request.headers["if-none-match"] } satisfies LiveRequest
})

/** Content of a response by message format. Called only if the caller does not have the current version. */
export interface Shown<Read extends WholeRead> {
  readonly etag: string
  readonly v1: () => V1[Read]
  readonly v2: () => V2[Read]
  /** The response is cached as long as this object lives, e.g. the newest frame's views. If undefined, not at all. */
  readonly keepWith?: object
}

/** Cached responses per frame, for example for different pages and limits. Others are encoded for each request. */
const KEPT_VARIANTS = 64
const kept = new WeakMap<object, Map<string, HttpServerResponse.HttpServerResponse>>()

export const answer = <Read extends WholeRead>(
  read: Read,
  liveRequest: LiveRequest,
  shown: Shown<Read>,
): HttpServerResponse.HttpServerResponse => {
  const { etag, keepWith } = shown
  if (hasIt(liveRequest, etag)) return unchanged(etag)
  if (keepWith === undefined) return encoded(read, liveRequest.shape, shown)
  let variants = kept.get(keepWith)
  if (variants === undefined) {
    variants = new Map()
    kept.set(keepWith, variants)
  }
  const key = read + etag
  const known = variants.get(key)
  if (known !== undefined) return known
  const response = encoded(read, liveRequest.shape, shown)
  if (variants.size < KEPT_VARIANTS) variants.set(key, keep(response))
  return response
}

const encoded = <Read extends WholeRead>(read: Read, shape: Shape, { etag, v1, v2 }: Shown<Read>): HttpServerResponse.HttpServerResponse =>
  whole(shape, etag, JSON.stringify(shape === "v1" ? encodersV1[read](v1()) : encodersV2[read](v2())))

export const hasIt = (liveRequest: LiveRequest, etag: string): boolean => namesTag(liveRequest.ifNoneMatch, etag)

export const unchanged = (etag: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 304, headers: headersOf(etag) })

export const whole = (shape: Shape, etag: string, text: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(text, { contentType: shape === "v1" ? "application/json" : V2_CONTENT_TYPE, headers: headersOf(etag) })

/** Private and revalidated before each use, because the data changes every second on every plan. */
const headersOf = (etag: string) => ({ etag, "cache-control": "private, no-cache", vary: "Accept" })

/** They omit fields that are not in the contract. If a value violates it, they throw: the request fails as a server error. */
const encodersV1: { readonly [Read in WholeRead]: (answer: V1[Read]) => unknown } = {
  list: Schema.encodeSync(answersV1.list),
  socket: Schema.encodeSync(answersV1.socket),
  scoreboard: Schema.encodeSync(answersV1.scoreboard),
  state: Schema.encodeSync(answersV1.state),
  rounds: Schema.encodeSync(answersV1.rounds),
  events: Schema.encodeSync(answersV1.events),
  playerStats: Schema.encodeSync(answersV1.playerStats),
  maps: Schema.encodeSync(answersV1.maps),
}

const encodersV2: { readonly [Read in WholeRead]: (answer: V2[Read]) => unknown } = {
  list: Schema.encodeSync(answersV2.list),
  socket: Schema.encodeSync(answersV2.socket),
  scoreboard: Schema.encodeSync(answersV2.scoreboard),
  state: Schema.encodeSync(answersV2.state),
  rounds: Schema.encodeSync(answersV2.rounds),
  events: Schema.encodeSync(answersV2.events),
  playerStats: Schema.encodeSync(answersV2.playerStats),
  maps: Schema.encodeSync(answersV2.maps),
}
