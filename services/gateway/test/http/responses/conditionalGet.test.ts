/** Reuse of responses, over a real socket: by which callers, for how long, and which responses are never reused. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, it } from "@effect/vitest"
import { Authentication, Caller } from "@matchpoint/contracts/http/Authentication"
import { ConditionalGet, NeverReused } from "@matchpoint/contracts/http/ConditionalGet"
import { NotFound } from "@matchpoint/contracts/http/errors"
import { AccountId, ApiKeyId, termsOf } from "@matchpoint/domain/accounts"
import { Plan } from "@matchpoint/domain/plans"
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { routing } from "@matchpoint/process/http/literalPaths"
import { UwsHttpServer } from "@matchpoint/uws/UwsHttpServer"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Effect, Layer, Redacted, Schema } from "effect"
import { HttpRouter } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { ConditionalGetLayer } from "../../../src/http/responses/ConditionalGetLayer.ts"

class Cups extends HttpApiGroup.make("cups")
  .add(
    HttpApiEndpoint.get("list", "/cups", {
      query: { page: Schema.optionalKey(Schema.String) },
      success: Schema.Struct({ asked: Schema.Natural }),
    }),
    HttpApiEndpoint.get("slow", "/slow", { success: Schema.Struct({ asked: Schema.Natural }) }),
    HttpApiEndpoint.get("none", "/none", { success: Schema.Struct({ asked: Schema.Natural }), error: NotFound }),
  )
  .middleware(ConditionalGet)
  .middleware(Authentication) {}

class Prices extends HttpApiGroup.make("prices")
  .add(HttpApiEndpoint.get("list", "/prices", { success: Schema.Struct({ asked: Schema.Natural }) }))
  .annotate(NeverReused, true)
  .middleware(ConditionalGet)
  .middleware(Authentication) {}

class Api extends HttpApi.make("api").add(Cups).add(Prices) {}

const asPlanNamed = <E, R, A>(endpoint: Effect.Effect<A, E, R>, { credential }: { readonly credential: Redacted.Redacted<string> }) =>
  Effect.provideService(endpoint, Caller, {
    accountId: AccountId.make("00000000-0000-4000-8000-00000000000a"),
    keyId: ApiKeyId.make("00000000-0000-4000-8000-00000000000b"),
    ...termsOf(Schema.decodeUnknownSync(Plan)(Redacted.value(credential))),
  })

let asked = 0
const counted = () =>
  Effect.sync(() => {
    asked += 1
    return { asked }
  })

const served = (answersKeptSeconds: number) =>
  HttpRouter.serve(
    HttpApiBuilder.layer(Api).pipe(
      Layer.provide([
        HttpApiBuilder.group(Api, "cups", (handlers) =>
          handlers.handleAll({
            list: counted,
            slow: () => Effect.delay(counted(), "100 millis"),
            none: () => Effect.andThen(counted(), Effect.fail(NotFound.of("no cup"))),
          }),
        ),
        HttpApiBuilder.group(Api, "prices", (handlers) => handlers.handleAll({ list: counted })),
      ]),
      Layer.provide([ConditionalGetLayer, Layer.succeed(Authentication, Authentication.of({ apiKey: asPlanNamed, bearer: asPlanNamed }))]),
      Layer.provide(
        Layer.effect(
          GatewayConfig,
          Effect.map(GatewayConfig, (defaults) => ({ ...defaults, answersKeptSeconds })),
        ),
      ),
    ),
    routing,
  ).pipe(
    Layer.provide(UwsHttpServer.layer()),
    Layer.provideMerge(UwsServer.layer({ port: 0, host: "127.0.0.1" })),
    Layer.provide(NodeHttpServer.layerHttpServices),
  )

const get = Effect.fnUntraced(function* (path: string, plan = "pro", headers: Record<string, string> = {}, method = "GET") {
  const { address } = yield* UwsServer
  return yield* Effect.promise(async () => {
    const answer = await fetch(`http://127.0.0.1:${address.port}${path}`, {
      method,
      headers: { "x-api-key": plan, "accept-encoding": "identity", ...headers },
    })
    return {
      status: answer.status,
      text: await answer.text(),
      etag: answer.headers.get("etag") ?? "",
      type: answer.headers.get("content-type"),
    }
  })
})

it.live("reuses a response for all callers on the plan until it expires", () =>
  Effect.gen(function* () {
    const first = yield* get("/cups")
    assert.strictEqual(first.status, 200)
    assert.deepStrictEqual(yield* get("/cups"), first)
    const others = [yield* get("/cups", "free"), yield* get("/cups?page=2"), yield* get("/cups?page=3")]
    assert.strictEqual(new Set([first, ...others].map(({ text }) => text)).size, 4)
    assert.deepStrictEqual(yield* get("/cups?page=2"), others[1])
    const unchanged = yield* get("/cups", "pro", { "if-none-match": first.etag })
    assert.deepStrictEqual([unchanged.status, unchanged.text, unchanged.etag], [304, "", first.etag])
    const head = yield* get("/cups", "pro", {}, "HEAD")
    assert.deepStrictEqual([head.status, head.text, head.etag], [200, "", first.etag])
    yield* Effect.sleep("1100 millis")
    const later = yield* get("/cups", "pro", { "if-none-match": first.etag })
    assert.strictEqual(later.status, 200)
    assert.notStrictEqual(later.text, first.text)
  }).pipe(Effect.provide(served(1))),
)

it.live("computes a response for concurrent requests once per plan", () =>
  Effect.gen(function* () {
    const before = asked
    const plans = ["pro", "pro", "pro", "scale", "scale"]
    const answers = yield* Effect.forEach(plans, (plan) => get("/slow", plan), { concurrency: "unbounded" })
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200, 200],
    )
    assert.strictEqual(new Set(answers.map(({ text }) => text)).size, 2)
    assert.strictEqual(asked - before, 2)
  }).pipe(Effect.provide(served(10))),
)

it.live("does not share running computations if the reuse time is 0", () =>
  Effect.gen(function* () {
    const before = asked
    yield* Effect.forEach([1, 2, 3], () => get("/slow"), { concurrency: "unbounded" })
    assert.strictEqual(asked - before, 3)
  }).pipe(Effect.provide(served(0))),
)

it.live("computes each response of endpoints marked as moving, and each 404", () =>
  Effect.gen(function* () {
    assert.notStrictEqual((yield* get("/prices")).text, (yield* get("/prices")).text)
    const before = asked
    assert.deepStrictEqual([(yield* get("/none")).status, (yield* get("/none")).status, asked - before], [404, 404, 2])
  }).pipe(Effect.provide(served(10))),
)

it.live("adds entity tags but reuses no response if the reuse time is 0", () =>
  Effect.gen(function* () {
    const first = yield* get("/cups")
    assert.match(first.etag, /^"[\w-]{27}"$/)
    assert.notStrictEqual((yield* get("/cups")).text, first.text)
  }).pipe(Effect.provide(served(0))),
)
