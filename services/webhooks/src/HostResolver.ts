/** Port: resolves host names to IP addresses. Does not decide which addresses may be used. */
import { lookup } from "node:dns/promises"
import { Context, Effect, Layer, Schema } from "effect"

export interface ResolvedAddress {
  readonly address: string
  readonly family: number
}

/** Error: a host name does not exist or could not be resolved. */
export class HostNotResolved extends Schema.TaggedError<HostNotResolved>("@matchpoint/service-webhooks/HostNotResolved")(
  "HostNotResolved",
  { hostname: Schema.String, cause: Schema.Defect() },
) {}

export class HostResolver extends Context.Service<
  HostResolver,
  {
    /** Returns all IPv4 and IPv6 addresses of a host name. Has no timeout of its own. */
    readonly resolve: (hostname: string) => Effect.Effect<ReadonlyArray<ResolvedAddress>, HostNotResolved>
  }
>()("@matchpoint/service-webhooks/HostResolver") {
  /**
   * Uses the resolver of the operating system, so that `/etc/hosts` and search domains apply. Concurrent calls with the
   * same name share one lookup, because Node runs at most two lookups at a time.
   */
  static readonly layer = Layer.sync(HostResolver, () => {
    const pending = new Map<string, Promise<ReadonlyArray<ResolvedAddress>>>()
    const lookupOnce = (hostname: string) => {
      const running = pending.get(hostname)
      if (running !== undefined) return running
      const started = lookup(hostname, { all: true }).finally(() => pending.delete(hostname))
      pending.set(hostname, started)
      return started
    }
    return HostResolver.of({
      resolve: (hostname) =>
        Effect.tryPromise({ try: () => lookupOnce(hostname), catch: (cause) => new HostNotResolved({ hostname, cause }) }),
    })
  })
}
