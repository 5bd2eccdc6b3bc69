/** Port that checks the URL of a receiver when a customer registers it. The webhook service provides it. */
import { Context, Effect, Schema } from "effect"

/** Error: the URL cannot be registered. The message is meant for the customer. */
export class UrlRefused extends Schema.TaggedError<UrlRefused>("@matchpoint/webhooks/UrlRefused")("UrlRefused", {
  message: Schema.String,
}) {}

export interface UrlChecker {
  /** Checks a URL and the addresses that its host name has now. Returns the URL in its normal form. */
  readonly check: (url: string) => Effect.Effect<string, UrlRefused>
}

/** By default every URL is refused, because no service would deliver to it. */
export class UrlCheck extends Context.Reference<UrlChecker>("@matchpoint/webhooks/UrlCheck", {
  defaultValue: () => ({ check: () => Effect.fail(new UrlRefused({ message: "this server does not deliver webhooks" })) }),
}) {}
