/**
 * Rules for all responses of the HTTP router, applied in one pass: request id, error format, CORS, browser security
 * headers, the caller's limits and compression. Contains no code for a particular endpoint.
 */
import { type OwnHeaders, SharedHeaders, withHeaders } from "@matchpoint/uws/http/SharedHeaders"
import { Cause, Context, Effect, References } from "effect"
import { Headers, HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { GatewayConfig } from "../../GatewayConfig.ts"
import { anyOrigin, exposed, isOpen, preflight } from "../crossOrigin.ts"
import { HttpMetrics } from "../HttpMetrics.ts"
import { isLiteral } from "../literalPaths.ts"
import { notThere } from "../pages/fallback.ts"
import { pageHeaders } from "../pages/pageHeaders.ts"
import { CurrentRequest, REQUEST_ID_HEADER, RequestNote, requestIdOf } from "../requestId.ts"
import { AnswerCompression } from "./AnswerCompression.ts"
import { codingFor, isCompressible } from "./contentEncoding.ts"
import { heldTag } from "./entityTag.ts"
import { answerOf, inForm } from "./errorAnswers.ts"
import { keptHeaders } from "./keptAnswers.ts"

const HSTS = "max-age=31536000; includeSubDomains"

export const AnswerRules = HttpRouter.middleware(
  Effect.gen(function* () {
    const { publicUrl } = yield* GatewayConfig
    const measured = new HttpMetrics(yield* Effect.context<never>())
    const everywhere: Readonly<Record<string, string>> = {
      "x-content-type-options": "nosniff",
      ...(publicUrl?.startsWith("https:") ? { "strict-transport-security": HSTS } : {}),
    }
    const open = { ...everywhere, ...anyOrigin }
    const compression = new AnswerCompression()

    /** Returns the headers that are the same for all clients. */
    const said = (response: HttpServerResponse.HttpServerResponse, byRule: Readonly<Record<string, string>>) => {
      const headers = copied(response.headers)
      headers["cache-control"] ??= "no-store"
      if (variesByCoding(response))
        headers["vary"] = headers["vary"] === undefined ? "Accept-Encoding" : `${headers["vary"]}, Accept-Encoding`
      if (headers["content-type"]?.startsWith("text/html")) Object.assign(headers, pageHeaders(response))
      return new SharedHeaders(Object.assign(headers, byRule))
    }
    const saidOpenly = (response: HttpServerResponse.HttpServerResponse) => said(response, open)

    const finished = (
      response: HttpServerResponse.HttpServerResponse,
      request: HttpServerRequest.HttpServerRequest,
      note: RequestNote,
    ): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
      const formed = response.status >= 400 ? inForm(response, request, note.requestId) : response
      const isForAll = isOpen(request.url)
      const own: OwnHeaders = { [REQUEST_ID_HEADER]: note.requestId }
      note.charged?.answered(formed.status, own)
      if (isForAll && request.headers["origin"] !== undefined) Object.assign(own, exposed)
      const etag = formed.status === 304 ? formed.headers["etag"] : undefined
      if (etag !== undefined) {
        const held = heldTag(request.headers["if-none-match"], etag)
        if (held !== etag) own["etag"] = held
      }
      const sent = (form: HttpServerResponse.HttpServerResponse) =>
        withHeaders(form, isForAll ? keptHeaders(form, saidOpenly) : said(form, everywhere), own)
      const coding = codingFor(request.headers["accept-encoding"])
      if (coding === undefined) return Effect.succeed(sent(formed))
      const form = compression.form(formed, coding)
      return form instanceof Promise
        ? Effect.map(
            Effect.promise(() => form),
            sent,
          )
        : Effect.succeed(sent(form))
    }

    return <E, R>(answering: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
      Effect.contextWith((context: Context.Context<HttpServerRequest.HttpServerRequest>) => {
        const request = Context.get(context, HttpServerRequest.HttpServerRequest)
        const note = new RequestNote(requestIdOf(request.headers))
        if (request.method === "OPTIONS" && isOpen(request.url)) return finished(preflight, request, note)
        const begunAt = performance.now()
        const finishedAndCounted = (response: HttpServerResponse.HttpServerResponse) => {
          measured.answered(note.route, request.method, response.status, (performance.now() - begunAt) / 1_000)
          return finished(response, request, note)
        }
        if (!isLiteral(request.url)) return finishedAndCounted(notThere(request))
        const named = Effect.updateContext(notingRoute(answering, note), (outer: Context.Context<R>) =>
          Context.add(Context.add(outer, CurrentRequest, note), References.CurrentLogAnnotations, {
            ...Context.get(context, References.CurrentLogAnnotations),
            requestId: note.requestId,
          }),
        )
        return Effect.matchCauseEffect(named, {
          onSuccess: finishedAndCounted,
          // Interruptions are handled here too, because only the route inside is interruptible.
          onFailure: (cause) => {
            if (!Cause.hasInterruptsOnly(cause)) {
              const answer = Effect.annotateLogs(answerOf(cause, request), { requestId: note.requestId })
              return Effect.flatMap(answer, finishedAndCounted)
            }
            note.charged?.abandoned()
            return Effect.failCause(cause)
          },
        })
      })
  }),
  { global: true },
)

/**
 * Returns true if the response needs `Vary: Accept-Encoding`. A 304 always does, because the body that it confirms is
 * unknown here.
 */
const variesByCoding = ({ body, status }: HttpServerResponse.HttpServerResponse): boolean =>
  status === 304 || (body._tag === "Uint8Array" && isCompressible(body.contentType))

/**
 * Records the matched route. The router stores it in the fiber's context, where it stays until the enclosing
 * `updateContext` ends.
 */
const notingRoute = <A, E, R>(answering: Effect.Effect<A, E, R>, note: RequestNote): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) =>
    Effect.onExitPrimitive(answering, () => {
      note.route = Context.getOrUndefined(fiber.context, HttpRouter.RouteContext)?.route.path
      return undefined
    }),
  )

const headersPrototype: object = Object.getPrototypeOf(Headers.empty)

/**
 * Copies headers at a tenth of the cost of `Headers.setAll`. Responses are shared, so their own headers must not
 * change.
 */
const copied = (headers: Headers.Headers): Record<string, string> => {
  const copy: Record<string, string> = Object.create(headersPrototype)
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) copy[name] = value
  }
  return copy
}
