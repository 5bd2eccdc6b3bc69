/**
 * A separate server for operators, with its own address, port and router. It is not meant to be reached by customers:
 * its routes need no key.
 */
import { UwsHttpServer } from "@matchpoint/uws/UwsHttpServer"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { routing } from "./http/literalPaths.ts"
import { ServerRules } from "./http/ServerRules.ts"
import { HealthRoutes, MetricsRoutes } from "./operatorRoutes.ts"

export interface ListenerAddress {
  readonly host: string
  readonly port: number
}

const Listening = Layer.effectDiscard(
  Effect.flatMap(UwsServer, ({ address }) => Effect.logInfo(`health, metrics and the admin API listen on port ${address.port}`)),
)

/**
 * Starts the server. `application` serves the routes on the HTTP server. It is built anew (`Layer.fresh`), because the
 * same routes may also be part of the process's main server.
 */
export const operatorListener = <E, R>(application: Layer.Layer<never, E, R>, { host, port }: ListenerAddress) =>
  Layer.merge(Layer.fresh(application), Listening).pipe(Layer.provide(UwsServer.layer({ port, host, gracefulShutdownTimeout: "1 second" })))

/** Health and metrics on their own port, for a process that serves no other routes there. */
export const plainOperatorListener = (address: ListenerAddress) =>
  operatorListener(
    HttpRouter.serve(Layer.mergeAll(HealthRoutes, MetricsRoutes, ServerRules), routing).pipe(Layer.provide(UwsHttpServer.layer())),
    address,
  )
