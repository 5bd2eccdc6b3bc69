/**
 * Caches responses for some seconds for all callers on the same plan, because computing one costs a hundred times as
 * much as sending it, in the database and in this process. Identical requests wait for a running computation.
 * `entityTag` compares the entity tags.
 */
import { hash } from "node:crypto"
import { Caller } from "@matchpoint/contracts/http/Authentication"
import { ConditionalGet, NeverReused } from "@matchpoint/contracts/http/ConditionalGet"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { namesTag } from "@matchpoint/game/edge/responses/entityTag"
import { keep } from "@matchpoint/game/edge/responses/reusedResponses"
import { Clock, Context, Effect, Layer } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type CacheableResponse, ResponseCache } from "./ResponseCache.ts"
import { ResponseSharing } from "./ResponseSharing.ts"

/**
 * `Cache-Control` of archive responses. Shared caches must not store them, and the caller must revalidate them before
 * each use.
 */
const CACHE_CONTROL = "private, no-cache"

const MAX_CACHE_BYTES = 64 * 1024 * 1024

export const ConditionalGetLayer = Layer.effect(
  ConditionalGet,
  Effect.gen(function* () {
    const { answersKeptSeconds } = yield* GatewayConfig
    const monotonic = monotonicOf(yield* Clock.Clock)
    const sharing = new ResponseSharing<CacheableResponse>()
    const cache = new ResponseCache(MAX_CACHE_BYTES, answersKeptSeconds * 1_000)

    return ConditionalGet.of((answering, { endpoint, group }) => {
      const isMoving = Context.get(Context.merge(group.annotations, endpoint.annotations), NeverReused)
      return Effect.contextWith((context: Context.Context<Caller | HttpServerRequest.HttpServerRequest>) => {
        const request = Context.get(context, HttpServerRequest.HttpServerRequest)
        const ifNoneMatch = request.headers["if-none-match"]
        // The plan limits how old the data may be. A response depends on nothing else about the caller.
        const key = `${Context.get(context, Caller).plan} ${request.url}`
        const startedAt = monotonic()
        const computed = (share: (answer: CacheableResponse) => void) =>
          Effect.map(answering, (response) => {
            const answer = tagged(response)
            if (answer === undefined) return response
            share(answer)
            return given(answer, ifNoneMatch)
          })
        if (isMoving || answersKeptSeconds === 0) return computed(() => undefined)
        const cached = cache.get(key, startedAt)
        if (cached !== undefined) return Effect.succeed(given(cached, ifNoneMatch))
        const caching = (share: (answer: CacheableResponse) => void) =>
          computed((answer) => {
            keep(answer.response)
            cache.put(key, answer, startedAt)
            share(answer)
          })
        return sharing.join(key, caching, (answer) => given(answer, ifNoneMatch))
      })
    })
  }),
)

/** Undefined if the response contains no data, e.g. because it is an error. */
const tagged = (response: HttpServerResponse.HttpServerResponse): CacheableResponse | undefined => {
  if (response.status !== 200 || response.body._tag !== "Uint8Array") return undefined
  const { body } = response.body
  const etag = `"${hash("sha1", body, "base64url")}"`
  return {
    response: HttpServerResponse.setHeaders(response, { etag, "cache-control": CACHE_CONTROL }),
    etag,
    bytes: body.byteLength,
  }
}

const given = ({ etag, response }: CacheableResponse, ifNoneMatch: string | undefined) =>
  namesTag(ifNoneMatch, etag) ? HttpServerResponse.empty({ status: 304, headers: { etag, "cache-control": CACHE_CONTROL } }) : response
