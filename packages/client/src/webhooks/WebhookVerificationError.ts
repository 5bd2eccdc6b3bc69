/** Why a webhook delivery was rejected. */
export type WebhookVerificationReason =
  | "missing_headers"
  | "invalid_secret"
  | "timestamp_too_old"
  | "timestamp_too_new"
  | "wrong_signature"
  | "invalid_body"

/** Error of a webhook delivery that did not verify. Its message names the remedy and contains no secret. */
export class WebhookVerificationError extends Error {
  readonly _tag = "WebhookVerificationError"
  override readonly name = "WebhookVerificationError"
  readonly reason: WebhookVerificationReason

  constructor(reason: WebhookVerificationReason, message: string, options?: { readonly cause: unknown }) {
    super(message, options)
    this.reason = reason
  }
}
