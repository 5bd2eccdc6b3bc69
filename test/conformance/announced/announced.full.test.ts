/** Compares the announced sections with the specification: paths, responses, cost and marks in the OpenAPI document. */
import { assert, it } from "@effect/vitest"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { Usage } from "@matchpoint/contracts/http/account/AccountApi"
import { termsOf } from "@matchpoint/domain/accounts"
import { MatchpointApi } from "@matchpoint/games/api/MatchpointApi"
import { KeyRegister } from "@matchpoint/store/keys/KeyRegister"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { Effect, Layer, Redacted, Schema } from "effect"
import { OpenApi } from "effect/http-api"
import { storedMetering } from "../../fixtures/metering/metering.ts"
import { Stack, stack } from "../../fixtures/stack.ts"
import { type Document, fitsOf } from "../../openapi/documents.ts"
import { announcedPaths } from "./announcedPaths.ts"

const document: Document = JSON.parse(JSON.stringify(OpenApi.fromApi(MatchpointApi)))
const fits = fitsOf(document)

const roots = ["/v1", "/api/v1"]
const odds = ["/api/v1/tennis/odds/{matchId}", "/api/v1/tennis/odds/{matchId}/live"]
const all = [
  ...roots.flatMap((root) =>
    Object.entries(announcedPaths).flatMap(([game, paths]) => paths.map((path) => ({ game, path: `${root}/${game}${path}` }))),
  ),
  ...odds.map((path) => ({ game: "tennis", path })),
]

const keys = {
  noQuota: termsOf("pro", { requestsPerMonth: 0, requestsPerSecond: 1_000 }),
  oneGame: termsOf("starter", { game: "cs2", requestsPerSecond: 1_000 }),
  slow: termsOf("starter", { requestsPerSecond: 1 }),
}

const Keys = Layer.effectDiscard(
  Effect.gen(function* () {
    const register = yield* KeyRegister
    for (const [name, terms] of Object.entries(keys)) yield* register.put({ secret: Redacted.make(`mp_test_${name}`), terms, label: name })
  }),
)

const ask = Effect.fnUntraced(function* (path: string, as?: keyof typeof keys, more: Readonly<Record<string, string>> = {}) {
  const { url } = yield* Stack
  const key: Readonly<Record<string, string>> = as === undefined ? {} : { "x-api-key": `mp_test_${as}` }
  return yield* Effect.promise(async () => {
    const response = await fetch(new URL(path, url), { headers: { ...key, ...more } })
    return { status: response.status, headers: response.headers, body: await response.json() }
  })
})

const usageOf = Schema.decodeUnknownEffect(Schema.Struct({ data: Usage }))

const served = Layer.provideMerge(Keys, stack(EventLogMemory.layer({ streams }), embeddedMemory, storedMetering))

it.layer(served, { timeout: 60_000, excludeTestServices: true })("announced sections", (it) => {
  it.effect("answer 501 on every path with the announcement and an example of the planned response, without ETag", () =>
    Effect.gen(function* () {
      for (const { game, path } of all) {
        const { body, headers, status } = yield* ask(path.replaceAll(/\{\w+\}/g, "one"), "noQuota", { "if-none-match": "*" })
        assert.deepStrictEqual([status, body.success, body.error.code], [501, false, "NOT_YET_AVAILABLE"], path)
        const { details, message } = body.error
        assert.deepInclude(details, { game, path, announcedOn: "2026-11-25" })
        assert.include(message, path)
        assert.isNull(headers.get("etag"), path)
        const planned = document.paths[details.example.path]?.["get"]?.responses["200"]?.content?.["application/json"]
        assert.isTrue(planned !== undefined && fits(planned.schema, details.example.body), path)
        const described = document.paths[path]?.["get"]?.responses["501"]?.content?.["application/json"]
        assert.isTrue(described !== undefined && fits(described.schema, body), path)
        if (game === "tennis") continue
        for (const match of details.example.body.data) {
          assert.containsAllKeys(match, ["id", "tournament", "teams", "status"])
          assert.lengthOf(match.teams, 2)
          for (const team of match.teams) assert.containsAllKeys(team, ["name", "score", "players"])
        }
      }
      assert.lengthOf(all, 32)
    }),
  )

  it.effect("cost nothing, and are open to every plan and to accounts without quota", () =>
    Effect.gen(function* () {
      for (const as of ["noQuota", "oneGame"] as const) {
        for (let n = 0; n < 5; n++) assert.strictEqual((yield* ask("/v1/valorant/teams", as)).status, 501)
        const { data } = yield* usageOf((yield* ask("/api/v1/usage", as)).body)
        assert.deepStrictEqual([data.requests, data.total], [0, 0])
      }
    }),
  )

  it.effect("check the key, the rate, the parameters and the path", () =>
    Effect.gen(function* () {
      for (const root of roots) {
        assert.strictEqual((yield* ask(`${root}/valorant/teams`)).status, 401)
        assert.strictEqual((yield* ask(`${root}/valorant/teams/${"x".repeat(65)}`, "noQuota")).status, 400)
        for (const path of ["/valorant", "/valorant/maps", "/rocketleague/tournaments/1", "/valorant/teams/1/players"]) {
          const { body, status } = yield* ask(root + path, "noQuota")
          assert.deepStrictEqual([status, body.error.code], [404, "NOT_FOUND"], root + path)
        }
      }
      const answers = yield* Effect.forEach(Array.from({ length: 6 }), () => ask("/v1/rocketleague/teams", "slow"), { concurrency: 6 })
      const refused = answers.find(({ status }) => status === 429)
      assert.strictEqual(refused?.body.error.details.limit, "requests_per_second")
    }),
  )

  it.effect("are marked in the OpenAPI document, and no other endpoint is", () =>
    Effect.sync(() => {
      const marked = Object.entries(document.paths).filter(([, { get }]) => get?.["x-status"] !== undefined)
      assert.deepStrictEqual(marked.map(([path]) => path).sort(), all.map(({ path }) => path).sort())
      for (const [path, { get }] of marked) {
        assert.deepStrictEqual([get?.["x-status"], get?.["x-announced"]], ["announced", "2026-11-25"], path)
        assert.notProperty(get, "deprecated")
        assert.strictEqual(get?.["x-metering"].requests, 0, path)
        assert.include(get?.description ?? "", "Announced on 2026-11-25", path)
      }
    }),
  )
})
