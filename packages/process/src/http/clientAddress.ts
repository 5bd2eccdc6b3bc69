/** The client's IP address, for limits per address. */
import { Option, Result } from "effect"
import { IpNetwork, NetAddress } from "effect/net"

type Headers = { readonly [name: string]: string | undefined }

/**
 * Returns the client's address: behind a proxy, the last entry of `x-forwarded-for`, which the proxy added. The client
 * can forge earlier entries.
 */
export const clientAddress = (headers: Headers, remoteAddress: string | undefined, behindProxy: boolean): string => {
  const forwarded = behindProxy ? headers["x-forwarded-for"]?.split(",").at(-1)?.trim() : undefined
  return forwarded ?? remoteAddress ?? "unknown"
}

export interface AddressRules {
  /** True if clients connect through a proxy that sets `x-forwarded-for`. */
  readonly behindProxy: boolean
  /** Bits of an IPv6 address that limits per address distinguish, 1 to 128. */
  readonly ipv6Prefix: number
}

/** Internet providers give single customers networks of this size. */
export const DEFAULT_IPV6_PREFIX = 64

/** Address or network to which limits per address apply. */
export const limitedAddress = (headers: Headers, remoteAddress: string | undefined, { behindProxy, ipv6Prefix }: AddressRules): string =>
  networkOf(clientAddress(headers, remoteAddress, behindProxy), ipv6Prefix)

/**
 * Network of an IPv6 address, such as `2001:db8:1:2::/64`. For a mapped address (`::ffff:192.0.2.1`), its IPv4 address.
 * Other text is returned unchanged.
 */
export const networkOf = (address: string, ipv6Prefix: number): string => {
  if (!address.includes(":")) return address
  const parsed = NetAddress.ipFromString(address)
  if (Result.isFailure(parsed) || !NetAddress.isIpv6Address(parsed.success)) return address
  const embedded = NetAddress.fromIpv4Mapped(parsed.success)
  if (Option.isSome(embedded)) return NetAddress.formatIp(embedded.value)
  return IpNetwork.format(IpNetwork.fromAddressUnsafe(parsed.success, ipv6Prefix))
}
