/** Tests how the search of CS2 weighs names against how well known an entity is, on both databases. */
import { assert, layer } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

onDatabaseOfRun((name, database) => {
  layer(Migrations.layer.pipe(Layer.provideMerge(database)), { timeout: "60 seconds" })(`ranking of the CS2 search on ${name}`, (it) => {
    it.effect("a well-known team stands before an unknown one with the exact name, and a known one does not", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const found = sql<{
          readonly number: number
        }>`SELECT entity_number::int AS number FROM cs2_find('vita', NULL, 'vita', NULL, 10) ORDER BY place`
        yield* sql`
          INSERT INTO cs2_search (entity_type, entity_number, label, words, weight)
          VALUES ('team', 1, 'Vita', 'vita', 0.1), ('team', 2, 'Vitality', 'vitality', 0.98), ('team', 3, 'Vitamin', 'vitamin', 0.3)`
        assert.deepStrictEqual(
          (yield* found).map(({ number }) => number),
          [2, 1, 3],
        )
        yield* sql`UPDATE cs2_search SET weight = 0.5 WHERE entity_number = 1`
        assert.deepStrictEqual(
          (yield* found).map(({ number }) => number),
          [1, 2, 3],
        )
      }),
    )
  })
})
