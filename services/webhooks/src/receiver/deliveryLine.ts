import type { IncomingHttpHeaders } from "node:http"
import type { WebhookVerificationError } from "@matchpoint/client"

export type Outcome =
  | { readonly _tag: "Verified" }
  | { readonly _tag: "NotVerified" }
  | { readonly _tag: "TooLarge" }
  | { readonly _tag: "Rejected"; readonly error: WebhookVerificationError }

/** Time (UTC), event, id, attempt and outcome. Missing headers are shown as `-`. */
export const deliveryLine = (at: Date, headers: IncomingHttpHeaders, outcome: Outcome): string => {
  const attempt = shown(headers["x-svc-delivery-attempt"])
  return `${at.toISOString().slice(11, 19)}  ${shown(headers["x-svc-event"])}  ${shown(headers["x-svc-event-id"])}  attempt ${attempt}  ${words(outcome)}`
}

const words = (outcome: Outcome): string => {
  switch (outcome._tag) {
    case "Verified":
      return "verified"
    case "NotVerified":
      return "not verified: no secret was given"
    case "TooLarge":
      return "rejected: the body exceeds 1 MB"
    case "Rejected":
      return `rejected: ${outcome.error.reason}. ${outcome.error.message}`
  }
}

/** Replaces all but printable ASCII: a terminal interprets control characters, and the headers are not verified. */
const shown = (header: string | ReadonlyArray<string> | undefined): string =>
  header === undefined || header === ""
    ? "-"
    : String(header)
        .slice(0, 200)
        .replaceAll(/[^ -~]/g, "?")
