/** Why a stream ends before its client wants it to, and how the client is told. Pure. */
import type { QuotaExceeded, ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import { closeCodes } from "@matchpoint/contracts/stream/closeCodes"
import type { StreamError } from "@matchpoint/contracts/stream/messages"

export type Ending =
  /** The account has no requests left in the month. */
  | { readonly _tag: "QuotaUsedUp"; readonly message: string; readonly retryAfterSeconds: number }
  /** The ledger does not answer, and grace is over. */
  | { readonly _tag: "Unmetered"; readonly message: string }
  /** Revoked, or expired. */
  | { readonly _tag: "KeyEnded" }
  /** The account would be served otherwise now: another tier, other limits, or not at all. */
  | { readonly _tag: "PlanChanged" }

export const keyEnded: Ending = { _tag: "KeyEnded" }
export const planChanged: Ending = { _tag: "PlanChanged" }

export const endingOf = ({ error }: QuotaExceeded | ServiceUnavailable): Ending =>
  error.code === "SERVICE_UNAVAILABLE"
    ? { _tag: "Unmetered", message: error.message }
    : { _tag: "QuotaUsedUp", message: error.message, retryAfterSeconds: error.details.retryAfterSeconds }

/** Said before the end. Undefined: the client is sent away with its cursors, to come back. */
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

/** How a WebSocket closes. */
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
