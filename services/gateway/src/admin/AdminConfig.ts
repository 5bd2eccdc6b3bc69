/** Settings of the admin API. The process that serves it provides them. This module does not read the environment. */
import { Context, Layer, type Redacted } from "effect"

export interface AdminSettings {
  /** The token that allows changes to accounts and keys. Null: the admin API is not served. */
  readonly token: Redacted.Redacted<string> | null
  /** Wrong tokens after which further requests from the same address are rejected unread. */
  readonly wrongTokens: number
  /** Seconds after which one wrong token is forgotten. */
  readonly forgetAfterSeconds: number
}

export class AdminConfig extends Context.Service<AdminConfig, AdminSettings>()("@matchpoint/service-gateway/admin/AdminConfig") {
  /** Provides the settings. Defaults: 10 wrong tokens, one of them forgotten every 5 seconds. */
  static readonly layer = (settings: Pick<AdminSettings, "token"> & Partial<AdminSettings>): Layer.Layer<AdminConfig> =>
    Layer.succeed(AdminConfig, { wrongTokens: 10, forgetAfterSeconds: 5, ...settings })
}
