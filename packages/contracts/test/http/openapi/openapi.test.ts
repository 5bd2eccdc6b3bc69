/**
 * Tests the parts of the OpenAPI document derived from annotations and schemas. test/openapi checks the whole document
 * with public tools.
 */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { HistoryLimit, NotFound, QuotaExceeded, ValidationError } from "../../../src/http/errors.ts"
import { Free, Needs, Section } from "../../../src/http/Metering.ts"
import { headersOf } from "../../../src/http/openapi/answerHeaders.ts"
import { chargesOf } from "../../../src/http/openapi/charges.ts"
import { errorAnswer, problemSchema } from "../../../src/http/openapi/errorAnswers.ts"
import { describeApi } from "../../../src/http/openapi/operations.ts"
import { parametersOf } from "../../../src/http/openapi/parameters.ts"

describe("charges", () => {
  it.effect("an endpoint without annotations costs one request and is included in every plan", () =>
    Effect.sync(() => {
      const { metering, text } = chargesOf(Context.empty(), "requests")
      assert.deepInclude(metering, { requests: 1, everySeconds: null, section: null, feature: null, addOnOf: [] })
      assert.lengthOf(metering.plans, 6)
      assert.include(text, "**Plans**: all.")
    }),
  )

  it.effect("a section lists plans for one game, and a feature lists plans that include or sell it", () =>
    Effect.sync(() => {
      assert.include(chargesOf(Context.make(Section, "tennis"), "requests").text, "all; starter if its chosen game is `tennis`.")
      const socket = chargesOf(Context.add(Context.make(Section, "cs2"), Needs, "live-websockets"), "stream")
      assert.include(socket.text, "scale, enterprise, or with the add-on `live-websockets` (sold with pro and business).")
      assert.include(socket.text, "5760 a day")
      assert.deepStrictEqual(chargesOf(Context.make(Needs, "odds"), "requests").metering.addOnOf, [])
    }),
  )

  it.effect("a free endpoint costs nothing", () =>
    Effect.sync(() => assert.strictEqual(chargesOf(Context.make(Free, true), "requests").metering.requests, 0)),
  )
})

describe("operations", () => {
  it.effect("describe every method of a path with its request body", () =>
    Effect.sync(() => {
      const thing = Schema.Struct({ name: Schema.String })
      const group = HttpApiGroup.make("things")
        .add(HttpApiEndpoint.get("thing", "/things/:id_1", { params: { id_1: Schema.String }, success: thing, error: NotFound }))
        .add(HttpApiEndpoint.post("change", "/things/:id_1", { params: { id_1: Schema.String }, payload: thing, success: thing }))
      const { errors, paths } = describeApi(HttpApi.make("api").add(group), "requests")
      const methods = paths["/things/{id_1}"] ?? {}
      assert.hasAllKeys(methods, ["get", "post"])
      assert.hasAllKeys(methods["post"]?.requestBody?.content ?? {}, ["application/json"])
      assert.hasAllKeys(methods["get"]?.responses["404"]?.content ?? {}, ["application/json", "application/problem+json"])
      assert.deepStrictEqual([...errors], [["NotFound", 404]])
    }),
  )
})

describe("parameters", () => {
  it.effect("are described by their decoded type: numbers with bounds, lists separated by commas", () =>
    Effect.sync(() => {
      const query = Schema.Struct({
        limit: Schema.optionalKey(Schema.FiniteFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 9 }))),
        kinds: Schema.optionalKey(Schema.Array(Schema.Literals(["a", "b"]))),
      })
      const asText = { type: "string", pattern: "digits" }
      const generated = ["limit", "kinds"].map((name) => ({ name, in: "query" as const, required: false, schema: asText }))
      const [limit, kinds] = parametersOf(generated, query)
      assert.deepStrictEqual(limit?.schema, { type: "integer", minimum: 1, maximum: 9 })
      assert.deepInclude(kinds ?? {}, { style: "form", explode: false })
    }),
  )
})

describe("error responses", () => {
  it.effect("have one schema for one error and oneOf for several, in both media types", () =>
    Effect.sync(() => {
      const one = errorAnswer([ValidationError]).content ?? {}
      assert.deepStrictEqual(one["application/json"]?.schema, { $ref: "#/components/schemas/ValidationError" })
      const two = errorAnswer([QuotaExceeded, HistoryLimit]).content ?? {}
      assert.deepStrictEqual(two["application/problem+json"]?.schema, {
        oneOf: [{ $ref: "#/components/schemas/QuotaExceededProblem" }, { $ref: "#/components/schemas/HistoryLimitProblem" }],
      })
      assert.hasAllKeys(two["application/json"]?.examples ?? {}, ["QuotaExceeded", "HistoryLimit"])
    }),
  )

  it.effect("require the details of a problem only if the envelope requires them", () =>
    Effect.sync(() => {
      const envelope = (required: ReadonlyArray<string>) => ({
        properties: { error: { properties: { code: { type: "string", enum: ["NOT_FOUND"] }, details: { type: "object" } }, required } },
      })
      const open = problemSchema(envelope(["code"]), 404)
      assert.deepNestedInclude(open ?? {}, { "properties.type.enum": ["urn:matchpoint:error:NOT_FOUND"], "properties.status.enum": [404] })
      assert.notInclude(String(open?.["required"]), "details")
      assert.include(String(problemSchema(envelope(["code", "details"]), 404)?.["required"]), "details")
      assert.isUndefined(problemSchema({ properties: { error: { type: "string" } } }, 404))
    }),
  )

  it.effect("have rate limit headers unless the key is unknown, and Retry-After if a retry helps", () =>
    Effect.sync(() => {
      assert.deepStrictEqual(headersOf(200, true), ["X-Request-Id", "RateLimit-Policy", "RateLimit"])
      assert.deepStrictEqual(headersOf(401, true), ["X-Request-Id"])
      assert.deepStrictEqual(headersOf(503, false), ["X-Request-Id", "Retry-After"])
    }),
  )
})
