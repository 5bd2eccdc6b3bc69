/**
 * Settings of the intake, the HTTP service that receives facts (events of matches) from feeds. The process that runs
 * the intake provides the settings; this module reads no environment variables.
 */
import { Context, type Duration, Layer, Option, type Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"

/** Settings of the sessions of matches, which may be in another process than the HTTP service. */
export interface SessionSettings {
  /** Maximum number of requests that wait for one match. Further requests get 503. */
  readonly waitingAtMost: number
  /**
   * How long the state of a match stays in memory after the last request for the match. A later request rebuilds the
   * state from the FEED stream.
   */
  readonly idleFor: Duration.Input
  /**
   * How long the facts of one request may take to be stored. After that, the sender gets 503, and continues after the stored
   * ones when it sends the request again.
   */
  readonly storesWithin: Duration.Input
}

/**
 * At most 64 requests wait for a match, its state stays in memory for 10 minutes after its last request, and the facts of a
 * request are stored within 10 seconds.
 */
export const sessionDefaults: SessionSettings = { waitingAtMost: 64, idleFor: "10 minutes", storesWithin: "10 seconds" }

export interface FeedSettings extends SessionSettings {
  /** Token with all permissions. Tokens with fewer permissions are stored in the database. */
  readonly token: Redacted.Redacted<string>
  /**
   * If one client address has sent this many wrong tokens, its requests are rejected until some of the wrong tokens
   * expire.
   */
  readonly wrongTokens: number
  /** Number of seconds after which one wrong token no longer counts against its client address. */
  readonly forgetAfterSeconds: number
  /** Returns the client address of a request, for the limit on wrong tokens. */
  readonly addressOf: (request: Pick<HttpServerRequest.HttpServerRequest, "headers" | "remoteAddress">) => string
  /** Base URL at which senders reach this server, or `null` to use the host of the request that registers a match. */
  readonly publicUrl: string | null
  /** True if senders connect through a proxy that sets `x-forwarded-proto`. */
  readonly behindProxy: boolean
  /**
   * Timeout of a request, including the time spent waiting for other requests of the same match. A request that exceeds
   * it gets status 503.
   */
  readonly answerWithin: Duration.Input
}

export class FeedConfig extends Context.Service<FeedConfig, FeedSettings>()("@matchpoint/game/feed/FeedConfig") {
  /**
   * Defaults: an address may send 10 wrong tokens, and one of them expires every 5 seconds. A request times out after 20
   * seconds. There is no public URL and no proxy. Sessions have their own defaults.
   */
  static readonly layer = (settings: Pick<FeedSettings, "token"> & Partial<FeedSettings>): Layer.Layer<FeedConfig> =>
    Layer.succeed(FeedConfig, {
      wrongTokens: 10,
      forgetAfterSeconds: 5,
      addressOf: ({ remoteAddress }) => Option.getOrElse(remoteAddress, () => "unknown"),
      publicUrl: null,
      behindProxy: false,
      ...sessionDefaults,
      answerWithin: "20 seconds",
      ...settings,
    })
}
