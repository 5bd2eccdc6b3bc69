/**
 * One request on the agent and its response. The status counts as soon as the headers have arrived, even if the body
 * then fails, is too long or does not end in time.
 */
import { Buffer } from "node:buffer"
import type { IncomingHttpHeaders } from "node:http"
import type { Dispatcher } from "undici"
import { EXCERPT_BYTES } from "./responseText.ts"

export interface ReceivedResponse {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly contentEncoding: string | undefined
  /** At most `EXCERPT_BYTES` bytes. */
  readonly bodyStart: Uint8Array
}

export class AgentRequest implements Dispatcher.DispatchHandler {
  readonly #maxBodyBytes: number
  readonly #onResponse: (response: ReceivedResponse) => void
  readonly #onError: (error: Error) => void
  #controller: Dispatcher.DispatchController | undefined
  #isCanceled = false
  #status: number | undefined
  #headers: IncomingHttpHeaders = {}
  #chunks: Array<Uint8Array> = []
  #bodyBytes = 0

  /**
   * Calls one callback once, unless the request is canceled. In a microtask, so that no other code runs inside the
   * HTTP parser.
   */
  constructor(maxBodyBytes: number, onResponse: (response: ReceivedResponse) => void, onError: (error: Error) => void) {
    this.#maxBodyBytes = maxBodyBytes
    this.#onResponse = onResponse
    this.#onError = onError
  }

  /** True once the request has a connection. */
  get isStarted(): boolean {
    return this.#controller !== undefined
  }

  /** The response so far. Undefined before the end of the response headers. */
  get response(): ReceivedResponse | undefined {
    if (this.#status === undefined) return undefined
    return {
      status: this.#status,
      retryAfter: firstOf(this.#headers["retry-after"]),
      contentEncoding: firstOf(this.#headers["content-encoding"]),
      bodyStart: Buffer.concat(this.#chunks).subarray(0, EXCERPT_BYTES),
    }
  }

  /** Closes the connection. A request that still waits for one is never sent: the connection it gets is closed. */
  cancel(): void {
    this.#isCanceled = true
    this.#controller?.abort(canceled)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isCanceled) controller.abort(canceled)
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#bodyBytes < EXCERPT_BYTES) this.#chunks.push(chunk)
    this.#bodyBytes += chunk.length
    if (this.#bodyBytes <= this.#maxBodyBytes) return
    this.#end()
    this.cancel()
  }

  onResponseEnd(): void {
    this.#end()
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#isCanceled) return
    if (this.#status === undefined) queueMicrotask(() => this.#onError(error))
    else this.#end()
  }

  #end(): void {
    const response = this.response
    if (response !== undefined && !this.#isCanceled) queueMicrotask(() => this.#onResponse(response))
  }
}

const canceled = new Error("the request was canceled")

const firstOf = (header: string | Array<string> | undefined): string | undefined => (Array.isArray(header) ? header[0] : header)
