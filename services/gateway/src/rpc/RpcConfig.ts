/** How other services are let in. The process that runs the gateway provides it. */
import type { FeedSource } from "@matchpoint/domain/feedTokens"
import { Context, Effect, type Redacted } from "effect"

export interface RpcSettings {
  /**
   * True for a feed token. Fails with the reason if it cannot be checked, or if the address has sent too many wrong ones. Null: no caller may
   * send facts through this gateway.
   */
  readonly isFeedToken: ((token: Redacted.Redacted<string>, address: string) => Effect.Effect<boolean, string>) | null
  /**
   * Why a feed token may not send this fact, or undefined if it may: some are for one match or source, and only for matches that exist. Asked
   * after `isFeedToken`.
   */
  readonly notPermitted: (
    token: Redacted.Redacted<string>,
    address: string,
    fact: {
      readonly matchId: string
      readonly source: FeedSource
      /** Returns true if the fact creates its match. Decodes the fact. */
      readonly creates: () => boolean
    },
  ) => Effect.Effect<string | undefined, string>
  /** Largest request, bytes. */
  readonly maxRequestBytes: number
}

export class RpcConfig extends Context.Reference<RpcSettings>("@matchpoint/service-gateway/rpc/RpcConfig", {
  defaultValue: () => ({ isFeedToken: null, notPermitted: () => Effect.succeed(undefined), maxRequestBytes: 1024 * 1024 }),
}) {}
