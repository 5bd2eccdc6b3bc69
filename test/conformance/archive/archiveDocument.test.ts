/** What OpenAPI says of the data sections' parameters, against the specification and against the sense of it. */
import { assert, it } from "@effect/vitest"
import { limits } from "./archiveLimits.ts"
import { operations, takes } from "./archiveOperations.ts"

const named = (name: string, { inQuery }: (typeof operations)[number]) => inQuery.find((parameter) => parameter.name === name)

it("the document has operations to go over", () => {
  assert.isAtLeast(operations.length, 80)
})

it("every parameter is described in words", () => {
  const silent = operations.flatMap(({ path, inPath, inQuery }) =>
    [...inPath, ...inQuery].filter(({ name, description }) => name === description).map(({ name }) => `${path}: ${name}`),
  )
  assert.deepStrictEqual(silent, [])
})

it("lists are those of the table, and their maximum and what is given where nobody asks is told", () => {
  const lists = takes("limit")
  assert.deepStrictEqual(lists.map(({ path }) => path).sort(), Object.keys(limits).sort())
  const untold = lists.flatMap((operation) => {
    const { max = 0, usual = 0 } = limits[operation.path] ?? {}
    const text = `${operation.description} ${named("limit", operation)?.description}`
    const tells = (number: number) => new RegExp(`\\b${number.toLocaleString("en-US")}\\b`).test(text)
    return [max, usual].filter((number) => !tells(number)).map((number) => `${operation.path}: ${number}`)
  })
  assert.deepStrictEqual(untold, [])
})
