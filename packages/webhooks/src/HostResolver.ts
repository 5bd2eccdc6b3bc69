/** Port: resolves host names to IP addresses. Does not decide which addresses may be used. */
import { lookup, Resolver } from "node:dns/promises"
import { Context, Effect, Layer, Schema } from "effect"

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

export class HostNotResolved extends Schema.TaggedError<HostNotResolved>("@matchpoint/webhooks/HostNotResolved")("HostNotResolved", {
  hostname: Schema.String,
  cause: Schema.Defect(),
}) {}

export class HostResolver extends Context.Service<
  HostResolver,
  {
    /** IPv4 and IPv6. Has no timeout of its own. */
    readonly resolve: (hostname: string) => Effect.Effect<ReadonlyArray<ResolvedAddress>, HostNotResolved>
  }
>()("@matchpoint/webhooks/HostResolver") {
  /**
   * Asks the name servers of the system directly, so that names with a dead name server delay only their own lookups:
   * the resolver of the operating system would block a thread for each, and Node uses at most two. Names that only the
   * operator's machine can know (without a dot, or below `localhost`) go to the operating system, with `/etc/hosts` and
   * search domains.
   */
  static readonly layer = Layer.sync(HostResolver, () => {
    const servers = new Resolver({ timeout: SERVER_TIMEOUT_MS, tries: 2 })
    const ask = async (hostname: string): Promise<ReadonlyArray<ResolvedAddress>> => {
      if (isLocalName(hostname)) return lookup(hostname, { all: true })
      const [ipv4, ipv6] = await Promise.allSettled([servers.resolve4(hostname), servers.resolve6(hostname)])
      if (ipv4.status === "rejected" && ipv6.status === "rejected") throw ipv4.reason
      return [...addressesOf(ipv4, 4), ...addressesOf(ipv6, 6)]
    }
    return HostResolver.of({
      resolve: (hostname) => Effect.tryPromise({ try: () => ask(hostname), catch: (cause) => new HostNotResolved({ hostname, cause }) }),
    })
  })
}

/** Timeout of a question to one name server. */
const SERVER_TIMEOUT_MS = 1_500

const isLocalName = (hostname: string): boolean => /^[^.]+\.?$|(?:^|\.)localhost\.?$/i.test(hostname)

const addressesOf = (result: PromiseSettledResult<ReadonlyArray<string>>, family: number): ReadonlyArray<ResolvedAddress> =>
  result.status === "fulfilled" ? result.value.map((address) => ({ address, family })) : []
