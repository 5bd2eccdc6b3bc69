/** The admin API of the standalone process: its token is the configured one, or on the embedded database the one everybody knows. */
import { AdminConfig } from "@matchpoint/service-gateway/admin/AdminConfig"
import { AdminRoutes } from "@matchpoint/service-gateway/admin/AdminRoutes"
import { Effect, Layer, Option, Redacted } from "effect"
import { devAdminToken } from "./devKeys.ts"
import { StandaloneConfig } from "./StandaloneConfig.ts"

const Settings = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ adminToken, databaseUrl }) =>
    AdminConfig.layer({
      // On a database of its own the server has no secret that everyone knows.
      token: Option.getOrElse(adminToken, () => (Option.isSome(databaseUrl) ? null : Redacted.make(devAdminToken))),
    }),
  ),
)

/** `/admin/v1`. */
export const AdminApiRoutes = AdminRoutes.pipe(Layer.provide(Settings))
