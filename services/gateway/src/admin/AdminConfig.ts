/** The admin API's settings. The process that serves it provides them; nothing here reads the environment. */
import { Context, Layer, type Redacted } from "effect"

export interface AdminSettings {
  /** Whoever has it may change accounts and keys. Null: there is no admin API. */
  readonly token: Redacted.Redacted<string> | null
  /** Wrong tokens from one address in a row; then it is refused unheard. */
  readonly wrongTokens: number
  /** One of them is forgotten after this many seconds. */
  readonly forgetAfterSeconds: number
}

export class AdminConfig extends Context.Service<AdminConfig, AdminSettings>()("@matchpoint/service-gateway/admin/AdminConfig") {
  /** Defaults: 10 wrong tokens, one forgotten every 5 seconds. */
  static readonly layer = (settings: Pick<AdminSettings, "token"> & Partial<AdminSettings>): Layer.Layer<AdminConfig> =>
    Layer.succeed(AdminConfig, { wrongTokens: 10, forgetAfterSeconds: 5, ...settings })
}
