/**
 * Which URLs and IP addresses the service may connect to on behalf of a customer. Protects the operator's network from
 * server-side request forgery (SSRF). Names are resolved elsewhere, and each resolved address is passed to
 * `checkAddress`.
 */
import { Result, Schema } from "effect"
import ipaddr from "ipaddr.js"

export interface AddressPolicySettings {
  /** Allowed although not public: `10.1.0.0/16`, `fd00::/8` or a single address. `loopback` means 127.0.0.0/8 and ::1. */
  readonly allowedNetworks: ReadonlyArray<string>
  /** Allows `http:` besides `https:`. */
  readonly allowHttp: boolean
  /** Always rejected: addresses or networks, e.g. the public addresses of this server. */
  readonly blockedAddresses?: ReadonlyArray<string>
  /**
   * Prefixes with which the operator's network translates IPv6 to IPv4 (NAT64, RFC 6052), in addition to 64:ff9b::/96.
   * Lengths: 32, 40, 48, 56, 64 or 96. An address with such a prefix is treated like its IPv4 address.
   */
  readonly nat64Prefixes?: ReadonlyArray<string>
}

/** Created by `makeAddressPolicy`. */
export interface AddressPolicy {
  readonly allowed: ReadonlyArray<Network>
  readonly blocked: ReadonlyArray<Network>
  readonly translated: ReadonlyArray<Network>
  readonly allowHttp: boolean
  /** Allows names that only have a meaning inside a network, e.g. `receiver` or `receiver.internal`. */
  readonly allowInternalNames: boolean
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = readonly [address: Address, prefixLength: number]

/** Neither an IP address, a network in CIDR notation, nor the word `loopback`. */
export class InvalidNetwork extends Schema.TaggedError<InvalidNetwork>("@matchpoint/webhooks/InvalidNetwork")("InvalidNetwork", {
  network: Schema.String,
}) {
  override get message(): string {
    return `"${this.network}" is not an IP address, a network such as 10.1.0.0/16, or the word "loopback"`
  }
}

/** The message is for the customer and reveals no internal names or addresses. */
export interface UrlProblem {
  readonly code: "too_long" | "malformed" | "protocol" | "user_info" | "fragment" | "port" | "host" | "address"
  readonly message: string
}

/** Limit for a URL as written and in its normal form. */
export const MAX_URL_CHARACTERS = 2_048

/** NFS, MySQL, PostgreSQL, NATS, Redis, Kafka, memcached, MongoDB. All ports below 1024 are rejected too, except 80 and 443. */
const BLOCKED_PORTS = new Set([2_049, 3_306, 4_222, 5_432, 6_379, 9_092, 11_211, 27_017])

/** The only network of globally routable IPv6 unicast addresses that IANA assigns from. */
const ASSIGNED_IPV6: ReadonlyArray<Network> = [ipaddr.IPv6.parseCIDR("2000::/3")]
const LOOPBACK = ["127.0.0.0/8", "::1/128"]
const LOOPBACK_NAMES = /(?:^|\.)(?:localhost|localdomain)$|^ip6-(?:localhost|loopback)$/
const INTERNAL_NAMES = /^[^.]+$|\.(?:local|internal|intranet|lan|corp|home|home\.arpa)$/
const METADATA_NAMES = /^(?:metadata|instance-data)(?:\.goog|\.(?:[^.]+\.)*internal)?$/
const METADATA_ADDRESS = "169.254.169.254"

/** Fails with the first entry that is malformed. */
export const makeAddressPolicy = (settings: AddressPolicySettings): Result.Result<AddressPolicy, InvalidNetwork> => {
  const allowed: Array<Network> = []
  const blocked: Array<Network> = []
  let allowInternalNames = false
  for (const text of settings.allowedNetworks) {
    const networks = text === "loopback" ? LOOPBACK.map(parseNetwork) : [parseNetwork(text)]
    for (const network of networks) {
      if (network === undefined) return Result.fail(new InvalidNetwork({ network: text }))
      allowed.push(network)
      if (network[0].range() !== "loopback") allowInternalNames = true
    }
  }
  for (const text of settings.blockedAddresses ?? []) {
    const network = parseNetwork(text)
    if (network === undefined) return Result.fail(new InvalidNetwork({ network: text }))
    blocked.push(network)
  }
  const translated: Array<Network> = []
  for (const text of settings.nat64Prefixes ?? []) {
    const network = parseNetwork(text)
    if (network === undefined || network[0].kind() !== "ipv6" || !NAT64_LENGTHS.has(network[1])) {
      return Result.fail(new InvalidNetwork({ network: text }))
    }
    translated.push(network)
  }
  return Result.succeed({ allowed, blocked, translated, allowHttp: settings.allowHttp, allowInternalNames })
}

/**
 * Does not resolve the host name: the caller must pass its addresses to `checkAddress`. An IP address in any form that
 * URLs permit is checked.
 */
export const checkUrl = (policy: AddressPolicy, text: string): Result.Result<URL, UrlProblem> => {
  const tooLong = problem("too_long", `The URL must have at most ${MAX_URL_CHARACTERS} characters.`)
  if (text.length > MAX_URL_CHARACTERS) return tooLong
  const url = URL.parse(text)
  if (url === null) return problem("malformed", "The URL is malformed.")
  const isHttp = url.protocol === "http:" && policy.allowHttp
  if (url.protocol !== "https:" && !isHttp) {
    return problem("protocol", policy.allowHttp ? "The URL must start with https:// or http://." : "The URL must start with https://.")
  }
  // Other software may read these forms differently, although the URL standard permits them.
  if (isAmbiguous(text)) {
    return problem("malformed", "The URL must start with https://, and contain no spaces, control characters or backslashes.")
  }
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return problem("user_info", "The URL must not contain a user name or password.")
  if (text.includes("#")) return problem("fragment", "The URL must not contain a fragment (#).")
  if (url.href.length > MAX_URL_CHARACTERS) return tooLong
  if (!isAllowedPort(url.port)) {
    return problem("port", "The port must be 80, 443 or at least 1024, and not the usual port of a service other than HTTP.")
  }
  return checkHost(policy, url)
}

/** True for spaces, control characters or backslashes, or not exactly two slashes before the host. */
const isAmbiguous = (text: string): boolean => /[\s\p{Cc}\\]/u.test(text) || !/^https?:\/\/[^/]/i.test(text)

/** The empty text stands for the default port. */
const isAllowedPort = (port: string): boolean => {
  const number = port === "" ? 443 : Number(port)
  return number === 80 || number === 443 || (number >= 1_024 && number <= 65_535 && !BLOCKED_PORTS.has(number))
}

const checkHost = (policy: AddressPolicy, url: URL): Result.Result<URL, UrlProblem> => {
  const address = addressOfHost(url.hostname)
  if (address !== undefined) {
    return checkAddress(policy, address) ? Result.succeed(url) : problem("address", "The address of the URL is not public.")
  }
  const name = url.hostname.replace(/\.$/, "")
  if (name === "" || name.length > 253) return problem("host", "The host name of the URL is invalid.")
  return isAllowedName(policy, name) ? Result.succeed(url) : problem("host", "The host name of the URL is not public.")
}

/** IP address of the host, without the brackets of an IPv6 address. Undefined for a host name. */
export const addressOfHost = (hostname: string): string | undefined => {
  if (hostname.startsWith("[")) return hostname.slice(1, -1)
  return ipaddr.IPv4.isValidFourPartDecimal(hostname) ? hostname : undefined
}

const isAllowedName = (policy: AddressPolicy, name: string): boolean => {
  if (LOOPBACK_NAMES.test(name)) return checkAddress(policy, "127.0.0.1") || checkAddress(policy, "::1")
  if (METADATA_NAMES.test(name)) return checkAddress(policy, METADATA_ADDRESS)
  return policy.allowInternalNames || !INTERNAL_NAMES.test(name)
}

/**
 * Returns true if the service may connect to the address: it is globally routable unicast or in an allowed network, and
 * it is not blocked. Text that is not exactly one address is rejected, and so are IPv6 addresses with a zone.
 *
 * Rules for an IPv6 address that contains an IPv4 address (mapped, compatible, NAT64, 6to4, ISATAP), of which the first
 * that applies decides:
 * 1. The IPv4 address is blocked: the IPv6 address is rejected.
 * 2. The IPv6 address is in an allowed network or has a NAT64 prefix of the operator: it is accepted if the IPv4 address,
 *    on its own, would be.
 * 3. The IPv6 address is mapped, and its IPv4 address is in an allowed network: it is accepted.
 * 4. It is rejected.
 */
export const checkAddress = (policy: AddressPolicy, text: string): boolean => {
  const address = parseAddress(text)
  if (address === undefined) return false
  const translation = policy.translated.find((network) => isIn([network], address))
  const embedded = translation === undefined ? embeddedIPv4(address) : translatedIPv4(address, translation[1])
  if (isIn(policy.blocked, address) || (embedded !== undefined && isIn(policy.blocked, embedded))) return false
  if (embedded === undefined) return isIn(policy.allowed, address) || isGlobal(address)
  if (translation !== undefined || isIn(policy.allowed, address)) return isIn(policy.allowed, embedded) || isGlobal(embedded)
  return address.range() === "ipv4Mapped" && isIn(policy.allowed, embedded)
}

const isGlobal = (address: Address): boolean => address.range() === "unicast" && (address.kind() === "ipv4" || isIn(ASSIGNED_IPV6, address))

const isIn = (networks: ReadonlyArray<Network>, address: Address): boolean =>
  networks.some(([network, length]) => network.kind() === address.kind() && address.match(network, length))

const parseAddress = (text: string): Address | undefined => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  return !text.includes("%") && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined
}

/** Returns the IPv4 network for a mapped one. */
const parseNetwork = (text: string): Network | undefined => {
  const [start = "", length, ...rest] = text.split("/")
  const address = parseAddress(start)
  if (address === undefined || rest.length > 0) return undefined
  const bits = address.kind() === "ipv4" ? 32 : 128
  if (length === undefined) {
    const embedded = address.range() === "ipv4Mapped" ? embeddedIPv4(address) : undefined
    return embedded === undefined ? [address, bits] : [embedded, 32]
  }
  return /^\d{1,3}$/.test(length) && Number(length) <= bits ? [address, Number(length)] : undefined
}

/** RFC 6052. */
const NAT64_LENGTHS = new Set([32, 40, 48, 56, 64, 96])

/** Byte 8 is not part of the IPv4 address (RFC 6052, section 2.2). */
const translatedIPv4 = (address: Address, prefixLength: number): Address => {
  const bytes = address.toByteArray()
  if (prefixLength === 96) return new ipaddr.IPv4(bytes.slice(12))
  const after = [...bytes.slice(prefixLength / 8, 8), ...bytes.slice(9)]
  return new ipaddr.IPv4(after.slice(0, 4))
}

/** IPv4 address inside a mapped, compatible, NAT64, 6to4 or ISATAP address. The addresses :: and ::1 contain none. */
const embeddedIPv4 = (address: Address): Address | undefined => {
  if (address.kind() === "ipv4") return undefined
  const bytes = address.toByteArray()
  const startsWith = (...prefix: ReadonlyArray<number>) => prefix.every((byte, index) => bytes[index] === byte)
  if (startsWith(0x20, 0x02)) return new ipaddr.IPv4(bytes.slice(2, 6))
  // The interface identifier of ISATAP (RFC 5214), with or without the bit for unique addresses.
  if ((bytes[8] === 0 || bytes[8] === 2) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe) {
    return new ipaddr.IPv4(bytes.slice(12))
  }
  const isMapped = startsWith(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff)
  const isCompatible = startsWith(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) && (bytes[12] !== 0 || bytes[13] !== 0)
  const isNat64 = startsWith(0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0)
  return isMapped || isCompatible || isNat64 ? new ipaddr.IPv4(bytes.slice(12)) : undefined
}

const problem = (code: UrlProblem["code"], message: string): Result.Result<never, UrlProblem> => Result.fail({ code, message })
