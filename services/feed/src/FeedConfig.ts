/** How facts are taken in. The process that runs the intake provides it; nothing here reads the environment. */
import { Context, type Duration, Layer, Option, type Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"

export interface FeedSettings {
  /** Allows everything. Tokens with less are in the store. */
  readonly token: Redacted.Redacted<string>
  /** Wrong tokens from one address in a row; then it is refused for a while. */
  readonly wrongTokens: number
  /** One of them is forgotten after this many seconds. */
  readonly forgetAfterSeconds: number
  /** The address behind a request, for the limit of wrong tokens. */
  readonly addressOf: (request: Pick<HttpServerRequest.HttpServerRequest, "headers" | "remoteAddress">) => string
  /** Where senders reach us; null: where the registering request did. */
  readonly publicUrl: string | null
  /** Senders reach us through a proxy that sets `x-forwarded-proto`. */
  readonly behindProxy: boolean
  /** How many requests of one match may wait for their turn; one more is answered 503. */
  readonly waitingAtMost: number
  /** How long the state of a match that nobody posts for is kept. It is rebuilt from FEED when somebody does. */
  readonly idleFor: Duration.Input
  /** How long a request may take in all before it is answered 503. */
  readonly answerWithin: Duration.Input
}

export class FeedConfig extends Context.Service<FeedConfig, FeedSettings>()("@matchpoint/service-feed/FeedConfig") {
  /** Defaults: 10 wrong tokens, one forgotten every 5 seconds, 64 waiting requests, 10 minutes, 20 seconds, no public URL, no proxy. */
  static readonly layer = (settings: Pick<FeedSettings, "token"> & Partial<FeedSettings>): Layer.Layer<FeedConfig> =>
    Layer.succeed(FeedConfig, {
      wrongTokens: 10,
      forgetAfterSeconds: 5,
      addressOf: ({ remoteAddress }) => Option.getOrElse(remoteAddress, () => "unknown"),
      publicUrl: null,
      behindProxy: false,
      waitingAtMost: 64,
      idleFor: "10 minutes",
      answerWithin: "20 seconds",
      ...settings,
    })
}
