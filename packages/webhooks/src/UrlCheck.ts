/**
 * Checks a receiver's URL at its registration. The sender checks again before each connection, because the addresses of
 * a name may change.
 */
import { Context, Effect, Layer, Result, Schema } from "effect"
import { type AddressPolicySettings, addressOfHost, checkUrl, makeAddressPolicy } from "./addressPolicy.ts"
import { makeCheckedLookup } from "./checkedLookup.ts"

/** The message is for the customer. */
export class UrlRefused extends Schema.TaggedError<UrlRefused>("@matchpoint/webhooks/UrlRefused")("UrlRefused", {
  message: Schema.String,
}) {}

export interface UrlChecker {
  /** Checks the URL and the addresses that its host name has now. Returns the URL in its normal form. */
  readonly check: (url: string) => Effect.Effect<string, UrlRefused>
}

/** Timeout of resolving a host name. */
const LOOKUP_TIMEOUT_MS = 4_000

/** By default every URL is refused, because no service would deliver to it. */
export class UrlCheck extends Context.Reference<UrlChecker>("@matchpoint/webhooks/UrlCheck", {
  defaultValue: () => ({ check: () => Effect.fail(new UrlRefused({ message: "this server does not deliver webhooks" })) }),
}) {
  /** `settings` must be those of the sender. Requires `HostResolver`. */
  static readonly layer = (settings: AddressPolicySettings & { readonly lookupTimeoutMs?: number }) =>
    Layer.effect(
      UrlCheck,
      Effect.gen(function* () {
        const policy = yield* Effect.fromResult(makeAddressPolicy(settings))
        const lookup = yield* makeCheckedLookup(policy, settings.lookupTimeoutMs ?? LOOKUP_TIMEOUT_MS)
        const refused = ({ message }: { readonly message: string }) => new UrlRefused({ message })
        return {
          check: Effect.fnUntraced(function* (text: string) {
            const url = yield* Effect.fromResult(Result.mapError(checkUrl(policy, text), refused))
            if (addressOfHost(url.hostname) === undefined) yield* Effect.mapError(lookup(url.hostname), refused)
            return url.href
          }),
        }
      }),
    )
}
