/** The OpenAPI document of the contract: held to the specification by two readers of others, and to what the contract knows by us. */
import { assert, describe, it } from "@effect/vitest"
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { answersOf, type Document, fitsOf, type JsonSchema, operationsOf } from "./documents.ts"

const document: Document = JSON.parse(JSON.stringify(OpenApi.fromApi(MatchpointApi)))

/** The recommended rules without leniency, and those of the optional ones that fit a public API. */
const rules: Parameters<typeof createConfig>[0] = {
  extends: ["recommended-strict"],
  rules: {
    "array-parameter-serialization": "error",
    "component-name-unique": "error",
    "no-duplicated-tag-names": "error",
    "no-http-verbs-in-paths": "error",
    "no-invalid-media-type-examples": "error",
    "no-invalid-parameter-examples": "error",
    "no-invalid-schema-examples": "error",
    "no-required-schema-properties-undefined": "error",
    "no-schema-type-mismatch": "error",
    "no-unused-components": "error",
    "operation-4xx-problem-details-rfc7807": "error",
    "operation-description": "error",
    "operation-operationId-url-safe": "error",
    "operation-tag-defined": "error",
    "parameter-description": "error",
    "paths-kebab-case": "error",
    "tag-description": "error",
  },
}

/** What it complains about although it is right, as `rule at where`. */
const exceptions: ReadonlyArray<RegExp> = [
  // A WebSocket answers 101 and nothing in 2xx.
  /^operation-2xx-response at #\/paths\/~1api~1v1~1(cs2~1)?live~1ws\//,
  // A head-to-head is no HEAD.
  /^no-http-verbs-in-paths at #\/paths\/[^/]+~1head-to-head$/,
  // There is one add-on so far; where lists of names have one.
  /^no-illogical-composition-keywords at #\/components\/schemas\/(Plan|Usage)\/properties\/addOns\/items\/anyOf$/,
  // The rule looks at the first level of schemas only, where envelopes do not differ. Below, each error of a status is told from the others.
  /^no-illogical-composition-keywords at #\/paths\/[^/]+\/get\/responses\/4\d\d\/content\/application~1(problem\+)?json\/schema\/oneOf$/,
]

const complaints = (source: unknown) =>
  Effect.promise(async () => {
    const config = await createConfig(rules)
    const problems = await lintFromString({ source: JSON.stringify(source), absoluteRef: "openapi.json", config })
    return problems.map(({ location, message, ruleId }) => ({ at: `${ruleId} at ${location[0]?.pointer}`, message }))
  })

/** A component, or a list, a record or one of several of them. */
const isNamed = (schema: JsonSchema | undefined): boolean => {
  if (schema === undefined) return false
  if (schema.$ref !== undefined) return true
  const parts = [schema.items, ...(schema.anyOf ?? []), ...Object.values(schema.patternProperties ?? {}), schema.additionalProperties]
  const within = parts.filter((part) => typeof part === "object")
  return within.length > 0 && within.every(isNamed)
}

describe("the OpenAPI document", () => {
  it.effect("is OpenAPI 3.1 for the schema of the specification", () =>
    Effect.gen(function* () {
      const result = yield* Effect.promise(() => new Validator().validate({ ...document }))
      assert.deepStrictEqual(result.valid ? [] : result.errors, [])
      assert.strictEqual(document.openapi, "3.1.0")
    }),
  )

  it.effect("passes the strict rules of a public linter without an error or a warning", () =>
    Effect.gen(function* () {
      const found = yield* complaints(document)
      assert.deepStrictEqual(
        found.filter(({ at }) => !exceptions.some((exception) => exception.test(at))),
        [],
      )
      for (const exception of exceptions) {
        assert.isTrue(
          found.some(({ at }) => exception.test(at)),
          `${exception} is needed no more`,
        )
      }
    }),
  )

  it.effect(
    "the linter is not asleep",
    () =>
      Effect.gen(function* () {
        const text = JSON.stringify(document)
        const broken = [
          text.replace("#/components/schemas/QuotaExceeded", "#/components/schemas/Nothing"),
          text.replace('"description":"Rows per page', '"says":"Rows per page'),
          text.replace('"security":[{"apiKey":[]}', '"security":[{"password":[]}'),
        ]
        for (const one of broken) {
          assert.notStrictEqual(one, text)
          const found = yield* complaints(JSON.parse(one))
          assert.isNotEmpty(found.filter(({ at }) => !exceptions.some((exception) => exception.test(at))))
        }
      }),
    90_000,
  )

  it.effect("every example of an error fits its schema and, of those a status may have, that one alone", () =>
    Effect.sync(() => {
      const fits = fitsOf(document)
      let checked = 0
      for (const { path, status, answer } of answersOf(document)) {
        if (status < 400) continue
        for (const [mediaType, { examples, schema }] of Object.entries(answer.content ?? {})) {
          const kinds = schema.oneOf ?? [schema]
          assert.lengthOf(Object.keys(examples ?? {}), kinds.length, `${path} ${status} ${mediaType}: an example for each error`)
          for (const [name, { value }] of Object.entries(examples ?? {})) {
            const fitting = kinds.filter((kind) => fits(kind, value)).map(({ $ref }) => $ref)
            const suffix = mediaType === "application/json" ? "" : "Problem"
            assert.deepStrictEqual(fitting, [`#/components/schemas/${name}${suffix}`], `${path} ${status} ${mediaType}`)
            checked += 1
          }
        }
      }
      assert.isAbove(checked, 200)
    }),
  )

  it.effect("every operation tells its keys, its price, its errors in both media types, and its headers", () =>
    Effect.sync(() => {
      const operations = operationsOf(document)
      assert.isAbove(operations.length, 15)
      for (const { path, operation } of operations) {
        const schemes = operation.security.flatMap((requirement) => Object.keys(requirement))
        const isChannel = operation["x-metering"].everySeconds !== null
        assert.deepStrictEqual(schemes, isChannel ? ["apiKey", "bearer", "apiKeyInQuery"] : ["apiKey", "bearer"], path)
        assert.include(operation.description, "**Cost**: ", path)
        assert.include(operation.description, "**Plans**: ", path)
        assert.includeMembers(Object.keys(operation.responses), ["400", "401", "403", "429", "500", "503"], path)
        for (const [status, { content, headers }] of Object.entries(operation.responses)) {
          const names = Object.keys(headers ?? {})
          assert.include(names, "X-Request-Id", path)
          if (status === "429" || status === "503") assert.include(names, "Retry-After", path)
          if (Number(status) >= 400) {
            assert.deepStrictEqual(Object.keys(content ?? {}), ["application/json", "application/problem+json"], `${path} ${status}`)
          }
        }
      }
    }),
  )

  it.effect("says what costs nothing, what needs a plan, what is billed while it lasts", () =>
    Effect.sync(() => {
      const metering = Object.fromEntries(operationsOf(document).map(({ operation }) => [operation.operationId, operation["x-metering"]]))
      assert.deepInclude(metering["cs2-live.state"] ?? {}, { requests: 1, everySeconds: null, section: "cs2", feature: null })
      assert.deepInclude(metering["account.usage"] ?? {}, { requests: 0, everySeconds: null, section: null })
      assert.deepInclude(metering["account.plans"] ?? {}, { requests: 0 })
      assert.deepInclude(metering["cs2-live.stream"] ?? {}, { requests: 1, everySeconds: 15, feature: null })
      assert.deepInclude(metering["cs2-live.ws"] ?? {}, {
        feature: "live-websockets",
        plans: ["scale", "enterprise"],
        addOnOf: ["pro", "business"],
      })
    }),
  )

  it.effect("names every model: what an answer's data is, or is a list or record of, is a component", () =>
    Effect.sync(() => {
      const inline = answersOf(document).flatMap(({ path, status, answer }) =>
        status !== 200
          ? []
          : Object.entries(answer.content ?? {}).flatMap(([mediaType, { schema }]) =>
              mediaType === "text/event-stream" || isNamed(schema) || isNamed(schema.properties?.data) ? [] : [`${path} ${mediaType}`],
            ),
      )
      assert.deepStrictEqual(inline, [])
      const names = Object.keys(document.components.schemas)
      const models = [
        "Match",
        "MatchDetail",
        "MatchResult",
        "Team",
        "TeamProfile",
        "Player",
        "PlayerProfile",
        "Event",
        "Scoreboard",
        "LiveMatch",
      ]
      assert.includeMembers(names, models)
      // A generator that meets two schemas of one name numbers the second; what is on the wire has no name of its own.
      assert.deepStrictEqual(
        names.filter((name) => !name.endsWith("V2") && /(\d|Encoded)$/.test(name)),
        [],
      )
    }),
  )

  it.effect("the three ways to meet a limit are told apart", () =>
    Effect.sync(() => {
      const limits = (name: string) => document.components.schemas[name]?.properties?.error?.properties?.details?.properties?.limit?.enum
      assert.deepStrictEqual(limits("RateLimitExceeded"), ["requests_per_second"])
      assert.deepStrictEqual(limits("QuotaExceeded"), ["requests_per_month"])
      assert.deepStrictEqual(limits("TooManyConnections"), ["connections"])
    }),
  )
})
