/** Shared by the gateway, which registers webhooks, and the worker, which delivers them. */
import { networkInterfaces } from "node:os"
import type { AddressPolicySettings } from "@matchpoint/webhooks/addressPolicy"
import { SecretBox } from "@matchpoint/webhooks/SecretBox"
import { Effect, Option, type Redacted } from "effect"

export interface WebhookOperatorSettings {
  /** Keys for the secrets of webhooks, the current one first. Without a key, there are no webhooks. */
  readonly webhookKeys: Option.Option<readonly [Redacted.Redacted<string>, ...ReadonlyArray<Redacted.Redacted<string>>]>
  /** Reachable in addition to public addresses: CIDR notation, or `loopback`. */
  readonly webhookNetworks: Option.Option<ReadonlyArray<string>>
  /** Prefixes with which the operator's network translates IPv6 to IPv4. */
  readonly nat64Prefixes: Option.Option<ReadonlyArray<string>>
}

/** Addresses of this machine: deliveries must not reach other services on it. */
const ownAddresses = Effect.sync(() =>
  Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).filter(({ internal }) => !internal).map(({ address }) => address),
  ),
)

/** Deliveries may reach only public addresses and the networks that the operator has listed. */
export const webhookAddresses = ({
  nat64Prefixes,
  webhookNetworks,
}: Pick<WebhookOperatorSettings, "webhookNetworks" | "nat64Prefixes">): Effect.Effect<AddressPolicySettings> =>
  Effect.map(ownAddresses, (blockedAddresses) => ({
    allowHttp: false,
    allowedNetworks: Option.getOrElse(webhookNetworks, () => []),
    blockedAddresses,
    nat64Prefixes: Option.getOrElse(nat64Prefixes, () => []),
  }))

/** Null if the operator has set no key. */
export const secretBoxOf = ({ webhookKeys }: WebhookOperatorSettings): SecretBox | null =>
  Option.match(webhookKeys, { onNone: () => null, onSome: (keys) => new SecretBox(keys) })
