/**
 * Reasons for which the server ends a stream, and how each is reported to the client. The functions have no side
 * effects.
 */
import type { QuotaExceeded, ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import { closeCodes } from "@matchpoint/contracts/stream/closeCodes"
import type { StreamError } from "@matchpoint/contracts/stream/messages"

export type StreamEnd =
  /** The account's monthly quota is used up. */
  | { readonly _tag: "QuotaUsedUp"; readonly message: string; readonly retryAfterSeconds: number }
  /** The usage ledger does not answer and the grace period is over, so the stream can no longer be billed. */
  | { readonly _tag: "Unmetered"; readonly message: string }
  /** The key was revoked or has expired. */
  | { readonly _tag: "KeyEnded" }
  /**
   * The terms of the account have changed: it has another plan, or its plan and add-ons no longer include the channel.
   */
  | { readonly _tag: "PlanChanged" }

export const keyEnded: StreamEnd = { _tag: "KeyEnded" }
export const planChanged: StreamEnd = { _tag: "PlanChanged" }

export const endingOf = ({ error }: QuotaExceeded | ServiceUnavailable): StreamEnd =>
  error.code === "SERVICE_UNAVAILABLE"
    ? { _tag: "Unmetered", message: error.message }
    : { _tag: "QuotaUsedUp", message: error.message, retryAfterSeconds: error.details.retryAfterSeconds }

/**
 * Returns the error that is sent before the stream ends. Returns undefined if the client is asked to reconnect instead.
 * In that case, it receives its cursors and no error.
 */
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

/** Returns the close code and reason for the WebSocket of an ended stream. */
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
