/**
 * Checks every list of the data sections: its maximum number of rows, and that its pages together are the whole list.
 */
import { assert, it } from "@effect/vitest"
import { MAX_OFFSET } from "@matchpoint/contracts/http/listing"
import { Effect } from "effect"
import { inject } from "vitest"
import { type ArchiveResponse, ArchiveStack, archiveStacks } from "../../fixtures/archiveStack.ts"
import { limits } from "./archiveLimits.ts"
import { addressOf, type Operation, rowsOf, takes } from "./archiveOperations.ts"
import { secondRows } from "./secondRows.ts"

/** Query with which a list has enough rows for several pages. */
const widest: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  "/cs2/leaderboards/{metric}": { min_maps: 1 },
  "/cs2/stats/teams": { min_maps: 1 },
  "/cs2/transfers": { include_undated: "true" },
  "/cs2/transfers/recent": { include_undated: "true" },
}

const maxOf = ({ path }: Operation): number => limits[path]?.max ?? 0
const pagingOf = ({ meta }: ArchiveResponse) => {
  const { count, hasNext, hasPrev, limit, page, total, totalPages } = meta ?? {}
  return { count, hasNext, hasPrev, limit, page, total, totalPages }
}

for (const [database, stack] of Object.entries(archiveStacks(inject("databaseUrl"), secondRows))) {
  it.layer(stack, { timeout: "60 seconds", excludeTestServices: true })(`lists on ${database}`, (it) => {
    for (const operation of takes("limit")) {
      const { max = 0, usual } = limits[operation.path] ?? {}
      it.effect(`${operation.path} returns ${usual} rows by default and at most ${max}`, () =>
        Effect.gen(function* () {
          const { get } = yield* ArchiveStack
          const limitOf = (limit?: number) => Effect.map(get(addressOf(operation, { limit })), ({ meta }) => meta?.["limit"])
          assert.deepStrictEqual(yield* Effect.forEach([undefined, 1, max - 1, max, max + 1, 100_000, Number.MAX_SAFE_INTEGER], limitOf), [
            usual,
            1,
            max - 1,
            max,
            max,
            max,
            max,
          ])
        }),
      )
    }

    for (const operation of takes("page")) {
      const asked = widest[operation.path] ?? {}
      const paged = operation.inQuery.map(({ name }) => name)
      // A list with a cursor skips a limited number of rows.
      const hasCursor = paged.includes("cursor")
      const ask = (query: Readonly<Record<string, string | number>>) =>
        Effect.gen(function* () {
          const { get } = yield* ArchiveStack
          const response = yield* get(addressOf(operation, { ...asked, ...query }))
          assert.strictEqual(response.status, 200, response.text)
          return { ...response, rows: rowsOf(response.data), paging: pagingOf(response) }
        })

      it.effect(`the pages of ${operation.path} together are the whole list`, () =>
        Effect.gen(function* () {
          const whole = yield* ask({ limit: maxOf(operation) })
          const total = whole.rows.length
          assert.isAtLeast(total, 2, "the sample has too few rows for two pages")
          assert.strictEqual(new Set(whole.rows.map((row) => JSON.stringify(row))).size, total, "no row appears twice")
          for (const limit of new Set([1, 2, Math.ceil(total / 2), total, total + 1].filter((limit) => total / limit <= 8))) {
            const totalPages = Math.ceil(total / limit)
            const rows: Array<unknown> = []
            for (let page = 1; page <= totalPages; page++) {
              const response = yield* ask({ limit, page })
              const count = Math.min(limit, total - (page - 1) * limit)
              assert.deepStrictEqual(
                response.paging,
                { count, limit, total, page, totalPages, hasNext: page < totalPages, hasPrev: page > 1 },
                `limit ${limit}`,
              )
              rows.push(...response.rows)
            }
            assert.deepStrictEqual(rows, whole.rows, `limit ${limit}`)
            const page = totalPages + 1
            const behind = yield* ask({ limit, page })
            assert.deepStrictEqual(behind.rows, [])
            assert.deepStrictEqual(behind.paging, { count: 0, limit, total, page, totalPages, hasNext: false, hasPrev: true })
          }
          const far = yield* ask(hasCursor ? { limit: 1, page: MAX_OFFSET + 1 } : { page: Number.MAX_SAFE_INTEGER })
          assert.deepStrictEqual(far.rows, [])
          assert.deepInclude(far.paging, { count: 0, total, hasNext: false, hasPrev: true })
        }),
      )

      if (paged.includes("offset")) {
        it.effect(`${operation.path} starts after offset, which overrides page`, () =>
          Effect.gen(function* () {
            const whole = yield* ask({ limit: maxOf(operation) })
            const total = whole.rows.length
            for (const offset of [0, 1, total - 1, total, total + 1, hasCursor ? MAX_OFFSET : Number.MAX_SAFE_INTEGER]) {
              const response = yield* ask({ limit: 1, offset, page: 2 })
              assert.deepStrictEqual(response.rows, whole.rows.slice(offset, offset + 1), `offset ${offset}`)
              assert.deepInclude(response.paging, {
                total,
                limit: 1,
                count: response.rows.length,
                hasNext: offset + 1 < total,
                hasPrev: offset > 0,
              })
            }
          }),
        )
      }

      if (paged.includes("cursor")) {
        it.effect(`${operation.path} continues from its cursors`, () =>
          Effect.gen(function* () {
            const whole = yield* ask({ limit: maxOf(operation) })
            const rows: Array<unknown> = []
            let next: unknown
            do {
              const response = yield* ask({ limit: 1, ...(typeof next === "string" ? { cursor: next } : {}) })
              next = response.meta?.["nextCursor"]
              assert.strictEqual(response.meta?.["hasNext"], next !== null)
              rows.push(...response.rows)
            } while (typeof next === "string" && rows.length <= whole.rows.length)
            assert.deepStrictEqual(rows, whole.rows)
          }),
        )
      }
    }
  })
}
