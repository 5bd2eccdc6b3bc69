/**
 * Resolves host names and rejects addresses that the policy does not permit. Messages are for the customer, so they
 * contain no addresses.
 */
import { Effect, Schema } from "effect"
import { type AddressPolicy, checkAddress } from "./addressPolicy.ts"
import { HostResolver, type ResolvedAddress } from "./HostResolver.ts"

export class LookupFailure extends Schema.TaggedError<LookupFailure>("@matchpoint/webhooks/LookupFailure")("LookupFailure", {
  reason: Schema.Literals(["blocked_address", "dns"]),
  message: Schema.String,
}) {}

export const blockedAddress = new LookupFailure({ reason: "blocked_address", message: "The host does not have a public address." })
export const nameNotResolved = new LookupFailure({ reason: "dns", message: "The host name could not be resolved." })

export type CheckedLookup = (hostname: string) => Effect.Effect<readonly [ResolvedAddress, ...Array<ResolvedAddress>], LookupFailure>

/** Fails if the name has no address, if the policy rejects at least one of them, or after `timeoutMs`. */
export const makeCheckedLookup = Effect.fnUntraced(function* (policy: AddressPolicy, timeoutMs: number) {
  const resolver = yield* HostResolver
  const checked: CheckedLookup = (hostname) =>
    resolver.resolve(hostname).pipe(
      Effect.timeout(timeoutMs),
      Effect.catch(() => Effect.fail(nameNotResolved)),
      Effect.flatMap(([first, ...others]) => {
        if (first === undefined) return Effect.fail(nameNotResolved)
        const addresses = [first, ...others] as const
        return addresses.every(({ address }) => checkAddress(policy, address)) ? Effect.succeed(addresses) : Effect.fail(blockedAddress)
      }),
    )
  return checked
})
