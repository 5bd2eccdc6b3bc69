import { assert, it } from "@effect/vitest"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { MatchpointApi } from "@matchpoint/games/api/MatchpointApi"
import { HttpApi } from "effect/http-api"
import { poolOf } from "./addresses.ts"
import { classes } from "./classes.ts"
import type { Samples } from "./samples.ts"

/** Sections that this benchmark measures. Tennis has its own. */
const sections = new RegExp(`^${API_ROOT}/(cs2|cod|apex)(/|$)`, "u")

/**
 * Returns the archive's GET endpoints of the contract: those that belong neither to the live section nor to an account.
 */
const archivePaths = (): ReadonlyArray<string> => {
  const paths: Array<string> = []
  HttpApi.reflect(MatchpointApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group }) => {
      const isArchive = sections.test(endpoint.path) && !group.identifier.endsWith("-live")
      if (isArchive && endpoint.method === "GET") paths.push(endpoint.path.slice(API_ROOT.length))
    },
  })
  return paths
}

it("measures every endpoint of the archive in exactly one class", () => {
  const owned = classes.filter(({ again }) => again === undefined).flatMap(({ endpoints }) => endpoints.map(({ path }) => path))
  assert.deepStrictEqual([...owned].sort(), [...archivePaths()].sort())
})

it("repeats only endpoints that another class owns", () => {
  const known = new Set(archivePaths())
  for (const { endpoints } of classes) for (const { path } of endpoints) assert.isTrue(known.has(path), path)
})

const everything = { hot: ["one vs two", "three four"], cold: ["five six", "seven eight", "2026-01-01"] }
const dated = { hot: ["2026-07-01"], cold: ["2025-07-01"] }

const samples = {
  of: new Proxy({}, { get: (_, name) => (name === "day" || name === "rankingDay" ? dated : everything) }),
  rows: new Proxy({}, { get: () => 1_000 }),
} as Samples

it("draws addresses for each endpoint, the same for the same seed", () => {
  for (const one of classes) {
    const { addresses, unasked } = poolOf(one, samples, 1, 100)
    assert.deepStrictEqual(unasked, [])
    assert.deepStrictEqual(poolOf(one, samples, 1, 100).addresses, addresses)
    for (const { path } of one.endpoints)
      assert.isTrue(
        addresses.some(({ endpoint }) => endpoint === path),
        path,
      )
    for (const { endpoint, path } of addresses) {
      const pattern = new RegExp(`^${API_ROOT}${endpoint.replaceAll(/:[A-Za-z]+/g, "[^/]+")}(\\?|$)`)
      assert.match(path, pattern)
    }
  }
})

it("reports the endpoints that cannot be requested because the database has no rows for them", () => {
  const empty = { ...samples, of: new Proxy({}, { get: () => ({ hot: [], cold: [] }) }) } as Samples
  const odds = classes.filter(({ name }) => name === "odds")
  assert.deepStrictEqual(
    odds.flatMap((one) => poolOf(one, empty, 1, 10).unasked).filter((reason) => reason.includes("history")),
    ["/cs2/odds/markets/:marketId/history: the database holds no market"],
  )
})
