/** Records which route of the router handled a request. */
import { Context, Effect } from "effect"
import { HttpRouter } from "effect/http"
import type { RequestInfo } from "./requestId.ts"

/**
 * Records the matched route for metrics. The router stores the route in the context of the fiber. It must be read
 * before the enclosing `updateContext` ends, because the context is restored then.
 */
export const notingRoute = <A, E, R>(answering: Effect.Effect<A, E, R>, note: RequestInfo): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) =>
    Effect.onExitPrimitive(answering, () => {
      note.route = Context.getOrUndefined(fiber.context, HttpRouter.RouteContext)?.route.path
      return undefined
    }),
  )
