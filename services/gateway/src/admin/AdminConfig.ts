/** Settings of the admin API, provided by the process that serves it. */
import { Context, Layer, type Redacted } from "effect"

export interface AdminSettings {
  /** If it is null, the admin API is not served. */
  readonly token: Redacted.Redacted<string> | null
  /** After this many wrong tokens, further requests from the address are rejected without being read. */
  readonly wrongTokens: number
  /** Interval at which one wrong token of an address is forgotten. */
  readonly forgetAfterSeconds: number
}

export class AdminConfig extends Context.Service<AdminConfig, AdminSettings>()("@matchpoint/service-gateway/admin/AdminConfig") {
  /** By default, 10 wrong tokens per address, of which one is forgotten every 5 seconds. */
  static readonly layer = (settings: Pick<AdminSettings, "token"> & Partial<AdminSettings>): Layer.Layer<AdminConfig> =>
    Layer.succeed(AdminConfig, { wrongTokens: 10, forgetAfterSeconds: 5, ...settings })
}
