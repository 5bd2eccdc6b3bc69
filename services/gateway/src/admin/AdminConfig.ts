/**
 * Settings of the admin API. This module does not read the environment. The process that serves the admin API provides
 * the settings.
 */
import { Context, Layer, type Redacted } from "effect"

export interface AdminSettings {
  /** Token that admits callers to the admin API. If it is null, the admin API is not served. */
  readonly token: Redacted.Redacted<string> | null
  /**
   * If one address has sent this many wrong tokens, further requests from the address are rejected without being read.
   */
  readonly wrongTokens: number
  /** The number of wrong tokens counted for an address decreases by one each time this interval elapses. In seconds. */
  readonly forgetAfterSeconds: number
}

export class AdminConfig extends Context.Service<AdminConfig, AdminSettings>()("@matchpoint/service-gateway/admin/AdminConfig") {
  /**
   * Provides the settings. By default, an address may send 10 wrong tokens, and every 5 seconds one of them no longer
   * counts.
   */
  static readonly layer = (settings: Pick<AdminSettings, "token"> & Partial<AdminSettings>): Layer.Layer<AdminConfig> =>
    Layer.succeed(AdminConfig, { wrongTokens: 10, forgetAfterSeconds: 5, ...settings })
}
