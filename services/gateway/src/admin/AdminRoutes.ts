/**
 * Routes under `/admin/v1`. Without a configured admin token there are none, so all admin paths are answered with 404
 * like unknown paths.
 */
import { GameAdminHandlers } from "@matchpoint/games/adminHandlers"
import { OperatorApi } from "@matchpoint/games/api/OperatorApi"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { RequestRulesLayer } from "../http/RequestRulesLayer.ts"
import { AdminAccessLayer } from "./AdminAccessLayer.ts"
import { AdminChanges } from "./AdminChanges.ts"
import { AdminConfig } from "./AdminConfig.ts"
import { AdminGateLayer } from "./AdminGateLayer.ts"
import { AdminHandlers } from "./adminHandlers.ts"
import { FeedAdmin } from "./FeedAdmin.ts"

const Routes = HttpApiBuilder.layer(OperatorApi, { openapiPath: "/admin/openapi.json" }).pipe(
  Layer.provide([AdminHandlers, GameAdminHandlers]),
  Layer.provide([AdminChanges.layer, FeedAdmin.layer]),
  Layer.provide([AdminAccessLayer, AdminGateLayer, RequestRulesLayer]),
)

export const AdminRoutes = Layer.unwrap(Effect.map(AdminConfig, ({ token }) => (token === null ? Layer.empty : Routes)))
