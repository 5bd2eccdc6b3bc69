import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, it } from "@effect/vitest"
import { endpointGroup, SlimServer } from "@matchpoint/game/edge/slimContext"
import { UwsHttpServer } from "@matchpoint/uws/UwsHttpServer"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Context, Effect, Layer, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware } from "effect/http-api"

class Clockwork extends Context.Service<Clockwork, number>()("@matchpoint/service-gateway/test/http/slimContext.test/Clockwork") {}

/** Middleware that marks the response. */
class Stamp extends HttpApiMiddleware.Service<Stamp>()("@matchpoint/contracts/http/test/Stamp") {}

const Told = Schema.Struct({ built: Schema.Number, ours: Schema.Array(Schema.String) })
const Api = HttpApi.make("tests").add(
  HttpApiGroup.make("told").add(HttpApiEndpoint.get("tell", "/tell", { success: Told }).middleware(Stamp)),
)

const stamped: Array<string> = []
const StampLayer = Layer.succeed(Stamp, (answering) =>
  Effect.suspend(() => {
    stamped.push("stamped")
    return answering
  }),
)

const Handlers = endpointGroup(
  Api,
  "told",
  Effect.fnUntraced(function* (handlers) {
    const built = yield* Clockwork
    return handlers.handleAll({
      tell: () =>
        Effect.map(Effect.context<never>(), ({ mapUnsafe }) => ({
          built,
          ours: [...mapUnsafe.keys()].filter((key) => key.startsWith("@matchpoint/")),
        })),
    })
  }),
)

it.live("builds endpoints with all services and handles requests without them", () =>
  Effect.gen(function* () {
    const { address } = yield* UwsServer
    const told = yield* Effect.promise(() => fetch(`http://127.0.0.1:${address.port}/tell`).then((answer) => answer.json()))
    assert.deepStrictEqual(told, { built: 3, ours: [Stamp.key] })
    assert.deepStrictEqual(stamped, ["stamped"])
  }).pipe(
    Effect.provide(
      HttpRouter.serve(HttpApiBuilder.layer(Api).pipe(Layer.provide(Handlers), Layer.provide(StampLayer)), {
        disableLogger: true,
        disableListenLog: true,
      }).pipe(
        Layer.provide(SlimServer.pipe(Layer.provide(UwsHttpServer.layer()))),
        Layer.provideMerge(UwsServer.layer({ port: 0, host: "127.0.0.1" })),
        Layer.provide([NodeHttpServer.layerHttpServices, Layer.succeed(Clockwork, 3)]),
      ),
    ),
  ),
)
