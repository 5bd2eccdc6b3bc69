/**
 * The server side of the contract's ConditionalGet. What was worked out for one caller is given to others of his plan for some seconds:
 * making and telling rows takes the database and this process a hundred times what it takes to send them. What is being worked out is
 * waited for. Whether a tag is named is entityTag's business.
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

/** Of the archive: kept by the caller alone, and asked for again before it is used. */
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
        // Answers depend on the caller by what his plan looks back to, and by nothing else of him.
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

/** Undefined: it is no data. */
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
