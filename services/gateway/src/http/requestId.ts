/**
 * The name of a request, by which its answer, its log lines, a problem's `instance` and the audit log find each other. A client's own is
 * taken over. Ours tell processes apart and count; they are no secret.
 */
import { randomBytes } from "node:crypto"
import type { OwnHeaders } from "@matchpoint/uws/http/SharedHeaders"
import { Context } from "effect"

export const REQUEST_ID_HEADER = "x-request-id"

const valid = /^[A-Za-z0-9._-]{1,64}$/

const thisProcess = randomBytes(5).toString("hex")
let count = 0

/** Takes over the client's `x-request-id`, or makes one. */
export const requestIdOf = (headers: { readonly [name: string]: string | undefined }): string => {
  const theirs = headers[REQUEST_ID_HEADER]
  if (theirs !== undefined && valid.test(theirs)) return theirs
  count += 1
  return `${thisProcess}-${count.toString(36)}`
}

/** A request that is charged by how it is answered. */
export interface Charged {
  /** Called once, with the status of the answer that is about to leave. Adds to its headers how the caller's limits stand. */
  answered(status: number, headers: OwnHeaders): void
  /** Called instead when the request has ended without an answer. */
  abandoned(): void
}

/** What is known of the request that is being answered. */
export class RequestNote {
  readonly requestId: string
  /** From the moment on that its caller is known. */
  charged: Charged | undefined
  /** Pattern of the route that has answered. Undefined: no route has, yet. */
  route: string | undefined

  constructor(requestId: string) {
    this.requestId = requestId
  }
}

/** There for everything that the HTTP router answers. Outside of it a note of nobody. */
export class CurrentRequest extends Context.Reference<RequestNote>("@matchpoint/service-gateway/http/requestId/CurrentRequest", {
  defaultValue: () => new RequestNote("none"),
}) {}
