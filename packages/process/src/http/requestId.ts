/**
 * Creates request ids. A request id links a response, its log lines, the `instance` field of a problem document and the
 * audit log. If the client sends a valid id, that id is used. Generated ids consist of an id of the process and a
 * counter, so they can be guessed.
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

/** A request that counts against the caller's quota. Whether it is charged depends on the response status. */
export interface Chargeable {
  /**
   * Called once before the response is sent. Charges the request according to the response status, and adds the
   * caller's remaining limits to the headers.
   */
  answered(status: number, headers: OwnHeaders): void
  /** Called instead of `answered` if the request ended without a response. */
  abandoned(): void
}

/** Data about the request in progress. */
export class RequestInfo {
  readonly requestId: string
  /** The quota charge of this request. Set as soon as the caller is known. Undefined if metering is off. */
  charged: Chargeable | undefined
  /** Pattern of the route that handled the request. Undefined until the route has finished. */
  route: string | undefined

  constructor(requestId: string) {
    this.requestId = requestId
  }
}

/**
 * Information about the current request, set for every request of the HTTP router. Code that runs outside a request
 * gets a default with the request id `none`.
 */
export class CurrentRequest extends Context.Reference<RequestInfo>("@matchpoint/process/http/requestId/CurrentRequest", {
  defaultValue: () => new RequestInfo("none"),
}) {}
