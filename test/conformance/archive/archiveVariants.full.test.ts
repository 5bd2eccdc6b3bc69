/**
 * Checks requests that may be written in several ways: equivalent paths and spellings, ids and slugs, selected fields,
 * and conditional requests.
 */
import { assert, it } from "@effect/vitest"
import { eventSummary } from "@matchpoint/cs2/contract/http/data/eventModels"
import { EventRow } from "@matchpoint/cs2/contract/http/data/models"
import { Effect } from "effect"
import { inject } from "vitest"
import { ArchiveStack, archiveStacks } from "../../fixtures/archiveStack.ts"
import { alike, flags, references, slugs } from "./archiveAliases.ts"
import { addressOf, operations, rowsOf, takes } from "./archiveOperations.ts"
import { secondRows } from "./secondRows.ts"

const fieldNames = Object.keys(EventRow.fields)
const isReference = /^Id or slug|its id or slug$/
const namesIn = (rows: ReadonlyArray<unknown>) => rows.map((row) => Object.keys(Object(row)).sort())

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl"), secondRows))) {
  it.layer(stack, { timeout: "60 seconds", excludeTestServices: true })(`variants on ${database}`, (it) => {
    const same = (path: string, as: string) =>
      Effect.gen(function* () {
        const { get } = yield* ArchiveStack
        const [one, other] = [yield* get(path), yield* get(as)]
        assert.strictEqual(one.status, 200, one.text)
        assert.strictEqual(other.text, one.text, `${path} and ${as}`)
      })

    it.effect("requests that the specification calls equivalent return the same bytes", () =>
      Effect.forEach(alike, ({ path, as }) => same(path, as), { discard: true }),
    )

    it.effect("every id may be replaced by its slug", () =>
      Effect.gen(function* () {
        let compared = 0
        for (const operation of operations) {
          for (const { name } of operation.inPath.filter(({ description }) => isReference.test(description))) {
            const address = addressOf(operation)
            const id = Object.keys(slugs).find((known) => address.split(/[/?]/).includes(known)) ?? ""
            yield* same(address, addressOf(operation, {}, { [name]: slugs[id] ?? `a slug of ${name}` }))
            compared += 1
          }
          for (const { name } of operation.inQuery.filter(({ description }) => isReference.test(description))) {
            const id = references[name] ?? ""
            yield* same(addressOf(operation, { [name]: id }), addressOf(operation, { [name]: slugs[id] ?? `a slug of ${name}` }))
            compared += 1
          }
        }
        assert.isAtLeast(compared, 40)
      }),
    )

    it.effect("flags accept three spellings", () =>
      Effect.gen(function* () {
        let compared = 0
        for (const operation of operations) {
          for (const { name } of operation.inQuery.filter(({ schema }) => schema.enum?.includes("yes"))) {
            for (const [main, ...others] of flags) {
              for (const other of others) yield* same(addressOf(operation, { [name]: main }), addressOf(operation, { [name]: other }))
            }
            compared += 1
          }
        }
        assert.isAtLeast(compared, 10)
      }),
    )

    for (const operation of takes("fields")) {
      it.effect(`${operation.path} returns only the requested fields`, () =>
        Effect.gen(function* () {
          const { get } = yield* ArchiveStack
          const ask = (query: Readonly<Record<string, string>>) =>
            Effect.map(get(addressOf(operation, query)), ({ data }) => {
              const rows = rowsOf(data)
              assert.isAtLeast(rows.length, 2)
              return rows
            })
          const whole = yield* ask({})
          const only = (names: ReadonlyArray<string>) =>
            whole.map((row) => Object.fromEntries(Object.entries(Object(row)).filter(([name]) => name === "id" || names.includes(name))))
          for (const name of fieldNames) assert.deepStrictEqual(yield* ask({ fields: name }), only([name]), name)
          assert.deepStrictEqual(yield* ask({ fields: fieldNames.join(",") }), whole)
          assert.deepStrictEqual(yield* ask({ fields: " tier , name,,tier" }), only(["name", "tier"]))
          assert.deepStrictEqual(yield* ask({ fields: "" }), whole)
          assert.deepStrictEqual(
            namesIn(yield* ask({ summary: "true" })),
            whole.map(() => [...eventSummary].sort()),
          )
          assert.deepStrictEqual(yield* ask({ summary: "false" }), whole)
          assert.deepStrictEqual(yield* ask({ summary: "true", fields: "format" }), only(["format"]), "fields overrides summary")
        }),
      )
    }

    for (const operation of operations) {
      it.effect(`${operation.path} responds 304 if the response has not changed`, () =>
        Effect.gen(function* () {
          const { get } = yield* ArchiveStack
          const address = addressOf(operation)
          const first = yield* get(address)
          const etag = first.headers.get("etag") ?? ""
          assert.match(etag, /^"[\w-]+"$/)
          assert.strictEqual(first.headers.get("cache-control"), "private, no-cache")
          for (const named of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
            const again = yield* get(address, "pro", { "if-none-match": named })
            // The form of the tag in the request, by which a cache finds its entry.
            const held = named === `W/${etag}` ? named : etag
            assert.deepStrictEqual([again.status, again.text, again.headers.get("etag")], [304, "", held], named)
          }
          const other = yield* get(address, "pro", { "if-none-match": '"other"' })
          assert.deepStrictEqual([other.status, other.text], [200, first.text])
          const head = yield* get(address, "pro", {}, "HEAD")
          assert.deepStrictEqual([head.status, head.text, head.headers.get("etag")], [200, "", etag], "HEAD")
          if (operation.inQuery.some(({ name }) => name === "limit")) {
            const less = yield* get(addressOf(operation, { limit: 1 }))
            assert.notStrictEqual(less.headers.get("etag"), etag, "a different response has a different tag")
          }
        }),
      )
    }
  })
}
