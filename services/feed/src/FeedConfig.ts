/**
 * Settings of the intake. The process that runs the intake provides them; this module reads no environment variables.
 */
import { Context, type Duration, Layer, Option, type Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"

export interface FeedSettings {
  /** Token with all permissions. Tokens with fewer permissions are in the store. */
  readonly token: Redacted.Redacted<string>
  /** Number of wrong tokens from one address before the address is rejected for a while. */
  readonly wrongTokens: number
  /** Seconds until one wrong token of an address is forgotten. */
  readonly forgetAfterSeconds: number
  /** Returns the client address of a request, for the limit on wrong tokens. */
  readonly addressOf: (request: Pick<HttpServerRequest.HttpServerRequest, "headers" | "remoteAddress">) => string
  /** Base URL at which senders reach this server. `null` means the host of the registering request. */
  readonly publicUrl: string | null
  /** Maximum number of requests that wait for one match. Further requests get 503. */
  readonly waitingAtMost: number
  /**
   * Time after the last request for which the state of a match stays in memory. Later requests rebuild it from FEED.
   */
  readonly idleFor: Duration.Input
  /** Total time limit of a request. After it the request gets 503. */
  readonly answerWithin: Duration.Input
}

export class FeedConfig extends Context.Service<FeedConfig, FeedSettings>()("@matchpoint/service-feed/FeedConfig") {
  /**
   * Defaults: 10 wrong tokens, one forgotten every 5 seconds, 64 waiting requests, 10 minutes idle time, 20 seconds per
   * request, no public URL, no proxy.
   */
  static readonly layer = (settings: Pick<FeedSettings, "token"> & Partial<FeedSettings>): Layer.Layer<FeedConfig> =>
    Layer.succeed(FeedConfig, {
      wrongTokens: 10,
      forgetAfterSeconds: 5,
      addressOf: ({ remoteAddress }) => Option.getOrElse(remoteAddress, () => "unknown"),
      publicUrl: null,
      waitingAtMost: 64,
      idleFor: "10 minutes",
      answerWithin: "20 seconds",
      ...settings,
    })
}
