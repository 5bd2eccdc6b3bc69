/** Reasons why the server ends a stream, and how each is reported to the client. Pure. */
import type { QuotaExceeded, ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import { closeCodes } from "@matchpoint/contracts/stream/closeCodes"
import type { StreamError } from "@matchpoint/contracts/stream/messages"

export type Ending =
  /** The account's monthly quota is used up. */
  | { readonly _tag: "QuotaUsedUp"; readonly message: string; readonly retryAfterSeconds: number }
  /** The ledger does not answer, and the grace period is over. */
  | { readonly _tag: "Unmetered"; readonly message: string }
  /** The key was revoked or has expired. */
  | { readonly _tag: "KeyEnded" }
  /** The account's terms have changed: another plan, or a plan or add-ons that no longer include the channel. */
  | { readonly _tag: "PlanChanged" }

export const keyEnded: Ending = { _tag: "KeyEnded" }
export const planChanged: Ending = { _tag: "PlanChanged" }

export const endingOf = ({ error }: QuotaExceeded | ServiceUnavailable): Ending =>
  error.code === "SERVICE_UNAVAILABLE"
    ? { _tag: "Unmetered", message: error.message }
    : { _tag: "QuotaUsedUp", message: error.message, retryAfterSeconds: error.details.retryAfterSeconds }

/**
 * Returns the error sent before the stream ends. Undefined: the client is told to reconnect and gets its cursors
 * instead.
 */
export const lastWordOf = (ending: Ending): StreamError | undefined => {
  switch (ending._tag) {
    case "QuotaUsedUp":
      return { type: "error", code: "RATE_LIMIT_EXCEEDED", message: ending.message }
    case "Unmetered":
      return { type: "error", code: "SERVICE_UNAVAILABLE", message: ending.message }
    case "KeyEnded":
      return { type: "error", code: "INVALID_API_KEY", message: closeCodes.keyEnded.reason }
    case "PlanChanged":
      return undefined
  }
}

/** Returns the close code and reason of a WebSocket. */
export const closeOf = (ending: Ending): { readonly code: number; readonly reason: string } => {
  switch (ending._tag) {
    case "QuotaUsedUp":
      return closeCodes.quotaUsedUp
    case "Unmetered":
      return closeCodes.unmetered
    case "KeyEnded":
      return closeCodes.keyEnded
    case "PlanChanged":
      return closeCodes.planChanged
  }
}
