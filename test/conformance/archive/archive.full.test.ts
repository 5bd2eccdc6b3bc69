/**
 * Compares the data sections with the specification's own tables, on the sample archive: every path of section 4 exists
 * and its response matches section 2. Additional fields of the product are ignored.
 */
import { assert, it } from "@effect/vitest"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { MatchpointApi } from "@matchpoint/games/api/MatchpointApi"
import { Effect } from "effect"
import { OpenApi } from "effect/http-api"
import { inject } from "vitest"
import { ArchiveStack, archiveStacks } from "../../fixtures/archiveStack.ts"
import { violations } from "../checkFields.ts"
import { archiveSpec } from "./archiveFields.ts"
import { knownGaps, type SpecPath, specPaths } from "./archivePaths.ts"

const served = new Set(Object.keys(OpenApi.fromApi(MatchpointApi).paths).map((path) => path.slice(API_ROOT.length)))

/** Removes the names of path parameters, which the product may choose. */
const unnamed = (path: string) => path.replaceAll(/\{[^}]+\}/g, "{}")
const servedUnnamed = new Set([...served].map(unnamed))

const addressOf = ({ of = [], path, query }: SpecPath): string => {
  let at = 0
  return `${path.replaceAll(/\{[^}]+\}/g, () => of[at++] ?? "")}${query === undefined ? "" : `?${query}`}`
}

/** Ignores fields that the tables do not list: the contract covers them. */
const faultsOf = (asked: SpecPath, body: unknown) =>
  violations(archiveSpec[asked.spec], body).filter((fault) => !fault.endsWith("is not in the table"))

const isEmpty = (data: unknown) => Array.isArray(data) && data.length === 0

it("serves every path of the specification except the known gaps", () => {
  const missing = [...new Set(specPaths.map(({ path }) => path))].filter((path) => !servedUnnamed.has(unnamed(path)))
  assert.deepStrictEqual(missing, Object.keys(knownGaps), "update the list of known gaps")
})

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl")))) {
  it.layer(stack, { timeout: "60 seconds", excludeTestServices: true })(`the archive on ${database}`, (it) => {
    for (const asked of specPaths.filter(({ path }) => servedUnnamed.has(unnamed(path)))) {
      it.effect(`${addressOf(asked)} matches the specification's table`, () =>
        Effect.gen(function* () {
          const { get } = yield* ArchiveStack
          const answer = yield* get(addressOf(asked), "business")
          assert.strictEqual(answer.status, 200, answer.text)
          assert.isFalse(isEmpty(answer.data), "the sample has no rows here, so the test checks nothing")
          assert.deepStrictEqual(asked.spec === "ours" ? [] : faultsOf(asked, JSON.parse(answer.text)), [])
        }),
      )
    }

    it.effect("the check rejects a response that belongs to another table", () =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const body: unknown = JSON.parse((yield* get("/cs2/weapons")).text)
        assert.isNotEmpty(faultsOf({ path: "/cs2/maps", spec: "mapCatalog" }, body))
      }),
    )
  })
}
