/** Access settings of the RPC. The process that runs the gateway provides them. */
import type { FeedSource } from "@matchpoint/domain/feedTokens"
import { Context, Effect, type Redacted } from "effect"

export interface RpcSettings {
  /**
   * Returns true if the feed token is valid. Fails with the reason if the token cannot be checked, or if the address
   * has sent too many wrong tokens. If this field is null, the gateway accepts no facts (events from feeds).
   */
  readonly isFeedToken: ((token: Redacted.Redacted<string>, address: string) => Effect.Effect<boolean, string>) | null
  /**
   * Returns the reason why the feed token may not send this fact (an event from a feed), or undefined if it may. A
   * token can be limited to one match or source, and to matches that already exist. Called only after `isFeedToken`.
   */
  readonly notPermitted: (
    token: Redacted.Redacted<string>,
    address: string,
    fact: {
      readonly matchId: string
      readonly source: FeedSource
      /**
       * Returns true if the fact (an event from a feed) creates its match. This is a function, because the fact must be
       * decoded to find out.
       */
      readonly creates: () => boolean
    },
  ) => Effect.Effect<string | undefined, string>
  /** Maximum size of a request body, in bytes. */
  readonly maxRequestBytes: number
}

export class RpcConfig extends Context.Reference<RpcSettings>("@matchpoint/service-gateway/rpc/RpcConfig", {
  defaultValue: () => ({ isFeedToken: null, notPermitted: () => Effect.succeed(undefined), maxRequestBytes: 1024 * 1024 }),
}) {}
