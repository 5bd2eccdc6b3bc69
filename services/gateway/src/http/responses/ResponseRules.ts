/**
 * Rules for all responses, applied in one pass: request id, error format, CORS, browser security headers, the caller's
 * limits and compression. Nothing is specific to an endpoint.
 */
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { heldTag } from "@matchpoint/game/edge/responses/entityTag"
import { keptHeaders } from "@matchpoint/game/edge/responses/reusedResponses"
import { answerOf, formatError } from "@matchpoint/process/http/errorResponses"
import { HttpMetrics } from "@matchpoint/process/http/HttpMetrics"
import { isLiteral } from "@matchpoint/process/http/literalPaths"
import { notingRoute } from "@matchpoint/process/http/notingRoute"
import { CurrentRequest, REQUEST_ID_HEADER, RequestInfo, requestIdOf } from "@matchpoint/process/http/requestId"
import { type OwnHeaders, SharedHeaders, withHeaders } from "@matchpoint/uws/http/SharedHeaders"
import { Cause, Context, Effect, References } from "effect"
import { Headers, HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { anyOrigin, exposed, isOpen, preflight } from "../crossOrigin.ts"
import { notThereAnswers } from "../pages/fallback.ts"
import { pageHeaders } from "../pages/pageHeaders.ts"
import { ArchiveNotice, NOTICE_HEADER } from "./ArchiveNotice.ts"
import { codingFor, isCompressible } from "./contentEncoding.ts"
import { ResponseCompression } from "./ResponseCompression.ts"

const HSTS = "max-age=31536000; includeSubDomains"

export const ResponseRules = HttpRouter.middleware(
  Effect.gen(function* () {
    const { publicUrl } = yield* GatewayConfig
    const notThere = yield* notThereAnswers
    const noticeFor = yield* ArchiveNotice
    const measured = new HttpMetrics(yield* Effect.context<never>())
    const everywhere: Readonly<Record<string, string>> = {
      "x-content-type-options": "nosniff",
      ...(publicUrl?.startsWith("https:") ? { "strict-transport-security": HSTS } : {}),
    }
    const open = { ...everywhere, ...anyOrigin }
    const compression = new ResponseCompression()

    /** Headers that are the same for all clients. */
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
      note: RequestInfo,
    ): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
      const formed = response.status >= 400 ? formatError(response, request, note.requestId) : response
      const isForAll = isOpen(request.url)
      const own: OwnHeaders = { [REQUEST_ID_HEADER]: note.requestId }
      note.charged?.answered(formed.status, own)
      const notice = mayLackData(formed.status) ? noticeFor(request.url) : undefined
      if (notice !== undefined) own[NOTICE_HEADER] = notice
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
        const note = new RequestInfo(requestIdOf(request.headers))
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
          // Handles interruptions, too: only the inner route is interruptible.
          onFailure: (cause) => {
            if (!Cause.hasInterruptsOnly(cause)) {
              const answer = Effect.annotateLogs(answerOf(cause, request, notThere), { requestId: note.requestId })
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

/** True if missing data may have caused the response. Errors other than 404 have other causes. */
const mayLackData = (status: number): boolean => status < 400 || status === 404

/** Whether `Vary: Accept-Encoding` is needed. A 304 always needs it, because it has no body whose type could be checked. */
const variesByCoding = ({ body, status }: HttpServerResponse.HttpServerResponse): boolean =>
  status === 304 || (body._tag === "Uint8Array" && isCompressible(body.contentType))

const headersPrototype: object = Object.getPrototypeOf(Headers.empty)

/** Responses are shared, so their own headers must not change. A copy takes a tenth of the time of `Headers.setAll`. */
const copied = (headers: Headers.Headers): Record<string, string> => {
  const copy: Record<string, string> = Object.create(headersPrototype)
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) copy[name] = value
  }
  return copy
}
