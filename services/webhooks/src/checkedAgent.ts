/**
 * HTTP agent whose connections only reach addresses that the policy permits. A host name is resolved once per
 * connection, which uses the checked addresses, so that a name cannot change its address between the check and the use.
 */
import { isIP, type LookupFunction } from "node:net"
import { createSecureContext, getCACertificates } from "node:tls"
import { type AddressPolicy, checkAddress } from "@matchpoint/webhooks/addressPolicy"
import { blockedAddress, type CheckedLookup, nameNotResolved } from "@matchpoint/webhooks/checkedLookup"
import { Effect, Exit, Fiber, Result } from "effect"
import { Agent, buildConnector } from "undici"
import { connectFailure } from "./SendFailure.ts"
import { WebhookSenderConfig } from "./WebhookSenderConfig.ts"

/** A connection is replaced after this many requests, so that busy connections follow changes in the DNS. */
const REQUESTS_PER_CONNECTION = 1_000

/**
 * Destroyed when the scope closes. Keeps idle connections for a short time. Does not follow redirects, decode bodies,
 * store cookies, or use a proxy. An origin without connections takes no memory.
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
          // The sender limits the time of the whole attempt.
          headersTimeout: 0,
          bodyTimeout: 0,
        }),
    ),
    (agent) => Effect.promise(() => agent.destroy()),
  )
})
