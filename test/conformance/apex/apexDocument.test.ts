/** Checks that the OpenAPI document describes every path of game A of the specification, with its parameters. */
import { assert, describe, it } from "@effect/vitest"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { MatchpointApi } from "@matchpoint/games/api/MatchpointApi"
import { OpenApi } from "effect/http-api"
import { apexPaths } from "./apexPaths.ts"

const document = OpenApi.fromApi(MatchpointApi)

/** Removes the names of path parameters, which the product may choose. */
const unnamed = (path: string) => path.replaceAll(/\{[^}]+\}/g, "{}")
const served = new Map(Object.entries(document.paths).map(([path, operations]) => [unnamed(path), operations]))

describe("Apex in the OpenAPI document", () => {
  it.each(apexPaths)("has /apex$path with its parameters", ({ path, query = [] }) => {
    const operation = served.get(unnamed(`${API_ROOT}/apex${path}`))?.get
    assert.isDefined(operation, "the path is missing")
    const names = (operation.parameters ?? []).flatMap((parameter) => (parameter.in === "query" ? [parameter.name] : []))
    for (const name of query) assert.include(names, name)
    assert.includeMembers(Object.keys(operation.responses), ["200", "401", "429"])
    assert.isNotEmpty(operation.summary ?? "", "the endpoint has no summary")
  })
})
