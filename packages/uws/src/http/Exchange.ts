// One request and its response in the native library, and the rules for using them. The request is valid only inside
// its route callback, the response only until it has ended or its client has left. It does not own what is read or
// written: `UwsServerRequest`, `RequestBody` and `ResponseWriter` do.

import type { HttpRequest, HttpResponse, us_socket_context_t } from "uWebSockets.js"
import type { Headers } from "effect/http"
import { formatRemoteAddress } from "../remoteAddress.ts"
import { readHeaders } from "../requestHeaders.ts"
import { hold, letGo } from "./heldReads.ts"
import { RequestBody } from "./RequestBody.ts"
import type { UpgradedSocket } from "./UpgradedSocket.ts"

export class Exchange {
  readonly response: HttpResponse
  readonly method: string
  /** Path and query as sent by the client. */
  readonly url: string
  readonly body: RequestBody | undefined
  /** True once the native response must not be used any more. */
  closed = false
  /** True once the status line is written. After that, a failure can only cut the connection. */
  headSent = false
  upgraded = false
  /** True while a body waits for a client that does not read. */
  isStalled = false
  /** Called once if the client leaves before the response has ended. */
  onAbort: (() => void) | undefined
  /** Called once when the response has become a WebSocket. */
  onUpgrade: (() => void) | undefined
  readonly #upgradeContext: us_socket_context_t | undefined
  /** The native request, set only while the route callback runs. */
  #request: HttpRequest | undefined
  #headers: Headers.Headers | undefined
  #remoteAddress: ArrayBuffer | undefined
  #upgradeHeaders: UpgradeHeaders | undefined
  #onWritable: (() => void) | undefined
  #isHeld = false

  constructor(response: HttpResponse, request: HttpRequest, upgradeContext: us_socket_context_t | undefined) {
    this.response = response
    this.#request = request
    this.#upgradeContext = upgradeContext
    this.method = request.getCaseSensitiveMethod().toUpperCase()
    const query = request.getQuery()
    this.url = query === undefined || query === "" ? request.getUrl() : `${request.getUrl()}?${query}`
    const length = request.getHeader("content-length")
    // The body must be requested now. If no reader is registered when this callback returns, its bytes are lost.
    if (length !== "" ? length !== "0" : request.getHeader("transfer-encoding") !== "") {
      this.body = new RequestBody(response, length === "" ? undefined : Number(length))
    }
  }

  /** Copied on first use, so that a handler that answers at once without reading headers does not pay for the copy. */
  get headers(): Headers.Headers {
    if (this.#headers === undefined) {
      if (this.#request === undefined) throw new Error("Headers must be read before the request is answered")
      this.#headers = readHeaders(this.#request)
    }
    return this.#headers
  }

  /** Address of the peer as text; undefined if the peer is gone. */
  get remoteAddress(): string | undefined {
    this.#remoteAddress ??= this.closed ? new ArrayBuffer(0) : this.response.getRemoteAddress()
    return formatRemoteAddress(this.#remoteAddress)
  }

  get upgradable(): boolean {
    return this.#upgradeContext !== undefined
  }

  /**
   * Must be called before the route callback returns if the response is still open. Copies data that would become
   * invalid, and watches for the client to leave.
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
   * Must be called before the route callback returns if the handler is done. A fiber that outlives the callback must
   * read the headers before this call if it needs them.
   */
  release(): void {
    this.#request = undefined
    this.abort()
  }

  /**
   * Runs `write` so that everything it writes leaves in one send call. Inside the route callback, the response is
   * corked already.
   */
  cork(write: () => void): void {
    if (this.#request === undefined) this.response.cork(write)
    else write()
  }

  /** Runs `write`, which must end the response, and prepares the connection for it. */
  finish(write: () => void): void {
    this.body?.discard()
    this.readAgain()
    this.cork(write)
    this.finished()
  }

  /** Records that the response has ended. */
  finished(): void {
    this.closed = true
    this.onAbort = undefined
    this.#onWritable = undefined
  }

  /** Calls `callback` whenever the socket accepts bytes again. It replaces the previous callback. */
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

  /** Resumes reading from the socket if it is paused. Must be called before the call that ends the response. */
  readAgain(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    letGo(this)
    if (!this.closed) this.response.resume()
  }

  /** Reads for one turn of the event loop, to detect a client that has left. */
  look(): void {
    if (this.closed) return
    this.response.resume()
    setImmediate(() => {
      if (this.closed || !this.#isHeld) return
      // The native library's timeout closes a client that does not read. A pause would stop that timeout, so reading
      // continues.
      if (this.isStalled) this.#isHeld = false
      else this.#pause()
    })
  }

  /**
   * Turns the response into a WebSocket. Returns false if it is too late, or if the request is not a WebSocket
   * handshake.
   */
  upgrade(socket: UpgradedSocket): boolean {
    const context = this.#upgradeContext
    if (context === undefined || this.closed) return false
    const headers = this.#upgradeHeaders ?? readUpgradeHeaders(this.headers)
    this.closed = true
    this.upgraded = true
    // Must not run inside a cork of ours. Before its pull request 1929, uWebSockets.js may close a socket that was
    // upgraded in one: it reads the WebSocket's memory as the state of the response if both have the same address.
    // Inside the route callback, upgrading costs nothing. Later it costs a line on stderr, so applications should
    // upgrade at once if they can.
    this.response.upgrade({ upgraded: socket }, headers.key, headers.protocol, headers.extensions, context)
    this.onUpgrade?.()
    return true
  }

  /** Cuts the connection. This is the only correct end for a response that was begun and cannot be completed. */
  abort(): void {
    if (this.closed) return
    letGo(this)
    this.finished()
    this.response.close()
  }

  /**
   * Pauses reading from the socket until the request is answered. If the native library read the next request, or the
   * end of the client's data, before that, it would close the connection without a response. `hold` limits how long the
   * pause lasts.
   */
  #holdReads(): void {
    if (this.closed || this.upgradable) return
    this.#isHeld = true
    this.#pause()
  }

  /** Pauses reading. This also stops the timeout of 10 seconds that `resume` starts. */
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
  // The first protocol offered, as in the `ws` package behind node:http.
  protocol: headers["sec-websocket-protocol"]?.split(",")[0]?.trim() ?? "",
  extensions: headers["sec-websocket-extensions"] ?? "",
})
