// Writes an `HttpServerResponse` to an `Exchange`. A body in memory is written immediately, without fibers or promises.
// Streams and large bodies are sent at the pace of the socket. A failure before the head is sent becomes an error
// response; a later one terminates the connection. `bodySink` owns backpressure, `responseHead` the rules of headers.
import { Cause, Effect, Stream } from "effect"
import { Cookies, HttpBody, HttpServerError, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { ChunkedSink, SizedSink } from "./bodySink.ts"
import type { Exchange } from "./Exchange.ts"
import { discardRaw, type RawBody, rawBody } from "./rawBody.ts"
import { blockOf, type HeaderBlock, headerLines, headerText, isFinalStatus, isValidText, statusLine } from "./responseHead.ts"
import { LayeredResponse } from "./SharedHeaders.ts"

/** Larger bodies are sent in parts, as fast as the socket accepts them. Smaller ones are copied into the native buffer. */
const largeBodyBytes = 64 * 1024

/** Rest of a request body that is read and discarded after an early response, so that the connection can be reused. */
const maxDiscardBytes = 1024 * 1024

/** Response for middleware after a WebSocket upgrade, instead of the handler's response. */
const upgradedResponse = HttpServerResponse.empty({ status: 101 })

type Written = Effect.Effect<unknown, HttpServerError.HttpServerError>

interface Head {
  readonly exchange: Exchange
  readonly response: HttpServerResponse.HttpServerResponse
  readonly headers: HeaderBlock | undefined
  readonly cookies: ReadonlyArray<string>
  /**
   * The connection after the response:
   * - `keep`: it is reused.
   * - `close`: the server closes it.
   * - `requestClose`: the server asks the client to close it. For a client that is still sending: if the server closed
   *   the connection, it would be reset before the client has read the response.
   */
  readonly connection: "keep" | "close" | "requestClose"
}

/** `closing`: the server is stopping, so the connection must not be reused. */
export const writeResponse = (
  request: HttpServerRequest.HttpServerRequest,
  exchange: Exchange,
  response: HttpServerResponse.HttpServerResponse,
  closing: boolean,
): Written => {
  if (exchange.upgraded) return Effect.succeed(upgradedResponse)
  const { body } = response
  if (exchange.closed) return discardBody(body)
  if (exchange.body?.mustStop === true && !exchange.settled) {
    return Effect.andThen(
      exchange.settle(),
      Effect.suspend(() => writeResponse(request, exchange, response, closing)),
    )
  }
  const cookies = Cookies.isEmpty(response.cookies) ? noCookies : Cookies.toSetCookieHeaders(response.cookies)
  const bodiless = request.method === "HEAD" || HttpServerResponse.omitsBody(response)
  const layered = response instanceof LayeredResponse && !bodiless ? response : undefined
  // Responses to HEAD and 304 contain the length of the omitted body. 204 and 205 must not contain a length.
  const includesLength = bodiless && response.status !== 204 && response.status !== 205
  const headers = layered === undefined ? blockOf(headerLines(response.headers, includesLength)) : layered.shared.block(layered.own)
  const invalid = invalidHead(response, cookies)
  if (invalid !== undefined || headers instanceof TypeError)
    return Effect.andThen(discardBody(body), fail(exchange, response, Cause.die(invalid ?? headers)))
  const { connection } = layered?.shared.all ?? response.headers
  const isLast = closing || connection?.toLowerCase() === "close"
  const head: Head = { exchange, response, headers, cookies, connection: connectionAfter(exchange, isLast) }
  if (bodiless) {
    writeBodiless(head)
    return discardBody(body)
  }
  switch (body._tag) {
    case "Empty":
      writeWhole(head, undefined)
      return Effect.void
    case "Uint8Array":
      if (body.contentLength > largeBodyBytes) return writeStream(head, Stream.succeed(body.body), body.contentLength)
      writeWhole(head, body.text ?? body.body)
      return Effect.void
    case "Raw":
      return writeRaw(request, head, rawBody(body.body))
    case "FormData": {
      const encoded = new Response(body.formData)
      const contentType = encoded.headers.get("content-type") ?? "multipart/form-data"
      return writeResponse(request, exchange, HttpServerResponse.setBody(response, HttpBody.raw(encoded.body, { contentType })), closing)
    }
    case "Stream":
      return writeStream(head, Stream.orDie(body.stream), declaredLength(response))
  }
}

const noCookies: ReadonlyArray<string> = []

const connectionAfter = (exchange: Exchange, isLast: boolean): Head["connection"] => {
  const { body } = exchange
  if (body !== undefined && (body.mustStop || body.outstandingBytes > maxDiscardBytes)) return "requestClose"
  return isLast || body?.refusal !== undefined ? "close" : "keep"
}

const invalidHead = (response: HttpServerResponse.HttpServerResponse, cookies: ReadonlyArray<string>): Error | undefined => {
  if (!isFinalStatus(response.status)) return new RangeError(`Invalid final response status: ${response.status}`)
  if (response.statusText !== undefined && !isValidText(response.statusText)) return new TypeError("Invalid character in the status text")
  return cookies.every(isValidText) ? undefined : new TypeError("Invalid character in a cookie")
}

const writeHead = (head: Head, includesClose: boolean): void => {
  const { exchange, response } = head
  const native = exchange.response
  exchange.headSent = true
  // The native library writes `200 OK` by default. This saves a native call.
  if (response.status !== 200 || response.statusText !== undefined) native.writeStatus(statusLine(response.status, response.statusText))
  if (head.headers !== undefined) native.writeHeader(head.headers.name, head.headers.value)
  for (const cookie of head.cookies) native.writeHeader("set-cookie", headerText(cookie))
  if (includesClose) native.writeHeader("connection", "close")
}

const writeWhole = (head: Head, body: string | Uint8Array | undefined): void =>
  head.exchange.finish(() => {
    writeHead(head, head.connection === "requestClose")
    head.exchange.response.end(body, head.connection === "close")
  })

const writeBodiless = (head: Head): void =>
  head.exchange.finish(() => {
    writeHead(head, head.connection !== "keep")
    // Must be called without arguments. If a length is passed, even undefined, the native library waits for that many
    // bytes and never ends the response.
    head.exchange.response.endWithoutBody()
  })

const writeStream = (
  head: Head,
  stream: Stream.Stream<Uint8Array, HttpServerError.HttpServerError>,
  length: number | undefined,
): Written => {
  const { exchange, response } = head
  // The native option `closeConnection` would write the header into the middle of a chunked body.
  const start = () => writeHead(head, head.connection !== "keep")
  const sink = length === undefined ? new ChunkedSink(exchange, start) : new SizedSink(exchange, length, start)
  return stream.pipe(
    Stream.runForEachArray((chunks) => (chunks.length === 1 ? sink.write(chunks[0]) : sink.write(Buffer.concat(chunks)))),
    Effect.andThen(sink.end),
    Effect.interruptible,
    Effect.catchCause((cause) => fail(exchange, response, cause)),
  )
}

const writeRaw = (request: HttpServerRequest.HttpServerRequest, head: Head, body: RawBody): Written => {
  const { exchange, response } = head
  const error = (description: string, cause?: unknown) =>
    new HttpServerError.HttpServerError({ reason: new HttpServerError.ResponseError({ request, response, description, cause }) })
  switch (body._tag) {
    case "Bytes":
      if (body.bytes !== undefined && body.bytes.length > largeBodyBytes) {
        return writeStream(head, Stream.succeed(Buffer.from(body.bytes)), undefined)
      }
      writeWhole(head, body.bytes)
      return Effect.void
    case "Pieces": {
      const pieces = Stream.fromAsyncIterable(body.pieces, (cause) => error("Error writing raw response", cause))
      return writeStream(head, pieces, declaredLength(response))
    }
    case "Unsupported":
      return fail(exchange, response, Cause.fail(error("The raw body is neither text, bytes, a Readable, a ReadableStream nor a Blob")))
  }
}

/** `Content-Length`. Undefined if the body is chunked. */
const declaredLength = (response: HttpServerResponse.HttpServerResponse): number | undefined => {
  const length = response.headers["content-length"]
  return length !== undefined && /^\d+$/.test(length) ? Number(length) : undefined
}

const discardBody = (body: HttpServerResponse.HttpServerResponse["body"]): Effect.Effect<void> =>
  body._tag === "Raw" ? discardRaw(body.body) : Effect.void

/** Responds with the status of the cause. Ending a started response would make it look complete: it is terminated. */
const fail = (
  exchange: Exchange,
  original: HttpServerResponse.HttpServerResponse,
  cause: Cause.Cause<HttpServerError.HttpServerError>,
): Effect.Effect<never, HttpServerError.HttpServerError> =>
  Effect.flatMap(HttpServerError.causeResponse(cause), ([response, reported]) => {
    if (exchange.closed || exchange.headSent) {
      exchange.abort()
      return Effect.failCause(Cause.combine(cause, Cause.die(original)))
    }
    const status = isFinalStatus(response.status) ? response.status : 500
    exchange.finish(() => exchange.response.writeStatus(statusLine(status, undefined)).end())
    return Effect.failCause(reported)
  })
