// Effect's `HttpServerRequest` on an `Exchange`. Expensive values are computed on first use. `RequestBody` manages the
// bytes of the body, and `ResponseWriter` the response.
import { parseBoundedJson } from "@matchpoint/contracts/http/boundedJson"
import { Effect, type FileSystem, Inspectable, Option, type Path, type Schema, type Scope, Stream } from "effect"
import { Cookies, type Headers, HttpIncomingMessage, HttpServerError, HttpServerRequest, Multipart, UrlParams } from "effect/http"
import type { Socket } from "effect/socket"
import { BodyTooLarge, readAll, readStream } from "./bodyReader.ts"
import { Exchange } from "./Exchange.ts"
import { makeUpgradedSocket } from "./UpgradedSocket.ts"

/** Values that `modify` can replace. */
interface Overrides {
  readonly url?: string | undefined
  readonly headers?: Headers.Headers | undefined
  readonly remoteAddress?: Option.Option<string> | undefined
  readonly peerAddress?: Option.Option<string> | undefined
  readonly protocol?: "http" | "https" | undefined
}

const noOverrides: Overrides = {}

export class UwsServerRequest extends Inspectable.Class implements HttpServerRequest.HttpServerRequest {
  readonly [HttpServerRequest.TypeId]: typeof HttpServerRequest.TypeId = HttpServerRequest.TypeId
  readonly [HttpIncomingMessage.TypeId]: typeof HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  /** The native request and response, for `ResponseWriter`. */
  readonly source: Exchange
  readonly #maxBodyBytes: number
  readonly #overrides: Overrides
  #cookies: Readonly<Record<string, string>> | undefined
  #arrayBuffer: Effect.Effect<ArrayBuffer, HttpServerError.HttpServerError> | undefined
  #multipart: HttpServerRequest.HttpServerRequest["multipart"] | undefined

  /** `maxBodyBytes` applies if the `MaxBodySize` reference is not set. */
  constructor(source: Exchange, maxBodyBytes: number, overrides: Overrides = noOverrides) {
    super()
    this.source = source
    this.#maxBodyBytes = maxBodyBytes
    this.#overrides = overrides
  }

  modify(options: Overrides): UwsServerRequest {
    return new UwsServerRequest(this.source, this.#maxBodyBytes, { ...this.#overrides, ...options })
  }

  get method(): string {
    return this.source.method
  }

  get url(): string {
    return this.#overrides.url ?? this.source.url
  }

  get originalUrl(): string {
    const host = this.source.headers.host
    return host === undefined ? this.source.url : `http://${host}${this.source.url}`
  }

  get protocol(): "http" | "https" | undefined {
    return this.#overrides.protocol
  }

  get headers(): Headers.Headers {
    return this.#overrides.headers ?? this.source.headers
  }

  get remoteAddress(): Option.Option<string> {
    return this.#overrides.remoteAddress ?? Option.fromNullishOr(this.source.remoteAddress)
  }

  get peerAddress(): Option.Option<string> {
    return this.#overrides.peerAddress ?? this.remoteAddress
  }

  get cookies(): Readonly<Record<string, string>> {
    this.#cookies ??= Cookies.parseHeader(this.headers.cookie ?? "")
    return this.#cookies
  }

  /** Unlimited unless `MaxBodySize` is set, because a stream holds only one socket read in memory at a time. */
  get stream(): Stream.Stream<Uint8Array, HttpServerError.HttpServerError> {
    return this.#stream(Number.POSITIVE_INFINITY)
  }

  get arrayBuffer(): Effect.Effect<ArrayBuffer, HttpServerError.HttpServerError> {
    if (this.#arrayBuffer === undefined) {
      const body = this.source.body
      this.#arrayBuffer =
        body === undefined
          ? Effect.sync(() => new ArrayBuffer(0))
          : Effect.runSync(
              Effect.cached(
                Effect.flatMap(this.#limit(this.#maxBodyBytes), (maxBytes) =>
                  Effect.mapError(readAll(body, maxBytes), (cause) => this.#parseError(cause)),
                ),
              ),
            )
    }
    return this.#arrayBuffer
  }

  get text(): Effect.Effect<string, HttpServerError.HttpServerError> {
    return Effect.map(this.arrayBuffer, (bytes) => textDecoder.decode(bytes))
  }

  /** `null` if the body is empty. */
  get json(): Effect.Effect<Schema.Json, HttpServerError.HttpServerError> {
    return this.#parse((bytes) => {
      const text = textDecoder.decode(bytes)
      return text === "" ? null : parseBoundedJson(text)
    })
  }

  get urlParamsBody(): Effect.Effect<UrlParams.UrlParams, HttpServerError.HttpServerError> {
    // A leading "?" of a form body is data, but `URLSearchParams` would drop it as the start of a query string.
    return this.#parse((bytes) => UrlParams.fromInput(new URLSearchParams(formDecoder.decode(bytes).replace(/^\?/, "%3F"))))
  }

  get multipart(): Effect.Effect<Multipart.Persisted, Multipart.MultipartError, Scope.Scope | FileSystem.FileSystem | Path.Path> {
    this.#multipart ??= Effect.runSync(Effect.cached(Multipart.toPersisted(this.multipartStream)))
    return this.#multipart
  }

  get multipartStream(): Stream.Stream<Multipart.Part, Multipart.MultipartError> {
    return Stream.pipeThroughChannel(
      Stream.mapError(this.#stream(this.#maxBodyBytes), (error) =>
        Multipart.MultipartError.fromReason(isTooLarge(error) ? "BodyTooLarge" : "InternalError", error),
      ),
      Multipart.makeChannel(this.headers),
    )
  }

  get upgrade(): Effect.Effect<Socket.Socket, HttpServerError.HttpServerError> {
    return this.upgradeWith({})
  }

  /** As in Effect's server on node:http, custom headers of the handshake response are not supported. */
  upgradeWith(options: { readonly headers?: Headers.Input | undefined }): Effect.Effect<Socket.Socket, HttpServerError.HttpServerError> {
    return Effect.suspend(() => {
      if (!this.source.upgradable) return Effect.fail(this.#error("Not an upgradeable ServerRequest"))
      if (options.headers !== undefined && Object.keys(options.headers).length > 0) {
        return Effect.fail(this.#error("WebSocket upgrades do not support custom response headers"))
      }
      return makeUpgradedSocket((socket) => this.source.upgrade(socket))
    })
  }

  override toString(): string {
    return `ServerRequest(${this.method} ${UrlParams.redactUrl(this.url)})`
  }

  toJSON(): unknown {
    return HttpIncomingMessage.inspect(this, {
      _id: "HttpServerRequest",
      method: this.method,
      url: UrlParams.redactUrl(this.originalUrl),
    })
  }

  #stream(defaultLimit: number): Stream.Stream<Uint8Array, HttpServerError.HttpServerError> {
    const body = this.source.body
    if (body === undefined) return Stream.empty
    return Stream.unwrap(
      Effect.map(this.#limit(defaultLimit), (maxBytes) => Stream.mapError(readStream(body, maxBytes), (cause) => this.#parseError(cause))),
    )
  }

  #limit(otherwise: number): Effect.Effect<number> {
    return Effect.map(HttpIncomingMessage.MaxBodySize, (size) => (size === undefined ? otherwise : Number(size)))
  }

  #parse<A>(parse: (bytes: ArrayBuffer) => A): Effect.Effect<A, HttpServerError.HttpServerError> {
    return Effect.flatMap(this.arrayBuffer, (bytes) => Effect.try({ try: () => parse(bytes), catch: (cause) => this.#parseError(cause) }))
  }

  #parseError(cause: unknown): HttpServerError.HttpServerError {
    const reason = cause instanceof BodyTooLarge ? "BodyTooLarge" : "Parse"
    return new HttpServerError.HttpServerError({ reason: new HttpServerError.RequestParseError({ request: this, reason, cause }) })
  }

  #error(description: string): HttpServerError.HttpServerError {
    return new HttpServerError.HttpServerError({ reason: new HttpServerError.RequestParseError({ request: this, description }) })
  }
}

/** Counts the body for a key of the application. No effect on requests of other servers and on requests without a body. */
export const countBodyFor = ({ source }: HttpServerRequest.HttpServerRequest, key: string): void => {
  if (source instanceof Exchange) source.body?.countFor(key)
}

const textDecoder = new TextDecoder()
const formDecoder = new TextDecoder("utf-8", { ignoreBOM: true })

const isTooLarge = ({ reason }: HttpServerError.HttpServerError): boolean =>
  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"
