/**
 * HTTP agent whose connections only reach addresses that the policy permits. A host name is resolved once per
 * connection, and the connection uses the addresses that were checked, so that a name cannot change its address
 * between the check and the use.
 */
import { isIP, type LookupFunction } from "node:net"
import { createSecureContext, getCACertificates } from "node:tls"
import { type AddressPolicy, checkAddress } from "@matchpoint/webhooks/addressPolicy"
import { Effect, Exit, Fiber, Result } from "effect"
import { Agent, buildConnector } from "undici"
import { HostResolver, type ResolvedAddress } from "./HostResolver.ts"
import { blockedAddress, connectFailure, nameNotResolved, type SendFailure } from "./SendFailure.ts"
import { WebhookSenderConfig } from "./WebhookSenderConfig.ts"

/** After this many requests, a connection is replaced, so that busy connections follow changes in the DNS. */
const REQUESTS_PER_CONNECTION = 1_000

export type CheckedLookup = (hostname: string) => Effect.Effect<readonly [ResolvedAddress, ...Array<ResolvedAddress>], SendFailure>

/**
 * Returns a function that resolves a host name. It fails if the name has no address, or if the policy rejects at least
 * one of its addresses.
 */
export const makeCheckedLookup = Effect.fnUntraced(function* (policy: AddressPolicy) {
  const resolver = yield* HostResolver
  const { lookupTimeoutMs } = yield* WebhookSenderConfig
  const checked: CheckedLookup = (hostname) =>
    resolver.resolve(hostname).pipe(
      Effect.timeout(lookupTimeoutMs),
      Effect.catch(() => Effect.fail(nameNotResolved)),
      Effect.flatMap(([first, ...others]) => {
        if (first === undefined) return Effect.fail(nameNotResolved)
        const addresses = [first, ...others] as const
        return addresses.every(({ address }) => checkAddress(policy, address)) ? Effect.succeed(addresses) : Effect.fail(blockedAddress)
      }),
    )
  return checked
})

/**
 * Creates the agent, which is destroyed when the scope closes. Keeps idle connections for a short time. Does not follow
 * redirects, decode bodies, store cookies, or use a proxy. An origin without connections takes no memory.
 */
export const makeCheckedAgent = Effect.fnUntraced(function* (policy: AddressPolicy, lookupChecked: CheckedLookup) {
  const settings = yield* WebhookSenderConfig
  const scope = yield* Effect.scope
  const runFork = Effect.runForkWith(yield* Effect.context())

  const lookup: LookupFunction = (hostname, options, callback) => {
    const fiber = runFork(Effect.result(lookupChecked(hostname)))
    Fiber.runIn(fiber, scope)
    fiber.addObserver((exit) => {
      // The fiber is interrupted if the scope closes.
      const found = Exit.isSuccess(exit) ? exit.value : Result.fail(nameNotResolved)
      if (Result.isFailure(found)) return callback(found.failure, "")
      // With `all`, Node tries the addresses one after the other.
      if (options.all === true) callback(null, [...found.success])
      else callback(null, found.success[0].address, found.success[0].family)
    })
  }

  const connector = buildConnector({
    allowH2: false,
    timeout: settings.connectTimeoutMs,
    lookup,
    autoSelectFamily: true,
    rejectUnauthorized: true,
    // With `ca` instead, every connection would parse all certificates, which takes 22 ms.
    ...(settings.trustedCertificates.length > 0 && {
      secureContext: createSecureContext({ ca: [...getCACertificates(), ...settings.trustedCertificates] }),
    }),
  })
  const connect: buildConnector.connector = (options, callback) => {
    // Node does not call `lookup` if the host is an address.
    if (isIP(options.hostname) !== 0 && !checkAddress(policy, options.hostname)) {
      return queueMicrotask(() => callback(blockedAddress, null))
    }
    connector(options, (...[error, socket]) => {
      if (error === null) callback(null, socket)
      else callback(connectFailure(error, options.protocol === "https:"), null)
    })
  }

  return yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new Agent({
          connect,
          allowH2: false,
          pipelining: 1,
          connections: settings.connectionsPerOrigin,
          keepAliveTimeout: settings.idleTimeoutMs,
          keepAliveMaxTimeout: settings.idleTimeoutMs,
          maxRequestsPerClient: REQUESTS_PER_CONNECTION,
          maxHeaderSize: settings.maxHeaderBytes,
          // No timeouts here, because the sender limits the time of the whole attempt.
          headersTimeout: 0,
          bodyTimeout: 0,
        }),
    ),
    (agent) => Effect.promise(() => agent.destroy()),
  )
})
