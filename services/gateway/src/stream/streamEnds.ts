/** Why the server ends a stream, and how the client learns it. Pure. */
import type { QuotaExceeded, ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import { closeCodes } from "@matchpoint/contracts/stream/closeCodes"
import type { StreamError } from "@matchpoint/contracts/stream/messages"

export type StreamEnd =
  | { readonly _tag: "QuotaUsedUp"; readonly message: string; readonly retryAfterSeconds: number }
  /** The usage ledger does not answer and the grace period is over, so the stream can no longer be billed. */
  | { readonly _tag: "Unmetered"; readonly message: string }
  | { readonly _tag: "KeyEnded" }
  /** The account has another plan, or its plan and add-ons no longer include the channel. */
  | { readonly _tag: "PlanChanged" }

export const keyEnded: StreamEnd = { _tag: "KeyEnded" }
export const planChanged: StreamEnd = { _tag: "PlanChanged" }

export const endingOf = ({ error }: QuotaExceeded | ServiceUnavailable): StreamEnd =>
  error.code === "SERVICE_UNAVAILABLE"
    ? { _tag: "Unmetered", message: error.message }
    : { _tag: "QuotaUsedUp", message: error.message, retryAfterSeconds: error.details.retryAfterSeconds }

/** Sent before the stream ends. Undefined if the client is asked to reconnect instead, with its cursors. */
export const finalErrorOf = (ending: StreamEnd): StreamError | undefined => {
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

/** Close code and reason for a WebSocket. */
export const closeOf = (ending: StreamEnd): { readonly code: number; readonly reason: string } => {
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
