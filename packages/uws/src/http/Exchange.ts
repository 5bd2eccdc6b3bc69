// One native request and its response, with the rules for using them. The request is valid only inside its route
// callback, and the response only until it has ended or the client has disconnected. `UwsServerRequest`, `RequestBody`
// and `ResponseWriter` read and write.

import type { HttpRequest, HttpResponse, us_socket_context_t } from "uWebSockets.js"
import { Effect } from "effect"
import type { Headers } from "effect/http"
import { formatRemoteAddress } from "../remoteAddress.ts"
import { readHeaders } from "../requestHeaders.ts"
import { BodyAccount, type BodyBounds } from "./BodyBounds.ts"
import { hold, letGo } from "./pausedReads.ts"
import { RequestBody } from "./RequestBody.ts"
import type { UpgradedSocket } from "./UpgradedSocket.ts"

/** Parts of the server that an exchange uses. */
export interface ExchangeHost {
  readonly bodies: BodyBounds
  /** Runs an upgrade after the route callback has returned. */
  readonly upgradeLate: (upgrade: () => void) => void
}

export class Exchange {
  readonly response: HttpResponse
  readonly method: string
  readonly url: string
  readonly body: RequestBody | undefined
  /** True once the native response must not be used any more. */
  closed = false
  /** True after the status line was written. From then on, a failure can only terminate the connection. */
  headSent = false
  upgraded = false
  settled = false
  /** True while a response body is waiting for a client that does not read. */
  isStalled = false
  /** Called once if the client leaves before the response has ended. */
  onAbort: (() => void) | undefined
  /** Called once when the response has become a WebSocket. */
  onUpgrade: (() => void) | undefined
  readonly #host: ExchangeHost
  readonly #upgradeContext: us_socket_context_t | undefined
  /** Set only while the route callback runs. */
  #request: HttpRequest | undefined
  #headers: Headers.Headers | undefined
  #remoteAddress: ArrayBuffer | undefined
  #upgradeHeaders: UpgradeHeaders | undefined
  #onWritable: (() => void) | undefined
  #isHeld = false

  constructor(response: HttpResponse, request: HttpRequest, upgradeContext: us_socket_context_t | undefined, host: ExchangeHost) {
    this.response = response
    this.#host = host
    this.#request = request
    this.#upgradeContext = upgradeContext
    this.method = request.getCaseSensitiveMethod().toUpperCase()
    const query = request.getQuery()
    this.url = query === undefined || query === "" ? request.getUrl() : `${request.getUrl()}?${query}`
    const length = request.getHeader("content-length")
    // Without a reader when this callback returns, the bytes of the body are lost.
    if (length !== "" ? length !== "0" : request.getHeader("transfer-encoding") !== "") {
      const { bodies } = host
      const account = new BodyAccount(bodies, () => bodies.limits.clientOf(this.headers, this.remoteAddress))
      this.body = new RequestBody(response, length === "" ? undefined : Number(length), account)
    }
  }

  /** Copied on first use, so that a handler that answers without reading headers avoids the cost. */
  get headers(): Headers.Headers {
    if (this.#headers === undefined) {
      if (this.#request === undefined) throw new Error("Headers must be read before the request is answered")
      this.#headers = readHeaders(this.#request)
    }
    return this.#headers
  }

  /** Undefined if the peer has disconnected. */
  get remoteAddress(): string | undefined {
    this.#remoteAddress ??= this.closed ? new ArrayBuffer(0) : this.response.getRemoteAddress()
    return formatRemoteAddress(this.#remoteAddress)
  }

  get upgradable(): boolean {
    return this.#upgradeContext !== undefined
  }

  /**
   * Copies what becomes invalid, and watches for a disconnect. Must be called before the route callback returns if the
   * response is still open.
   */
  detach(): void {
    const request = this.#request
    if (request === undefined) return
    this.#headers ??= readHeaders(request)
    if (this.#upgradeContext !== undefined) this.#upgradeHeaders = readUpgradeHeaders(this.#headers)
    if (!this.closed) this.#remoteAddress ??= this.response.getRemoteAddress()
    this.#request = undefined
    this.response.onAborted(() => this.#aborted())
    if (this.body === undefined) this.#holdReads()
    else this.body.onComplete = () => this.#holdReads()
  }

  /**
   * Stops using the native request. If the handler has completed inside the route callback, this must be called before
   * the callback returns. A fiber that outlives the callback must read the headers before.
   */
  release(): void {
    this.#request = undefined
    this.abort()
  }

  /**
   * Sends all writes in one send call. Inside the route callback, the native library has already corked the response.
   */
  cork(write: () => void): void {
    if (this.#request === undefined) this.response.cork(write)
    else write()
  }

  /** `write` must end the response. Before that, the rest of the request body is discarded and reading resumes. */
  finish(write: () => void): void {
    this.body?.discard()
    this.readAgain()
    this.cork(write)
    this.finished()
  }

  /**
   * Stops reading the request body and waits for the next turn of the event loop. Until then, the body gets what the
   * native library has already read of it, and can close the connection if that is too much. A response that has ended
   * could not be closed any more.
   */
  settle(): Effect.Effect<void> {
    return Effect.callback((resume) => {
      this.settled = true
      this.body?.stop()
      const immediate = setImmediate(() => resume(Effect.void))
      return Effect.sync(() => clearImmediate(immediate))
    })
  }

  finished(): void {
    this.closed = true
    this.body?.answered()
    this.onAbort = undefined
    this.#onWritable = undefined
  }

  /** Calls `callback` whenever the socket accepts bytes again. Replaces the previous callback. */
  waitWritable(callback: () => void): void {
    if (this.closed) return
    if (this.#onWritable === undefined) {
      this.response.onWritable(() => {
        this.#onWritable?.()
        return true
      })
    }
    this.#onWritable = callback
  }

  /** Resumes reading if it is paused. Must be called before the response ends. */
  readAgain(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    letGo(this)
    if (!this.closed) this.response.resume()
  }

  /** Reads from the paused socket for one turn of the event loop, to detect whether the client has disconnected. */
  look(): void {
    if (this.closed) return
    this.response.resume()
    setImmediate(() => {
      if (this.closed || !this.#isHeld) return
      // While the client does not read, the native library closes the connection after a timeout, which pausing would stop.
      if (this.isStalled) this.#isHeld = false
      else this.#pause()
    })
  }

  /** Returns false if the response is already closed, or if the request is not a WebSocket handshake. */
  upgrade(socket: UpgradedSocket): boolean {
    const context = this.#upgradeContext
    if (context === undefined || this.closed) return false
    const headers = this.#upgradeHeaders ?? readUpgradeHeaders(this.headers)
    this.closed = true
    this.upgraded = true
    const upgrade = () => this.response.upgrade({ upgraded: socket }, headers.key, headers.protocol, headers.extensions, context)
    if (this.#request === undefined) this.#host.upgradeLate(upgrade)
    else upgrade()
    this.onUpgrade?.()
    return true
  }

  /** The only correct end for a response that was started and cannot be completed. */
  abort(): void {
    if (this.closed) return
    letGo(this)
    this.finished()
    this.response.close()
  }

  /**
   * Pauses reading until the request is answered: at the next request, or the end of the client's data, the library
   * would close the connection without a response. `hold` limits the duration.
   */
  #holdReads(): void {
    if (this.closed || this.upgradable) return
    this.#isHeld = true
    this.#pause()
  }

  /** Pauses reading. Also stops the timeout of 10 seconds that `resume` starts. */
  #pause(): void {
    this.response.pause()
    hold(this)
  }

  #aborted(): void {
    letGo(this)
    const onAbort = this.onAbort
    this.closed = true
    this.onAbort = undefined
    this.body?.abort()
    onAbort?.()
  }
}

interface UpgradeHeaders {
  readonly key: string
  readonly protocol: string
  readonly extensions: string
}

const readUpgradeHeaders = (headers: Headers.Headers): UpgradeHeaders => ({
  key: headers["sec-websocket-key"] ?? "",
  // The first subprotocol that the client offers, as the package `ws` selects it on node:http.
  protocol: headers["sec-websocket-protocol"]?.split(",")[0]?.trim() ?? "",
  extensions: headers["sec-websocket-extensions"] ?? "",
})
