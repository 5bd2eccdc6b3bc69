/**
 * A separate server for operators, with its own address, port and router. Its routes need no key, so customers must not
 * reach it.
 */
import { UwsHttpServer } from "@matchpoint/uws/UwsHttpServer"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { routing } from "./http/literalPaths.ts"
import { ServerRules } from "./http/ServerRules.ts"
import { HealthRoutes, MetricsRoutes } from "./operatorRoutes.ts"
import { StartListener } from "./StartListener.ts"

export interface ListenerAddress {
  readonly host: string
  readonly port: number
}

const listening = (served: string) =>
  Layer.effectDiscard(Effect.flatMap(UwsServer, ({ address }) => Effect.logInfo(`${served} listen on port ${address.port}`)))

/**
 * `application` is built anew (`Layer.fresh`), because the same routes may also be part of the main server. `served`
 * names what it serves, for the log. Takes the port over from the listener of the start.
 */
export const operatorListener = <E, R>(application: Layer.Layer<never, E, R>, { host, port }: ListenerAddress, served: string) =>
  Layer.unwrap(
    Effect.map(StartListener, ({ handOver }) =>
      Layer.merge(Layer.fresh(application), listening(served)).pipe(
        Layer.provide(
          UwsServer.layer({ port, host, gracefulShutdownTimeout: "1 second" }).pipe(Layer.provide(Layer.effectDiscard(handOver))),
        ),
      ),
    ),
  )

/** Health and metrics, for a process that serves no other routes there. */
export const plainOperatorListener = (address: ListenerAddress) =>
  operatorListener(
    HttpRouter.serve(Layer.mergeAll(HealthRoutes, MetricsRoutes, ServerRules), routing).pipe(Layer.provide(UwsHttpServer.layer())),
    address,
    "health and metrics",
  )
