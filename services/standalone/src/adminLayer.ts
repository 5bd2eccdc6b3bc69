/**
 * The admin API of the standalone process. Its token is the configured one. With the embedded database, the default is
 * the public development token.
 */
import { AdminConfig } from "@matchpoint/service-gateway/admin/AdminConfig"
import { AdminRoutes } from "@matchpoint/service-gateway/admin/AdminRoutes"
import { Effect, Layer, Option, Redacted } from "effect"
import { devAdminToken } from "./devKeys.ts"
import { StandaloneConfig } from "./StandaloneConfig.ts"

const Settings = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ adminToken, databaseUrl }) =>
    AdminConfig.layer({
      // With a PostgreSQL database, no public development token is valid.
      token: Option.getOrElse(adminToken, () => (Option.isSome(databaseUrl) ? null : Redacted.make(devAdminToken))),
    }),
  ),
)

/** Routes of `/admin/v1`. */
export const AdminApiRoutes = AdminRoutes.pipe(Layer.provide(Settings))
