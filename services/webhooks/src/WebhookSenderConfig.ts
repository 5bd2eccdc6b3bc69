import type { AddressPolicySettings } from "@matchpoint/webhooks/addressPolicy"
import { Context } from "effect"

export interface WebhookSenderSettings extends AddressPolicySettings {
  /** Timeout of resolving a host name. */
  readonly lookupTimeoutMs: number
  /** Timeout of resolving the name, connecting and the TLS handshake together. */
  readonly connectTimeoutMs: number
  /** Timeout of a whole attempt, including the wait for a free connection and the response body. */
  readonly attemptTimeoutMs: number
  /** Bytes that are read of a response body. If it is longer, the connection is closed. */
  readonly maxBodyBytes: number
  /** Limit of the response headers. */
  readonly maxHeaderBytes: number
  /**
   * Further requests wait, which counts towards the timeout of the attempt. Many customers may use the same origin, so
   * it is as large as the number of lanes that a worker holds.
   */
  readonly connectionsPerOrigin: number
  /** Idle connections are closed after this time. Most servers keep them for at least 5 seconds. */
  readonly idleTimeoutMs: number
  /** Authorities that are trusted in addition to those of Node, in PEM format. */
  readonly trustedCertificates: ReadonlyArray<string>
}

export class WebhookSenderConfig extends Context.Reference<WebhookSenderSettings>("@matchpoint/service-webhooks/WebhookSenderConfig", {
  defaultValue: () => ({
    allowedNetworks: [],
    allowHttp: false,
    lookupTimeoutMs: 4_000,
    connectTimeoutMs: 5_000,
    attemptTimeoutMs: 10_000,
    maxBodyBytes: 64 * 1024,
    maxHeaderBytes: 16 * 1024,
    connectionsPerOrigin: 256,
    idleTimeoutMs: 4_000,
    trustedCertificates: [],
  }),
}) {}
