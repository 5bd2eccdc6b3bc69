import { Context, Effect } from "effect"
import { HttpRouter } from "effect/http"
import type { RequestInfo } from "./requestId.ts"

/**
 * Records the matched route for metrics. The router stores it in the context of the fiber, which the enclosing
 * `updateContext` restores at its end, so it must be read before.
 */
export const notingRoute = <A, E, R>(answering: Effect.Effect<A, E, R>, note: RequestInfo): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) =>
    Effect.onExitPrimitive(answering, () => {
      note.route = Context.getOrUndefined(fiber.context, HttpRouter.RouteContext)?.route.path
      return undefined
    }),
  )
