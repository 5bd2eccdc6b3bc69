/**
 * Request ids. They connect a request's response, its log lines, the `instance` of a problem document and the audit
 * log. A valid id from the client is kept. Generated ids identify the process and count up, and are not secret.
 */
import { randomBytes } from "node:crypto"
import type { OwnHeaders } from "@matchpoint/uws/http/SharedHeaders"
import { Context } from "effect"

export const REQUEST_ID_HEADER = "x-request-id"

const valid = /^[A-Za-z0-9._-]{1,64}$/

const thisProcess = randomBytes(5).toString("hex")
let count = 0

/** Returns the client's `x-request-id` if it is valid, otherwise a new id. */
export const requestIdOf = (headers: { readonly [name: string]: string | undefined }): string => {
  const theirs = headers[REQUEST_ID_HEADER]
  if (theirs !== undefined && valid.test(theirs)) return theirs
  count += 1
  return `${thisProcess}-${count.toString(36)}`
}

/** A metered request, which is charged according to its response status. */
export interface Charged {
  /**
   * Called once with the status of the response, before it is sent. Adds the caller's remaining limits to the headers.
   */
  answered(status: number, headers: OwnHeaders): void
  /** Called instead if the request ended without a response. */
  abandoned(): void
}

/** Data about the request in progress. */
export class RequestNote {
  readonly requestId: string
  /** Set by metering once the caller is known. Undefined if metering is off. */
  charged: Charged | undefined
  /** Pattern of the route that handled the request. Undefined until a route has handled it. */
  route: string | undefined

  constructor(requestId: string) {
    this.requestId = requestId
  }
}

/**
 * The request in progress. Set for every request of the HTTP router. Outside of a request, the default has the id
 * `none`.
 */
export class CurrentRequest extends Context.Reference<RequestNote>("@matchpoint/service-gateway/http/requestId/CurrentRequest", {
  defaultValue: () => new RequestNote("none"),
}) {}
