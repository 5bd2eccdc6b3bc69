import { assert, it } from "@effect/vitest"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { MatchpointApi } from "@matchpoint/games/api/MatchpointApi"
import { HttpApi } from "effect/http-api"
import { classes, unmeasured } from "./classes.ts"
import { addressesOf } from "./endpoints.ts"
import type { Samples } from "./samples.ts"

/** Paths of the tennis endpoints in the contract, with the same name for every parameter. */
const contractPaths = (): ReadonlyArray<string> => {
  const paths: Array<string> = []
  HttpApi.reflect(MatchpointApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      if (endpoint.method === "GET" && endpoint.path.startsWith(`${API_ROOT}/tennis/`))
        paths.push(nameless(endpoint.path.slice(API_ROOT.length)))
    },
  })
  return paths
}

const nameless = (path: string) => path.replaceAll(/:[A-Za-z0-9]+/gu, ":id")

const paths = [...classes.flatMap(({ endpoints }) => endpoints.map(({ path }) => path)), ...unmeasured].map(nameless)

it("measures every tennis endpoint in exactly one class", () => {
  assert.strictEqual(new Set(paths).size, paths.length)
  assert.deepStrictEqual(
    contractPaths().filter((path) => !paths.includes(path)),
    [],
  )
})

const samples = new Proxy({}, { get: () => ({ hot: ["one-1 2020"], cold: ["two-2 1999", "three-3 2001"] }) }) as Samples

it("draws addresses for each endpoint, the same for the same seed", () => {
  for (const one of classes) {
    const drawn = addressesOf(one, samples, { addresses: 100, seed: 1 })
    assert.deepStrictEqual(addressesOf(one, samples, { addresses: 100, seed: 1 }), drawn)
    for (const { path } of one.endpoints) {
      const own = drawn.filter(({ endpoint }) => endpoint === path)
      assert.isAbove(own.length, 0, path)
      const pattern = new RegExp(`^${API_ROOT}${path.replaceAll(/:[A-Za-z]+/g, "[^/?:]+")}(\\?[^?]+)?$`, "u")
      for (const address of own) assert.match(address.path, pattern)
    }
  }
})
