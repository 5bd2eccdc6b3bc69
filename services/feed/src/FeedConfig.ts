/** How facts are taken in. The process that runs the intake provides it; nothing here reads the environment. */
import { Context, type Duration, Layer, type Redacted } from "effect"

export interface FeedSettings {
  /** Whoever has it may tell facts. */
  readonly token: Redacted.Redacted<string>
  /** Where senders reach us; null: where the registering request did. */
  readonly publicUrl: string | null
  /** How many requests of one match may wait for their turn; one more is answered 503. */
  readonly waitingAtMost: number
  /** How long the state of a match that nobody posts for is kept. It is rebuilt from FEED when somebody does. */
  readonly idleFor: Duration.Input
  /** How long a request may take in all before it is answered 503. */
  readonly answerWithin: Duration.Input
}

export class FeedConfig extends Context.Service<FeedConfig, FeedSettings>()("@matchpoint/service-feed/FeedConfig") {
  /** Defaults: 64 waiting requests, 10 minutes, 20 seconds, no public URL. */
  static readonly layer = (settings: Pick<FeedSettings, "token"> & Partial<FeedSettings>): Layer.Layer<FeedConfig> =>
    Layer.succeed(FeedConfig, { publicUrl: null, waitingAtMost: 64, idleFor: "10 minutes", answerWithin: "20 seconds", ...settings })
}
