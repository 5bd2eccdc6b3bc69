/** Settings of the intake, the HTTP service that receives facts. The process that runs it provides them. */
import { Context, type Duration, Layer, Option, type Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"

/** The sessions of matches may be in another process than the HTTP service. */
export interface SessionSettings {
  /** Requests that wait for one match. Further requests get 503. */
  readonly waitingAtMost: number
  /** A session without requests leaves memory after this time. A later request rebuilds its state from FEED. */
  readonly idleFor: Duration.Input
  /**
   * Facts of one request must be stored within it. Then the sender gets 503, and later continues after the stored ones.
   */
  readonly storesWithin: Duration.Input
}

export const sessionDefaults: SessionSettings = { waitingAtMost: 64, idleFor: "10 minutes", storesWithin: "10 seconds" }

export interface FeedSettings extends SessionSettings {
  /** Has all permissions. Tokens with fewer permissions are stored in the database. */
  readonly token: Redacted.Redacted<string>
  /** Wrong tokens after which a client address is rejected until some of them expire. */
  readonly wrongTokens: number
  /** Time after which one wrong token no longer counts. */
  readonly forgetAfterSeconds: number
  /** Client address of a request, for the limit on wrong tokens. */
  readonly addressOf: (request: Pick<HttpServerRequest.HttpServerRequest, "headers" | "remoteAddress">) => string
  /** Base URL at which senders reach this server, or `null` for the host of the request that registers a match. */
  readonly publicUrl: string | null
  /** True if senders connect through a proxy that sets `x-forwarded-proto`. */
  readonly behindProxy: boolean
  /** Timeout of a request, including the wait for other requests of the same match. After it, the status is 503. */
  readonly answerWithin: Duration.Input
}

export class FeedConfig extends Context.Service<FeedConfig, FeedSettings>()("@matchpoint/game/feed/FeedConfig") {
  /** Defaults: 10 wrong tokens per address, of which one expires every 5 seconds; 20 seconds per request; no proxy. */
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
