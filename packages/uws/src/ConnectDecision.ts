// Decision of a WebSocket or SSE handler about a connecting client: accept the client, or reject it with a reason that
// the client can read.
import type { HttpResponse } from "uWebSockets.js"
import { firstInvalidHeader, headerText, statusLine } from "./http/responseHead.ts"

export type ConnectDecision<Data> = Accept<Data> | Reject

export interface Accept<Data> {
  readonly _tag: "Accept"
  /** Application data of the connection, available as `connection.data`. */
  readonly data: Data
  readonly headers?: Readonly<Record<string, string>>
  /**
   * WebSocket only: the subprotocol selected from the request's `Sec-WebSocket-Protocol`. If undefined, the response
   * contains no subprotocol.
   */
  readonly protocol?: string
  /** SSE only: how long a browser waits before it reconnects, in milliseconds. */
  readonly retryMs?: number
}

export interface Reject {
  readonly _tag: "Reject"
  /** HTTP status of the rejection, 400 to 599. */
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

export const accept = <Data>(data: Data, options: Omit<Accept<Data>, "_tag" | "data"> = {}): Accept<Data> => ({
  _tag: "Accept",
  data,
  ...options,
})

export const reject = (status: number, options: Omit<Reject, "_tag" | "status"> = {}): Reject => ({ _tag: "Reject", status, ...options })

/**
 * Writes the response headers of a handler's decision. Call it only inside `cork`, the native function that collects
 * writes into one send call. Does not validate the headers: call `assertSendable` first.
 */
export const writeVerdictHeaders = (response: HttpResponse, headers: Readonly<Record<string, string>> | undefined): void => {
  if (headers === undefined) return
  for (const [name, value] of Object.entries(headers)) response.writeHeader(name, headerText(value))
}

/** Throws a `TypeError` if the decision contains an invalid header or status. Call it before anything is written. */
export const assertSendable = (verdict: ConnectDecision<unknown>): void => {
  const invalid = verdict.headers === undefined ? undefined : firstInvalidHeader(verdict.headers)
  if (invalid !== undefined) throw new TypeError(`Invalid response header ${JSON.stringify(invalid)}`)
  if (verdict._tag === "Reject" && !(verdict.status >= 400 && verdict.status <= 599)) {
    throw new TypeError(`A rejection needs a status of 400-599, not ${verdict.status}`)
  }
}

/**
 * Sends the rejection and ends the response. Call it only inside `cork`, the native function that collects writes into
 * one send call.
 */
export const sendReject = (response: HttpResponse, verdict: Reject): void => {
  response.writeStatus(statusLine(verdict.status, undefined))
  writeVerdictHeaders(response, verdict.headers)
  response.end(verdict.body)
}
