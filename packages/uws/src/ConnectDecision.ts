import type { HttpResponse } from "uWebSockets.js"
import { firstInvalidHeader, headerText, statusLine } from "./http/responseHead.ts"

export type ConnectDecision<Data> = Accept<Data> | Reject

export interface Accept<Data> {
  readonly _tag: "Accept"
  /** Application data, available as `connection.data`. */
  readonly data: Data
  readonly headers?: Readonly<Record<string, string>>
  /** WebSocket only: selected from `Sec-WebSocket-Protocol`. If undefined, the response contains no subprotocol. */
  readonly protocol?: string
  /** SSE only: milliseconds until a browser reconnects. */
  readonly retryMs?: number
}

export interface Reject {
  readonly _tag: "Reject"
  /** 400 to 599. */
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

/** Call it only inside `cork` (one send call for all writes). The headers must have passed `assertSendable`. */
export const writeVerdictHeaders = (response: HttpResponse, headers: Readonly<Record<string, string>> | undefined): void => {
  if (headers === undefined) return
  for (const [name, value] of Object.entries(headers)) response.writeHeader(name, headerText(value))
}

/** Throws a `TypeError` for an invalid header or status. Call it before anything is written. */
export const assertSendable = (verdict: ConnectDecision<unknown>): void => {
  const invalid = verdict.headers === undefined ? undefined : firstInvalidHeader(verdict.headers)
  if (invalid !== undefined) throw new TypeError(`Invalid response header ${JSON.stringify(invalid)}`)
  if (verdict._tag === "Reject" && !(verdict.status >= 400 && verdict.status <= 599)) {
    throw new TypeError(`A rejection needs a status of 400-599, not ${verdict.status}`)
  }
}

/** Ends the response. Call it only inside `cork`. */
export const sendReject = (response: HttpResponse, verdict: Reject): void => {
  response.writeStatus(statusLine(verdict.status, undefined))
  writeVerdictHeaders(response, verdict.headers)
  response.end(verdict.body)
}
