/**
 * Tests of the contract's OpenAPI document: two third-party tools check it against the specification, and the other
 * tests compare it with facts of the contract.
 */
import { assert, describe, it } from "@effect/vitest"
import { compactDocument } from "@matchpoint/contracts/http/openapi/compactDocument"
import { documentSections, sectionDocument } from "@matchpoint/contracts/http/openapi/sectionDocument"
import { matchpointDocument } from "@matchpoint/games/api/MatchpointApi"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Validator } from "@seriousme/openapi-schema-validator"
import { Effect } from "effect"
import { answersOf, type Document, fitsOf, type JsonSchema, operationsOf } from "./documents.ts"

const full = matchpointDocument()
/** The generated document, in which nothing but schemas and headers is a component. The served ones have its content. */
const document: Document = JSON.parse(JSON.stringify(full))
const served = compactDocument(full)

/** The strict recommended rules, and the optional rules that suit a public API. */
const rules = {
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

/** Accepted complaints of the linter, as `rule at pointer`. */
const exceptions: ReadonlyArray<RegExp> = [
  // A WebSocket upgrade responds 101 and has no 2xx response.
  /^operation-2xx-response at #\/paths\/~1api~1v1~1(cs2~1)?live~1ws\//,
  // The specification has both `/tennis/matches/live/{matchId}` and `/tennis/matches/{matchId}/status`. No match has the
  // id `live`, and literal parts of a path take precedence.
  /^no-ambiguous-paths at #\/paths\/~1api~1v1~1tennis~1matches~1\{matchId\}~1[a-z-]+$/,
  // `head-to-head` is not the HTTP verb HEAD.
  /^no-http-verbs-in-paths at #\/paths\/[^/]+~1head-to-head$/,
  // Only one add-on exists so far, and a list of names has a single member.
  /^no-illogical-composition-keywords at #\/components\/schemas\/(Plan|Usage)\/properties\/addOns\/items\/anyOf$/,
  // The specification gives errors of QR codes a body of their own.
  /^operation-4xx-problem-details-rfc7807 at #\/components\/responses\/Status(400|413)Qr$/,
  // The rule compares only the first level of schemas, where envelopes are the same. A test below checks that an
  // example fits one error only.
  /^no-illogical-composition-keywords at #\/(paths\/[^/]+\/(get|post|patch|delete)\/responses\/|components\/responses\/Status)[45]\d\d\w*\/content\/application~1(problem\+)?json\/schema\/oneOf$/,
]

const complaints = (source: unknown) =>
  Effect.promise(async () => {
    // As text, because checking an object against the type of a configuration takes the compiler seconds.
    const config = await createConfig(JSON.stringify(rules))
    const problems = await lintFromString({ source: JSON.stringify(source), absoluteRef: "openapi.json", config })
    return problems.map(({ location, message, ruleId }) => ({ at: `${ruleId} at ${location[0]?.pointer}`, message }))
  })

/** Returns true for a component, and for a list, record or union of components only. */
const isNamed = (schema: JsonSchema | undefined): boolean => {
  if (schema === undefined) return false
  if (schema.$ref !== undefined) return true
  const parts = [schema.items, ...(schema.anyOf ?? []), ...Object.values(schema.patternProperties ?? {}), schema.additionalProperties]
  const within = parts.filter((part) => typeof part === "object")
  return within.length > 0 && within.every(isNamed)
}

/** Errors of QR codes have no code, so that they cannot be problem details. */
const isMessageOnly = (path: string, status: number): boolean => path.endsWith("/qr/generate") && [400, 413, 500].includes(status)

describe("the OpenAPI document", () => {
  it.effect("is valid OpenAPI 3.1 according to the specification's schema", () =>
    Effect.gen(function* () {
      for (const one of [served, ...documentSections.map((section) => sectionDocument(served, section))]) {
        const result = yield* Effect.promise(() => new Validator().validate(JSON.parse(JSON.stringify(one))))
        assert.deepStrictEqual(result.valid ? [] : result.errors, [])
        assert.strictEqual(one.openapi, "3.1.0")
      }
    }),
  )

  it.effect("passes the strict rules of a public linter without errors or warnings", () =>
    Effect.gen(function* () {
      const found = yield* complaints(served)
      assert.deepStrictEqual(
        found.filter(({ at }) => !exceptions.some((exception) => exception.test(at))),
        [],
      )
      for (const exception of exceptions) {
        assert.isTrue(
          found.some(({ at }) => exception.test(at)),
          `${exception} is no longer needed`,
        )
      }
    }),
  )

  it.effect(
    "the linter reports deliberate errors",
    () =>
      Effect.gen(function* () {
        const text = JSON.stringify(served)
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

  it.effect("documents the redirect of former slugs on every path that names a team or a player, and on no other", () =>
    Effect.sync(() => {
      for (const {
        operation: { responses },
        path,
      } of operationsOf(document)) {
        const named = /\/cs2\/(teams|players)\/\{/.test(path)
        assert.strictEqual("307" in responses, named, path)
        if (named) assert.property(responses["307"]?.headers, "Location", path)
      }
    }),
  )

  it.effect("every error example fits its own schema and no other schema of that status", () =>
    Effect.sync(() => {
      const fits = fitsOf(document)
      let checked = 0
      for (const { path, status, answer } of answersOf(document)) {
        if (status < 400) continue
        for (const [mediaType, { examples, schema }] of Object.entries(answer.content ?? {})) {
          const kinds = schema.oneOf ?? [schema]
          assert.lengthOf(Object.keys(examples ?? {}), kinds.length, `${path} ${status} ${mediaType}: one example per error`)
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

  it.effect("every operation documents its keys, its price, its errors in both media types, and its headers", () =>
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
          if (Number(status) < 400) continue
          const expected = isMessageOnly(path, Number(status)) ? ["application/json"] : ["application/json", "application/problem+json"]
          assert.deepStrictEqual(Object.keys(content ?? {}), expected, `${path} ${status}`)
        }
      }
    }),
  )

  it.effect("documents free operations, operations that need a plan, and operations billed over time", () =>
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

  it.effect("names every model: response data, and members of its lists and records, are components", () =>
    Effect.sync(() => {
      const inline = answersOf(document).flatMap(({ path, status, answer }) =>
        status !== 200
          ? []
          : Object.entries(answer.content ?? {}).flatMap(([mediaType, { schema }]) =>
              mediaType === "text/event-stream" || mediaType.startsWith("image/") || isNamed(schema) || isNamed(schema.properties?.data)
                ? []
                : [`${path} ${mediaType}`],
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
      // A generator numbers the second of two schemas with one name. Encoded variants have no component of their own.
      assert.deepStrictEqual(
        names.filter((name) => !name.endsWith("V2") && /(\d|Encoded)$/.test(name)),
        [],
      )
    }),
  )

  it.effect("distinguishes the three kinds of limits", () =>
    Effect.sync(() => {
      const limits = (name: string) => document.components.schemas[name]?.properties?.error?.properties?.details?.properties?.limit?.enum
      assert.deepStrictEqual(limits("RateLimitExceeded"), ["requests_per_second"])
      assert.deepStrictEqual(limits("QuotaExceeded"), ["requests_per_month"])
      assert.deepStrictEqual(limits("TooManyConnections"), ["connections"])
    }),
  )
})
