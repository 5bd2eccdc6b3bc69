/** Access settings of the RPC. The process that runs the gateway provides them. */
import type { FeedSource } from "@matchpoint/domain/feedTokens"
import { Context, Effect, type Redacted } from "effect"

export interface RpcSettings {
  /**
   * Returns true for a valid feed token. Fails with the reason if the token cannot be checked, or if the address has
   * sent too many wrong tokens. Null: this gateway accepts no facts.
   */
  readonly isFeedToken: ((token: Redacted.Redacted<string>, address: string) => Effect.Effect<boolean, string>) | null
  /**
   * Returns why the feed token may not send this fact, or undefined if it may. Some tokens are limited to one match or
   * source. Called after `isFeedToken`.
   */
  readonly notPermitted: (
    token: Redacted.Redacted<string>,
    address: string,
    fact: { readonly matchId: string; readonly source: FeedSource },
  ) => Effect.Effect<string | undefined, string>
  /** Largest request body, in bytes. */
  readonly maxRequestBytes: number
}

export class RpcConfig extends Context.Reference<RpcSettings>("@matchpoint/service-gateway/rpc/RpcConfig", {
  defaultValue: () => ({ isFeedToken: null, notPermitted: () => Effect.succeed(undefined), maxRequestBytes: 1024 * 1024 }),
}) {}
