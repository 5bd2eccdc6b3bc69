/**
 * A request id links a response, its log lines, the `instance` of a problem document and the audit log. A valid id of
 * the client is used. Generated ids consist of an id of the process and a counter, so they can be guessed.
 */
import { randomBytes } from "node:crypto"
import type { OwnHeaders } from "@matchpoint/uws/http/SharedHeaders"
import { Context } from "effect"

export const REQUEST_ID_HEADER = "x-request-id"

const valid = /^[A-Za-z0-9._-]{1,64}$/

const thisProcess = randomBytes(5).toString("hex")
let count = 0

/** The client's `x-request-id` if it is valid, otherwise a new id. */
export const requestIdOf = (headers: { readonly [name: string]: string | undefined }): string => {
  const theirs = headers[REQUEST_ID_HEADER]
  if (theirs !== undefined && valid.test(theirs)) return theirs
  count += 1
  return `${thisProcess}-${count.toString(36)}`
}

/** A request that counts against the quota. Whether it is charged depends on the status. */
export interface Chargeable {
  /** Called once before the response is sent. Charges the request and adds the remaining limits to the headers. */
  answered(status: number, headers: OwnHeaders): void
  /** Called instead of `answered` if the request ended without a response. */
  abandoned(): void
}

export class RequestInfo {
  readonly requestId: string
  /** Set as soon as the caller is known. Undefined if metering is off. */
  charged: Chargeable | undefined
  /** Pattern of the route. Undefined until the route has finished. */
  route: string | undefined

  constructor(requestId: string) {
    this.requestId = requestId
  }
}

/** Set for every request of the HTTP router. Outside a request, the id is `none`. */
export class CurrentRequest extends Context.Reference<RequestInfo>("@matchpoint/process/http/requestId/CurrentRequest", {
  defaultValue: () => new RequestInfo("none"),
}) {}
