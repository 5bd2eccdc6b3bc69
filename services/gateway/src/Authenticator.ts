/**
 * Turns a secret into the key's owner. Asks the store and remembers the answer for a few seconds, so that a busy key costs the
 * database little and a revoked one works no longer than that. Where the secret stands in a request is the transports' business.
 */
import { InvalidApiKey, ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import type { Customer } from "@matchpoint/domain/accounts"
import { ApiKeys } from "@matchpoint/store/ApiKeys"
import { Cache, Context, Effect, Exit, Layer, Option, Redacted } from "effect"

const REMEMBER = "5 seconds"
const REMEMBERED_KEYS = 10_000
/** Ours are 40 characters long; a stranger's megabyte is not worth hashing. */
const MAX_SECRET_LENGTH = 200

export const howToAuthenticate = "send a valid API key in the header x-api-key or as a bearer token"

export class Authenticator extends Context.Service<
  Authenticator,
  { readonly authenticate: (secret: Redacted.Redacted<string>) => Effect.Effect<Customer, InvalidApiKey | ServiceUnavailable> }
>()("@matchpoint/service-gateway/Authenticator") {
  static readonly layer = Layer.effect(
    Authenticator,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const known = yield* Cache.makeWith((secret: Redacted.Redacted<string>) => keys.verify(secret), {
        capacity: REMEMBERED_KEYS,
        // A store that failed is asked again at once.
        timeToLive: (exit) => (Exit.isSuccess(exit) ? REMEMBER : 0),
      })
      return Authenticator.of({
        authenticate: Effect.fnUntraced(function* (secret) {
          const length = Redacted.value(secret).length
          if (length === 0 || length > MAX_SECRET_LENGTH) return yield* InvalidApiKey.because(howToAuthenticate)
          const key = yield* Cache.get(known, secret).pipe(
            Effect.tapError((error) => Effect.logError("API keys cannot be checked", error)),
            Effect.mapError(() => ServiceUnavailable.because("API keys cannot be checked at the moment; try again")),
          )
          return Option.isNone(key) ? yield* InvalidApiKey.because(howToAuthenticate) : key.value
        }),
      })
    }),
  )
}
