/** Tests that unknown query parameters are rejected on every endpoint, by the names that the OpenAPI document has. */
import { assert, describe, it } from "@effect/vitest"
import { MatchpointApi } from "@matchpoint/games/api/MatchpointApi"
import { HttpApi, OpenApi } from "effect/http-api"
import { QueryRules, queryNamesOf, unknownParameter } from "../../src/http/QueryRules.ts"
import { QrRules } from "../../src/http/qr/QrRules.ts"

describe("the query of every endpoint", () => {
  it("has the names of the OpenAPI document, and a middleware that knows them", () => {
    const { paths } = OpenApi.fromApi(MatchpointApi)
    let checked = 0
    HttpApi.reflect(MatchpointApi, {
      onGroup: () => {},
      onEndpoint: ({ endpoint, middleware }) => {
        const path = endpoint.path.replaceAll(/:([A-Za-z0-9_]+)/g, "{$1}")
        const method = endpoint.method === "GET" ? paths[path]?.get : paths[path]?.post
        if (endpoint.method !== "GET" && endpoint.method !== "POST") return
        const described = (method?.parameters ?? []).filter((one) => one.in === "query").map(({ name }) => name)
        assert.deepStrictEqual(queryNamesOf(endpoint.query), described, path)
        const keys = [...middleware].map(({ key }) => key)
        // The QR section has errors of its own, so its own middleware rejects unknown parameters.
        assert.isTrue(keys.includes(QueryRules.key) || keys.includes(QrRules.key), path)
        checked += 1
      },
    })
    assert.isAbove(checked, 200)
  })

  it("rejects a name that is not known, and suggests the nearest", () => {
    const known = ["limit", "page", "tour"]
    assert.isUndefined(unknownParameter(["page", "limit"], known))
    const { error } = unknownParameter(["page", "limt"], known) ?? assert.fail("limt is accepted")
    assert.strictEqual(error.message, "this endpoint has no query parameter limt; did you mean limit?")
    assert.deepStrictEqual(error.details, { parameter: "limt", nearest: "limit", known })
    assert.include(unknownParameter(["colour"], known)?.error.message, "it has limit, page, tour")
    assert.include(unknownParameter(["colour"], [])?.error.message, "it has none")
    assert.isBelow(unknownParameter(["x".repeat(5_000)], known)?.error.message.length ?? 0, 200)
  })
})
