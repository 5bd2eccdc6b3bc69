/**
 * Tests paging by cursor while rows are inserted, moved and deleted. Rows that stay must be returned once and in order.
 */
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { type AnyDatabase, onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { Archive } from "../../src/archive/Archive.ts"
import { standing, type WalkedList, walkedLists } from "./reads/walkedLists.ts"
import type { ArchiveIt } from "./sampled.ts"

const prepared = (driver: AnyDatabase) =>
  Archive.layer.pipe(Layer.merge(Layer.effectDiscard(standing)), Layer.provide(Migrations.layer), Layer.provideMerge(driver))

const marked = (row: unknown): number | undefined => {
  const found = /walk-(\d+)/.exec(JSON.stringify(row))?.[1]
  return found === undefined ? undefined : Number(found)
}

const PAGE = 3

/** Returns the rows of a list, read page by page. `between` runs after each page. */
const walk = Effect.fnUntraced(function* ({ read, rowOf = marked }: WalkedList, between: (pages: number) => Effect.Effect<void, SqlError>) {
  const seen: Array<number> = []
  let cursor: string | undefined
  for (let pages = 1; pages < 50; pages++) {
    const { before, next, rows, total } = yield* read({ limit: PAGE, offset: 0, cursor })
    assert.strictEqual(before, (pages - 1) * PAGE)
    assert.isAtLeast(total, rows.length)
    seen.push(...rows.flatMap((row) => rowOf(row) ?? []))
    if (next === null) return seen
    cursor = next
    yield* between(pages)
  }
  return assert.fail("the list has no end")
})

const lists = (it: ArchiveIt) => {
  it.effect("paging returns each remaining row once and in order, including rows inserted after the cursor", () =>
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const run = (statements: ReadonlyArray<string>) => Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
      for (const [name, list] of Object.entries(yield* walkedLists)) {
        yield* Effect.forEach([10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30], (row) => run(list.put(row)))
        const whole = yield* walk(list, () => Effect.void)
        assert.deepStrictEqual(whole, [10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30], name)
        const seen = yield* walk(list, (pages) =>
          pages === 1
            ? Effect.gen(function* () {
                // Above all rows, among rows already read, among rows still to be read, and below all rows.
                for (const row of [4, 11, 23, 32]) yield* run(list.put(row))
                // Moves one row from before the cursor to after it, and another in the opposite direction.
                yield* run([list.move(12, 27), list.move(26, 5)])
              })
            : Effect.void,
        )
        const stayed = [10, 14, 16, 18, 20, 22, 24, 28, 30]
        assert.deepStrictEqual(
          seen.filter((row) => stayed.includes(row)),
          stayed,
          name,
        )
        assert.deepStrictEqual(
          seen.filter((row) => [4, 11, 23, 32].includes(row)),
          [23, 32],
          name,
        )
      }
    }),
  )

  it.effect("rejects a cursor of another list", () =>
    Effect.gen(function* () {
      const cursors: Array<readonly [string, string]> = []
      const all = Object.entries(yield* walkedLists)
      for (const [name, { read }] of all) {
        const { next } = yield* read({ limit: 1, offset: 0 })
        assert.isNotNull(next, name)
        cursors.push([name, next ?? ""])
      }
      const orderOf = (cursor: string): unknown => JSON.parse(Buffer.from(cursor, "base64url").toString())[0]
      for (const [at, [name, { read }]] of all.entries()) {
        for (const [from, cursor] of cursors) {
          // The matches of an event use the same order as upcoming matches, so their cursors are interchangeable.
          if (orderOf(cursor) === orderOf(cursors[at]?.[1] ?? "")) continue
          assert.strictEqual((yield* Effect.flip(read({ limit: 1, offset: 0, cursor })))._tag, "ForeignCursor", `${from} -> ${name}`)
        }
        assert.strictEqual((yield* Effect.flip(read({ limit: 1, offset: 0, cursor: "garbage" })))._tag, "ForeignCursor", name)
      }
    }),
  )
}

onDatabaseOfRun((database, driver) => layer(prepared(driver), { timeout: "2 minutes" })(`Lists on ${database}`, lists))
