/**
 * The admin API under `/admin/v1`, as routes. Requires the store and the meter. Without a configured token it has no
 * routes, so each of its paths answers 404 like an unknown path.
 */
import { OperatorApi } from "@matchpoint/contracts/http/admin/OperatorApi"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { TeamCorrectionsHandlers } from "../cs2/admin/teamCorrectionsHandlers.ts"
import { RequestRulesLayer } from "../http/RequestRulesLayer.ts"
import { AdminAccessLayer } from "./AdminAccessLayer.ts"
import { AdminChanges } from "./AdminChanges.ts"
import { AdminConfig } from "./AdminConfig.ts"
import { AdminGateLayer } from "./AdminGateLayer.ts"
import { AdminHandlers } from "./adminHandlers.ts"
import { FeedAdmin } from "./FeedAdmin.ts"

const Routes = HttpApiBuilder.layer(OperatorApi, { openapiPath: "/admin/openapi.json" }).pipe(
  Layer.provide([AdminHandlers, TeamCorrectionsHandlers]),
  Layer.provide([AdminChanges.layer, FeedAdmin.layer]),
  Layer.provide([AdminAccessLayer, AdminGateLayer, RequestRulesLayer]),
)

export const AdminRoutes = Layer.unwrap(Effect.map(AdminConfig, ({ token }) => (token === null ? Layer.empty : Routes)))
