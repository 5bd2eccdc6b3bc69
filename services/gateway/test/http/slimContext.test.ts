import { NodeHttpServer } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Leagues } from "@matchpoint/store/cs2/Leagues"
import { Rankings } from "@matchpoint/store/cs2/Rankings"
import { UwsHttpServer } from "@matchpoint/uws/UwsHttpServer"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Context, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { SlimServer, withRepositories } from "../../src/http/slimContext.ts"

class Clockwork extends Context.Service<Clockwork, number>()("@matchpoint/service-gateway/test/http/slimContext.test/Clockwork") {}

const everything = Context.make(Leagues, Leagues.of({ list: () => Effect.die("not asked") })).pipe(
  Context.add(Rankings, Rankings.of({ ranking: () => Effect.die("not asked") })),
  Context.add(Clockwork, 3),
)

const known: ReadonlyArray<string> = [Leagues.key, Rankings.key, Clockwork.key]

const ours = (context: Context.Context<never>) => [...context.mapUnsafe.keys()].filter((key) => known.includes(key))

class Built extends Context.Service<Built, ReadonlyArray<string>>()("@matchpoint/service-gateway/test/http/slimContext.test/Built") {}
const KeysSeen = Layer.effect(Built, Effect.map(Effect.context<never>(), ours))

it.effect("a layer is built with the repositories it names, and all that is none", () =>
  Effect.gen(function* () {
    const built = yield* Layer.build(KeysSeen.pipe(withRepositories(Leagues)))
    assert.deepStrictEqual(Context.get(built, Built), [Leagues.key, Clockwork.key])
    const missing = yield* Effect.exit(Layer.build(Layer.effectDiscard(Rankings).pipe(withRepositories(Leagues))))
    assert.strictEqual(missing._tag, "Failure")
  }).pipe(Effect.provide(everything)),
)

const Routes = HttpRouter.add(
  "GET",
  "/",
  Effect.map(Effect.context<never>(), (context) => HttpServerResponse.text(ours(context).join(" "))),
)

it.live("requests are answered without repositories", () =>
  Effect.gen(function* () {
    const { address } = yield* UwsServer
    const text = yield* Effect.promise(() => fetch(`http://127.0.0.1:${address.port}/`).then((answer) => answer.text()))
    assert.strictEqual(text, Clockwork.key)
  }).pipe(
    Effect.provide(
      HttpRouter.serve(Routes, { disableLogger: true, disableListenLog: true }).pipe(
        Layer.provide(SlimServer.pipe(Layer.provide(UwsHttpServer.layer()))),
        Layer.provideMerge(UwsServer.layer({ port: 0, host: "127.0.0.1" })),
        Layer.provide([NodeHttpServer.layerHttpServices, Layer.succeedContext(everything)]),
      ),
    ),
  ),
)
