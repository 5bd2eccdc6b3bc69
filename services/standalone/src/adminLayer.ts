/**
 * Configures the admin API of the standalone process. It uses the configured token or, with the embedded database, the
 * public development token by default.
 */
import { AdminConfig } from "@matchpoint/service-gateway/admin/AdminConfig"
import { AdminRoutes } from "@matchpoint/service-gateway/admin/AdminRoutes"
import { Effect, Layer, Option, Redacted } from "effect"
import { devAdminToken } from "./devKeys.ts"
import { StandaloneConfig } from "./StandaloneConfig.ts"

const Settings = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ adminToken, databaseUrl }) =>
    AdminConfig.layer({
      // With a PostgreSQL database, the public development token is never valid. If no token is configured there, the
      // token is `null`, which turns the admin API off.
      token: Option.getOrElse(adminToken, () => (Option.isSome(databaseUrl) ? null : Redacted.make(devAdminToken))),
    }),
  ),
)

/** Routes of `/admin/v1`. */
export const AdminApiRoutes = AdminRoutes.pipe(Layer.provide(Settings))
