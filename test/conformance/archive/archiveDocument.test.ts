/** Compares the OpenAPI parameters of the data sections with the specification, and checks that they are described. */
import { assert, it } from "@effect/vitest"
import { limits } from "./archiveLimits.ts"
import { operations, takes } from "./archiveOperations.ts"

const named = (name: string, { inQuery }: (typeof operations)[number]) => inQuery.find((parameter) => parameter.name === name)

it("the document has operations to check", () => {
  assert.isAtLeast(operations.length, 80)
})

it("every parameter has a description", () => {
  const undescribed = operations.flatMap(({ path, inPath, inQuery }) =>
    [...inPath, ...inQuery].filter(({ name, description }) => name === description).map(({ name }) => `${path}: ${name}`),
  )
  assert.deepStrictEqual(undescribed, [])
})

it("every list of the table takes `limit`, and its maximum and default are documented", () => {
  const lists = takes("limit")
  assert.deepStrictEqual(lists.map(({ path }) => path).sort(), Object.keys(limits).sort())
  const undocumented = lists.flatMap((operation) => {
    const { max = 0, usual = 0 } = limits[operation.path] ?? {}
    const text = `${operation.description} ${named("limit", operation)?.description}`
    const mentions = (number: number) => new RegExp(`\\b${number.toLocaleString("en-US")}\\b`).test(text)
    return [max, usual].filter((number) => !mentions(number)).map((number) => `${operation.path}: ${number}`)
  })
  assert.deepStrictEqual(undocumented, [])
})
