// Part of the behaviour suite: a complete HttpApi with its typed client, covering parameters, payloads, errors,
// middleware and streams.
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Schema, Stream } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import {
  HttpApi,
  HttpApiBuilder,
  HttpApiClient,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiMiddleware,
  HttpApiSchema,
  HttpApiSecurity,
} from "effect/http-api"
import { type Driver, serving } from "./driver.ts"

class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", { hint: Schema.String }, { httpApiStatus: 401 }) {}
class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { id: Schema.Int }, { httpApiStatus: 404 }) {}

class Caller extends Context.Service<Caller, { readonly key: string }>()("@matchpoint/uws/test/http/apiCases/Caller") {}

class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Caller }>()(
  "@matchpoint/uws/test/http/apiCases/Authorization",
  {
    security: { key: HttpApiSecurity.apiKey({ in: "header", key: "x-api-key" }) },
    error: Unauthorized,
  },
) {}

const Match = Schema.Struct({ id: Schema.Int, name: Schema.String, startsAt: Schema.DateTimeUtcFromString })

class Group extends HttpApiGroup.make("matches")
  .add(
    HttpApiEndpoint.get("byId", "/matches/:id", {
      params: { id: Schema.FiniteFromString },
      query: { suffix: Schema.optional(Schema.String) },
      headers: { "x-lang": Schema.String },
      success: Match,
      error: NotFound,
    }),
    HttpApiEndpoint.post("create", "/matches", { payload: Match, success: Match.pipe(HttpApiSchema.status(201)) }),
    HttpApiEndpoint.delete("remove", "/matches/:id", { params: { id: Schema.FiniteFromString } }),
    HttpApiEndpoint.get("ticks", "/ticks", { success: HttpApiSchema.StreamNdjson({ schema: Schema.Struct({ tick: Schema.Int }) }) }),
    HttpApiEndpoint.get("who", "/who", { success: Schema.String }).middleware(Authorization),
  )
  .prefix("/v1") {}

class Api extends HttpApi.make("test").add(Group) {}

const startsAt = Schema.decodeSync(Schema.DateTimeUtcFromString)("2026-03-01T12:00:00.000Z")

const Handlers = HttpApiBuilder.group(
  Api,
  "matches",
  Effect.fnUntraced(function* (handlers) {
    return handlers.handleAll({
      byId: ({ params, query, headers }) =>
        params.id === 404
          ? Effect.fail(new NotFound({ id: params.id }))
          : Effect.succeed({ id: params.id, name: `${headers["x-lang"]}${query.suffix ?? ""}`, startsAt }),
      create: ({ payload }) => Effect.succeed({ ...payload, id: payload.id + 1 }),
      remove: () => Effect.void,
      ticks: () => Effect.succeed(Stream.map(Stream.range(1, 500), (tick) => ({ tick }))),
      who: () => Effect.map(Caller, ({ key }) => key),
    })
  }),
).pipe(
  Layer.provide(
    Layer.succeed(Authorization)({
      key: (handler, { credential }) =>
        Redacted.value(credential) === "secret"
          ? Effect.provideService(handler, Caller, { key: "secret" })
          : Effect.fail(new Unauthorized({ hint: "send x-api-key" })),
    }),
  ),
)

const started = (driver: Driver) =>
  Effect.gen(function* () {
    const { client } = yield* serving(driver, Layer.provide(HttpApiBuilder.layer(Api), Handlers))
    const api = yield* Effect.provideService(HttpApiClient.make(Api), HttpClient.HttpClient, client)
    return { client, api }
  })

export const apiCases = (driver: Driver): void => {
  it.effect("decodes parameters, query and headers, and encodes the response", () =>
    Effect.gen(function* () {
      const { api } = yield* started(driver)
      const match = yield* api.matches.byId({ params: { id: 7 }, query: { suffix: " é&" }, headers: { "x-lang": "en" } })
      assert.deepStrictEqual(match, { id: 7, name: "en é&", startsAt })
    }),
  )

  it.effect("answers 400 to parameters that cannot be decoded", () =>
    Effect.gen(function* () {
      const { client } = yield* started(driver)
      assert.strictEqual((yield* client.get("/v1/matches/abc", { headers: { "x-lang": "en" } })).status, 400)
      assert.strictEqual((yield* client.get("/v1/matches/7")).status, 400)
    }),
  )

  it.effect("accepts payloads and responds with the declared status, also without content", () =>
    Effect.gen(function* () {
      const { client, api } = yield* started(driver)
      const created = yield* api.matches.create({ payload: { id: 1, name: "final", startsAt } })
      assert.strictEqual(created.id, 2)
      const raw = yield* client.execute(
        HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post("/v1/matches"), { id: 1, name: "x", startsAt: "2026-03-01T12:00:00.000Z" }),
      )
      assert.strictEqual(raw.status, 201)
      const malformed = yield* client.execute(HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post("/v1/matches"), { id: "one" }))
      assert.strictEqual(malformed.status, 400)
      assert.strictEqual((yield* client.del("/v1/matches/7")).status, 204)
    }),
  )

  it.effect("sends typed errors", () =>
    Effect.gen(function* () {
      const { client, api } = yield* started(driver)
      const error = yield* Effect.flip(api.matches.byId({ params: { id: 404 }, query: {}, headers: { "x-lang": "en" } }))
      assert.deepStrictEqual(error, new NotFound({ id: 404 }))
      assert.strictEqual((yield* client.get("/v1/matches/404", { headers: { "x-lang": "en" } })).status, 404)
    }),
  )

  it.effect("runs middleware: rejects a request without a key, and provides the caller for one with a key", () =>
    Effect.gen(function* () {
      const { client } = yield* started(driver)
      const refused = yield* client.get("/v1/who")
      assert.deepStrictEqual([refused.status, yield* refused.json], [401, { _tag: "Unauthorized", hint: "send x-api-key" }])
      const allowed = yield* client.get("/v1/who", { headers: { "x-api-key": "secret" } })
      assert.deepStrictEqual([allowed.status, yield* allowed.json], [200, "secret"])
    }),
  )

  it.effect("streams the response of an endpoint", () =>
    Effect.gen(function* () {
      const { api } = yield* started(driver)
      const ticks = yield* Stream.runCollect(yield* api.matches.ticks())
      assert.deepStrictEqual(
        ticks.map(({ tick }) => tick),
        Array.from({ length: 500 }, (_, index) => index + 1),
      )
    }),
  )

  it.effect("answers OPTIONS, HEAD and unknown paths as the router decides", () =>
    Effect.gen(function* () {
      const { client } = yield* started(driver)
      assert.strictEqual((yield* client.head("/v1/matches/7", { headers: { "x-lang": "en" } })).status, 200)
      assert.strictEqual((yield* client.get("/v1/nothing")).status, 404)
    }),
  )
}
