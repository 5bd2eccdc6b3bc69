/**
 * Requests every archive endpoint of game A, and checks that every documented query parameter has an effect: at least
 * one of its values changes the response. Then checks the errors of every path.
 */
import { assert, it } from "@effect/vitest"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { MatchpointApi } from "@matchpoint/games/api/MatchpointApi"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { inject } from "vitest"
import { writeApexSample } from "../../fixtures/apex/apexSample.ts"
import { ArchiveStack, archiveStacks } from "../../fixtures/archiveStack.ts"
import { apexPaths } from "./apexPaths.ts"

interface Endpoint {
  readonly path: string
  readonly parameters: ReadonlyArray<{ readonly name: string; readonly required: boolean }>
}

const documented = OpenApi.fromApi(MatchpointApi).paths

const endpoints: ReadonlyArray<Endpoint> = apexPaths.map(({ path }) => ({
  path: `/apex${path}`,
  parameters: (documented[`${API_ROOT}/apex${path}`]?.get?.parameters ?? []).flatMap((one) =>
    one.in === "query" ? [{ name: one.name, required: one.required === true }] : [],
  ),
}))

const pathValues: Readonly<Record<string, string>> = { seriesId: "spring--3", eventId: "spring", tournamentId: "spring" }

/** Values that may change a response. An endpoint need not be changed by all of them. */
const effective: Readonly<Record<string, ReadonlyArray<string>>> = {
  limit: ["1"],
  page: ["2"],
  offset: ["1"],
  status: ["scheduled"],
  region: ["americas", "Global"],
  tournament: ["winter"],
  from: ["2999-01-01"],
  to: ["2000-01-01"],
  order: ["earliest"],
  map: ["storm point"],
  year: ["2020"],
  sort: ["assists"],
  team: ["cold bears"],
  legend: ["horizon"],
  q: ["Bears"],
  type: ["role_change"],
  player: ["nobody"],
}

/** Values that each endpoint rejects, with the status. */
const rejected: Readonly<Record<string, readonly [value: string, status: number]>> = {
  limit: ["0", 400],
  page: ["x", 400],
  offset: ["-1", 400],
  cursor: ["abc", 400],
  status: ["finished", 422],
  region: ["mars", 422],
  tournament: ["a b", 400],
  from: ["yesterday", 400],
  to: ["2026-02-30", 400],
  order: ["random", 400],
  map: ["", 400],
  year: ["1800", 400],
  sort: ["name", 400],
  team: ["", 400],
  legend: ["", 400],
  q: ["", 400],
  type: ["sale", 422],
  player: ["", 400],
}

const addressOf = ({ parameters, path }: Endpoint, query: Readonly<Record<string, string>>, values = pathValues) => {
  const needed = parameters.flatMap(({ name, required }) => (required ? [[name, "Ash"]] : []))
  const text = new URLSearchParams({ ...Object.fromEntries(needed), ...query }).toString()
  return `${path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => values[name] ?? "")}${text === "" ? "" : `?${text}`}`
}

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl"), writeApexSample))) {
  it.layer(stack, { timeout: "120 seconds", excludeTestServices: true })(`apex parameters on ${database}`, (it) => {
    it.effect.each(endpoints)("$path answers, and each parameter has an effect", (endpoint) =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const ask = (query: Readonly<Record<string, string>>) => get(addressOf(endpoint, query))
        const usual = yield* ask({})
        assert.strictEqual(usual.status, 200, usual.text)
        assert.isNotEmpty(usual.data)
        for (const { name } of endpoint.parameters) {
          const values = name === "cursor" ? [(yield* ask({ limit: "1" })).meta?.["nextCursor"]] : effective[name]
          assert.isDefined(values, `no value for ${name}`)
          const texts: Array<string> = []
          for (const value of values ?? []) {
            const response = yield* ask({ [name]: String(value) })
            assert.strictEqual(response.status, 200, `${name}=${String(value)}: ${response.text}`)
            texts.push(response.text)
          }
          assert.isTrue(
            texts.some((text) => text !== usual.text),
            `${name} has no effect`,
          )
        }
      }),
    )

    it.effect.each(endpoints)("$path rejects wrong values and unknown ids", (endpoint) =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        for (const { name } of endpoint.parameters) {
          const [value, status] = rejected[name] ?? ["", 400]
          const response = yield* get(addressOf(endpoint, { [name]: value }))
          assert.strictEqual(response.status, status, `${name}=${value}: ${response.text}`)
          assert.strictEqual(response.error?.code, status === 422 ? "UNKNOWN_VALUE" : "VALIDATION_ERROR")
        }
        if (!endpoint.path.includes("{")) return
        const ids = { seriesId: "none", eventId: "none", tournamentId: "none" }
        const unknown = yield* get(addressOf(endpoint, {}, ids))
        assert.deepStrictEqual([unknown.status, unknown.error?.code], [404, "NOT_FOUND"], unknown.text)
        assert.include(unknown.error?.message, "GET /apex/algs/")
        const bad = { seriesId: "a%20b", eventId: "a%20b", tournamentId: "a%20b" }
        const invalid = yield* get(addressOf(endpoint, {}, bad))
        assert.deepStrictEqual([invalid.status, invalid.error?.code], [400, "VALIDATION_ERROR"], invalid.text)
      }),
    )
  })
}
