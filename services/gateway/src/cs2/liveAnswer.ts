/**
 * How a live read is answered: in the shape that was asked for, with an entity tag, with 304 where the caller has it, and encoded by
 * the contract once per frame however many ask. Does not know what is shown.
 */
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { answersV1, answersV2, type LiveRead } from "@matchpoint/contracts/http/cs2/liveAnswers"
import { shapeOfAccept, V2_CONTENT_TYPE } from "@matchpoint/contracts/http/cs2/shapes"
import { ValidationError } from "@matchpoint/contracts/http/errors"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { Plan } from "@matchpoint/domain/plans"
import type { Edge } from "@matchpoint/realtime/Edge"
import { Effect, Result, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { namesTag } from "../http/responses/entityTag.ts"
import { keep } from "../http/responses/keptAnswers.ts"
import type { LiveHub } from "../live/LiveHub.ts"

/** Snapshots are written in slices, elsewhere. */
type WholeRead = Exclude<LiveRead, "snapshots">

type V1 = { readonly [Read in WholeRead]: (typeof answersV1)[Read]["Type"] }
type V2 = { readonly [Read in WholeRead]: (typeof answersV2)[Read]["Type"] }

/** Who asks for what, and the tier he reads. */
export interface Asked {
  readonly edge: Edge
  readonly plan: Plan
  readonly shape: Shape
  readonly ifNoneMatch: string | undefined
}

export const askedOf = Effect.fnUntraced(function* (
  hub: LiveHub["Service"],
  request: HttpServerRequest.HttpServerRequest,
  query: { readonly shape?: Shape },
) {
  const { plan } = yield* Caller
  const chosen = query.shape === undefined ? shapeOfAccept(request.headers["accept"]) : Result.succeed(query.shape)
  if (Result.isFailure(chosen)) return yield* ValidationError.because(chosen.failure)
  return { edge: hub.edgeFor(plan), plan, shape: chosen.success, ifNoneMatch: request.headers["if-none-match"] } satisfies Asked
})

/** What is shown, in either shape; made only when somebody lacks it. */
export interface Shown<Read extends WholeRead> {
  readonly etag: string
  readonly v1: () => V1[Read]
  readonly v2: () => V2[Read]
  /** Whose life the encoded answer shares, e.g. the views of the newest frame. Undefined: it is not worth keeping. */
  readonly keepWith?: object
}

/** Asked again and again by many; past this many variants of one frame (pages, limits) an answer is encoded each time. */
const KEPT_VARIANTS = 64
const kept = new WeakMap<object, Map<string, HttpServerResponse.HttpServerResponse>>()

export const answer = <Read extends WholeRead>(read: Read, asked: Asked, shown: Shown<Read>): HttpServerResponse.HttpServerResponse => {
  const { etag, keepWith } = shown
  if (hasIt(asked, etag)) return unchanged(etag)
  if (keepWith === undefined) return encoded(read, asked.shape, shown)
  let variants = kept.get(keepWith)
  if (variants === undefined) {
    variants = new Map()
    kept.set(keepWith, variants)
  }
  const key = read + etag
  const known = variants.get(key)
  if (known !== undefined) return known
  const response = encoded(read, asked.shape, shown)
  if (variants.size < KEPT_VARIANTS) variants.set(key, keep(response))
  return response
}

const encoded = <Read extends WholeRead>(read: Read, shape: Shape, { etag, v1, v2 }: Shown<Read>): HttpServerResponse.HttpServerResponse =>
  whole(shape, etag, JSON.stringify(shape === "v1" ? encodersV1[read](v1()) : encodersV2[read](v2())))

/** Whether the caller holds this answer already. */
export const hasIt = (asked: Asked, etag: string): boolean => namesTag(asked.ifNoneMatch, etag)

export const unchanged = (etag: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 304, headers: headersOf(etag) })

/** `text`: the answer's JSON. */
export const whole = (shape: Shape, etag: string, text: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(text, { contentType: shape === "v1" ? "application/json" : V2_CONTENT_TYPE, headers: headersOf(etag) })

/** Live reads may be kept by the caller alone and must be asked for again: what was true is old a second later, on every plan. */
const headersOf = (etag: string) => ({ etag, "cache-control": "private, no-cache", vary: "Accept" })

/** They drop what the contract does not know and die on what it does not allow. */
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
