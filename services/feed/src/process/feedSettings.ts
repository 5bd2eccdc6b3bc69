/** Settings of operators, for the feed process and the standalone process. */
import { FeedConfig } from "@matchpoint/game/feed/FeedConfig"
import { type AddressRules, limitedAddress } from "@matchpoint/process/http/clientAddress"
import { Option, type Redacted } from "effect"

export interface FeedOperatorSettings extends AddressRules {
  /** Base URL of the server as it appears in responses. */
  readonly publicUrl: Option.Option<string>
}

/** `token` has all permissions. */
export const feedSettings = (token: Redacted.Redacted<string>, { publicUrl, ...rules }: FeedOperatorSettings) =>
  FeedConfig.layer({
    token,
    publicUrl: Option.getOrNull(publicUrl),
    behindProxy: rules.behindProxy,
    addressOf: ({ headers, remoteAddress }) => limitedAddress(headers, Option.getOrUndefined(remoteAddress), rules),
  })
