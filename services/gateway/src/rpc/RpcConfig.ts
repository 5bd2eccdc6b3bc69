/** Access settings, provided by the process that runs the gateway. */
import type { FeedSource } from "@matchpoint/domain/feedTokens"
import { Context, Effect, type Redacted } from "effect"

export interface RpcSettings {
  /**
   * Fails with the reason if the token cannot be checked, or if the address has sent too many wrong tokens. If this
   * field is null, the gateway accepts no facts.
   */
  readonly isFeedToken: ((token: Redacted.Redacted<string>, address: string) => Effect.Effect<boolean, string>) | null
  /**
   * The reason why the feed token may not send this fact. A token can be limited to one match or source, and to matches
   * that already exist. Called only after `isFeedToken`.
   */
  readonly notPermitted: (
    token: Redacted.Redacted<string>,
    address: string,
    fact: {
      readonly matchId: string
      readonly source: FeedSource
      /** True if the fact creates its match. A function, because the fact must be decoded to find out. */
      readonly creates: () => boolean
    },
  ) => Effect.Effect<string | undefined, string>
  /** Limit of a request body. */
  readonly maxRequestBytes: number
}

export class RpcConfig extends Context.Reference<RpcSettings>("@matchpoint/service-gateway/rpc/RpcConfig", {
  defaultValue: () => ({ isFeedToken: null, notPermitted: () => Effect.succeed(undefined), maxRequestBytes: 1024 * 1024 }),
}) {}
