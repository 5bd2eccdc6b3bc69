// Owns one request/response pair of the native library and the rules about when it may be touched:
// the request only inside its route callback, the response only until it has ended or its client left.
// Does not own what is read or written: UwsServerRequest, RequestBody and ResponseWriter do.

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
  /** Path and query as the client sent them. */
  readonly url: string
  readonly body: RequestBody | undefined
  /** True once nothing may touch the native response any more. */
  closed = false
  /** True once the status line is written, after which a failure can only cut the connection. */
  headSent = false
  upgraded = false
  /** True while a body waits for a client that does not read. */
  isStalled = false
  /** Called once if the client leaves before the response has ended. */
  onAbort: (() => void) | undefined
  /** Called once when the response has become a WebSocket. */
  onUpgrade: (() => void) | undefined
  readonly #upgradeContext: us_socket_context_t | undefined
  /** Set only while the route callback runs. */
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
    // The body has to be caught now or never: bytes nobody has asked for when this callback returns are gone.
    if (length !== "" ? length !== "0" : request.getHeader("transfer-encoding") !== "") {
      this.body = new RequestBody(response, length === "" ? undefined : Number(length))
    }
  }

  /** Copied on first use: a handler that answers at once without looking at headers does not pay for them. */
  get headers(): Headers.Headers {
    if (this.#headers === undefined) {
      if (this.#request === undefined) throw new Error("Headers were first asked for after the request had been answered")
      this.#headers = readHeaders(this.#request)
    }
    return this.#headers
  }

  /** Text form of the peer's address, undefined when the peer is gone. */
  get remoteAddress(): string | undefined {
    this.#remoteAddress ??= this.closed ? new ArrayBuffer(0) : this.response.getRemoteAddress()
    return formatRemoteAddress(this.#remoteAddress)
  }

  get upgradable(): boolean {
    return this.#upgradeContext !== undefined
  }

  /**
   * To be called before the route callback returns if the response is still open: copies what would vanish and watches for the
   * client leaving.
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
   * To be called before the route callback returns if the handler is done. A fiber that outlives it and wants the headers must
   * have read them before.
   */
  release(): void {
    this.#request = undefined
    this.abort()
  }

  /** Runs `write` so that all it writes leaves in one send call; the route callback is corked already. */
  cork(write: () => void): void {
    if (this.#request === undefined) this.response.cork(write)
    else write()
  }

  /** Runs `write`, which ends the response. */
  finish(write: () => void): void {
    this.body?.discard()
    this.readAgain()
    this.cork(write)
    this.finished()
  }

  /** The response has ended. */
  finished(): void {
    this.closed = true
    this.onAbort = undefined
    this.#onWritable = undefined
  }

  /** Calls `callback` whenever the socket takes bytes again, instead of the one given before. */
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

  /** Reads from the socket again if it is held. To be called before the call that ends the response. */
  readAgain(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    letGo(this)
    if (!this.closed) this.response.resume()
  }

  /** Reads for one turn of the event loop, to notice a client that has left. */
  look(): void {
    if (this.closed) return
    this.response.resume()
    setImmediate(() => {
      if (this.closed || !this.#isHeld) return
      // The timeout of the native library, which pausing would stop, ends a client that does not read.
      if (this.isStalled) this.#isHeld = false
      else this.#pause()
    })
  }

  /** Turns the response into a WebSocket. False when it is too late, or was no WebSocket request. */
  upgrade(socket: UpgradedSocket): boolean {
    const context = this.#upgradeContext
    if (context === undefined || this.closed) return false
    const headers = this.#upgradeHeaders ?? readUpgradeHeaders(this.headers)
    this.closed = true
    this.upgraded = true
    // Never in a cork of our own: uWebSockets.js before its pull request 1929 may close a socket that was upgraded in one, for it reads the
    // WebSocket's memory as the response's state where both have one address. Inside the route callback this costs nothing; later it
    // costs a line on stderr, so applications that can should upgrade at once.
    this.response.upgrade({ upgraded: socket }, headers.key, headers.protocol, headers.extensions, context)
    this.onUpgrade?.()
    return true
  }

  /** Cuts the connection: the only honest end of a response that was begun and cannot be completed. */
  abort(): void {
    if (this.closed) return
    letGo(this)
    this.finished()
    this.response.close()
  }

  /**
   * Stops reading from the socket while the answer is made. The native library closes a connection without an answer if it reads the next
   * request, or the end of what the client sends, before the answer. See `hold` for how long that lasts.
   */
  #holdReads(): void {
    if (this.closed || this.upgradable) return
    this.#isHeld = true
    this.#pause()
  }

  /** Also stops the timeout of 10 seconds that `resume` starts. */
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
  // The first protocol offered, as the `ws` package behind node:http does.
  protocol: headers["sec-websocket-protocol"]?.split(",")[0]?.trim() ?? "",
  extensions: headers["sec-websocket-extensions"] ?? "",
})
