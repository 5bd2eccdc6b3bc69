/** Checks that the OpenAPI document describes every path of the Call of Duty League, with its parameters. */
import { assert, describe, it } from "@effect/vitest"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { MatchpointApi } from "@matchpoint/games/api/MatchpointApi"
import { OpenApi } from "effect/http-api"
import { codPaths } from "./codPaths.ts"

const document = OpenApi.fromApi(MatchpointApi)

/** Removes the names of path parameters, which the product may choose. */
const unnamed = (path: string) => path.replaceAll(/\{[^}]+\}/g, "{}")
const served = new Map(Object.entries(document.paths).map(([path, operations]) => [unnamed(path), operations]))

describe("the Call of Duty League in the OpenAPI document", () => {
  it.each(codPaths)("has $path with its parameters", ({ path, query = [], required = [] }) => {
    const operation = served.get(unnamed(`${API_ROOT}/cod${path}`))?.get
    assert.isDefined(operation, "the path is missing")
    const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === "query")
    for (const name of query) {
      const parameter = parameters.find((one) => one.name === name)
      assert.isDefined(parameter, `the parameter ${name} is missing`)
      assert.strictEqual(parameter.required === true, required.includes(name), name)
    }
    assert.includeMembers(Object.keys(operation.responses), ["200", "401", "429"])
    assert.isNotEmpty(operation.summary ?? "", "the endpoint has no summary")
  })
})
