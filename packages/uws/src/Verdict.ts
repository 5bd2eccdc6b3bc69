// Owns the answer of a WebSocket or SSE handler to a client that wants to connect: in, or out with a reason the client can read.
import type { HttpResponse } from "uWebSockets.js"
import { firstInvalidHeader, headerText, statusLine } from "./http/responseHead.ts"

export type Verdict<Data> = Accept<Data> | Reject

export interface Accept<Data> {
  readonly _tag: "Accept"
  /** Travels with the connection as `connection.data`. */
  readonly data: Data
  readonly headers?: Readonly<Record<string, string>>
  /** WebSocket only: the subprotocol chosen from `Sec-WebSocket-Protocol`; without it none is announced. */
  readonly protocol?: string
  /** SSE only: how long a browser waits before it reconnects, in milliseconds. */
  readonly retryMs?: number
}

export interface Reject {
  readonly _tag: "Reject"
  /** A final HTTP status, 400-599. */
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

/** Writes headers of a handler. Must run corked. Throws a `TypeError` on names or values that would break the response head. */
export const writeVerdictHeaders = (response: HttpResponse, headers: Readonly<Record<string, string>> | undefined): void => {
  if (headers === undefined) return
  for (const [name, value] of Object.entries(headers)) response.writeHeader(name, headerText(value))
}

/** Throws a `TypeError` when a verdict could not be sent as it is, before anything of it was written. */
export const assertSendable = (verdict: Verdict<unknown>): void => {
  const invalid = verdict.headers === undefined ? undefined : firstInvalidHeader(verdict.headers)
  if (invalid !== undefined) throw new TypeError(`Invalid response header ${JSON.stringify(invalid)}`)
  if (verdict._tag === "Reject" && !(verdict.status >= 400 && verdict.status <= 599)) {
    throw new TypeError(`A rejection needs a status of 400-599, not ${verdict.status}`)
  }
}

/** Answers the request with the rejection. Must run corked; ends the response. */
export const sendReject = (response: HttpResponse, verdict: Reject): void => {
  response.writeStatus(statusLine(verdict.status, undefined))
  writeVerdictHeaders(response, verdict.headers)
  response.end(verdict.body)
}
