/**
 * Server side of the contract's ConditionalGet. For some seconds, a response is reused for all callers on the same
 * plan. Computing rows costs the database and this process a hundred times as much as sending them. Identical requests
 * wait for a running computation. `entityTag` compares the tags.
 */
import { hash } from "node:crypto"
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { ConditionalGet, Moving } from "@matchpoint/contracts/http/ConditionalGet"
import { monotonicOf } from "@matchpoint/metering/monotonic"
import { Clock, Context, Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { GatewayConfig } from "../../GatewayConfig.ts"
import { AnswerFlights } from "./AnswerFlights.ts"
import { AnswerShelf, type ShelvedAnswer } from "./AnswerShelf.ts"
import { namesTag } from "./entityTag.ts"
import { keep } from "./keptAnswers.ts"

/** For archive responses: only the caller may cache them, and must revalidate them before each use. */
const CACHE_CONTROL = "private, no-cache"

const MAX_SHELF_BYTES = 64 * 1024 * 1024

export const ConditionalGetLayer = Layer.effect(
  ConditionalGet,
  Effect.gen(function* () {
    const { answersKeptSeconds } = yield* GatewayConfig
    const monotonic = monotonicOf(yield* Clock.Clock)
    const flights = new AnswerFlights<ShelvedAnswer>()
    const shelf = new AnswerShelf(MAX_SHELF_BYTES, answersKeptSeconds * 1_000)

    return ConditionalGet.of((answering, { endpoint, group }) => {
      const isMoving = Context.get(Context.merge(group.annotations, endpoint.annotations), Moving)
      return Effect.contextWith((context: Context.Context<Caller | HttpServerRequest.HttpServerRequest>) => {
        const request = Context.get(context, HttpServerRequest.HttpServerRequest)
        const ifNoneMatch = request.headers["if-none-match"]
        // Responses depend on the caller's plan, which limits the history, and on nothing else about the caller.
        const key = `${Context.get(context, Caller).plan} ${request.url}`
        const askedAt = monotonic()
        const worked = (share: (answer: ShelvedAnswer) => void) =>
          Effect.map(answering, (response) => {
            const answer = tagged(response)
            if (answer === undefined) return response
            share(answer)
            return given(answer, ifNoneMatch)
          })
        if (isMoving || answersKeptSeconds === 0) return worked(() => undefined)
        const shelved = shelf.get(key, askedAt)
        if (shelved !== undefined) return Effect.succeed(given(shelved, ifNoneMatch))
        const keeping = (share: (answer: ShelvedAnswer) => void) =>
          worked((answer) => {
            keep(answer.response)
            shelf.put(key, answer, askedAt)
            share(answer)
          })
        return flights.join(key, keeping, (answer) => given(answer, ifNoneMatch))
      })
    })
  }),
)

/** Adds an entity tag. Returns undefined if the response is not data, e.g. an error. */
const tagged = (response: HttpServerResponse.HttpServerResponse): ShelvedAnswer | undefined => {
  if (response.status !== 200 || response.body._tag !== "Uint8Array") return undefined
  const { body } = response.body
  const etag = `"${hash("sha1", body, "base64url")}"`
  return {
    response: HttpServerResponse.setHeaders(response, { etag, "cache-control": CACHE_CONTROL }),
    etag,
    bytes: body.byteLength,
  }
}

const given = ({ etag, response }: ShelvedAnswer, ifNoneMatch: string | undefined) =>
  namesTag(ifNoneMatch, etag) ? HttpServerResponse.empty({ status: 304, headers: { etag, "cache-control": CACHE_CONTROL } }) : response
