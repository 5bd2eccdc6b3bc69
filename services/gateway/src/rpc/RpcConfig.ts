/** How other services are let in. The process that runs the gateway provides it. */
import { Context, type Effect, type Redacted } from "effect"

export interface RpcSettings {
  /** True for the feed token. Null: nobody may tell facts through this gateway. */
  readonly isFeedToken: ((token: Redacted.Redacted<string>) => Effect.Effect<boolean>) | null
  /** Largest request, bytes. */
  readonly maxRequestBytes: number
}

export class RpcConfig extends Context.Reference<RpcSettings>("@matchpoint/service-gateway/rpc/RpcConfig", {
  defaultValue: () => ({ isFeedToken: null, maxRequestBytes: 1024 * 1024 }),
}) {}
