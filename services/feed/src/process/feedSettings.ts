/** Settings of the intake that operators set. The feed process and the standalone process read them. */
import { clientAddress } from "@matchpoint/process/http/clientAddress"
import { Option, type Redacted } from "effect"
import { FeedConfig } from "../FeedConfig.ts"

export interface FeedOperatorSettings {
  /** Public base URL of the server, as it appears in responses. */
  readonly publicUrl: Option.Option<string>
  /** True if senders connect through a proxy that sets `x-forwarded-for`. */
  readonly behindProxy: boolean
}

/** The settings of the intake. `token` is the one with all permissions. */
export const feedSettings = (token: Redacted.Redacted<string>, { behindProxy, publicUrl }: FeedOperatorSettings) =>
  FeedConfig.layer({
    token,
    publicUrl: Option.getOrNull(publicUrl),
    behindProxy,
    addressOf: ({ headers, remoteAddress }) => clientAddress(headers, Option.getOrUndefined(remoteAddress), behindProxy),
  })
