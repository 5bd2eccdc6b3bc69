/** Tests how the search of Apex players ranks and folds names, on both databases. */
import { assert, layer } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ApexArchiveWriter } from "../../src/archive/ApexArchiveWriter.ts"
import { ApexPeople } from "../../src/archive/read/ApexPeople.ts"
import { ApexSummaries } from "../../src/archive/summaries/ApexSummaries.ts"
import { apexLobby } from "./fixtures/apexLobby.ts"

onDatabaseOfRun((name, database) => {
  const store = Layer.mergeAll(ApexArchiveWriter.layer, ApexSummaries.layer, ApexPeople.layer)
  layer(store.pipe(Layer.provideMerge(Migrations.layer), Layer.provideMerge(database)), { timeout: "60 seconds" })(
    `search of Apex players on ${name}`,
    (it) => {
      it.effect("puts well-known players before unknown ones whose name fits a little better", () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { search } = yield* ApexPeople
          yield* Effect.flatMap(ApexArchiveWriter, ({ writeSeries }) => writeSeries([apexLobby()]))
          yield* Effect.flatMap(ApexSummaries, ({ refresh }) => refresh)
          const names = (text: string) => Effect.map(search({ text, limit: 2 }), (rows) => rows.map((row) => row.name))
          assert.deepStrictEqual(yield* names("Ash-Wölves"), ["Ash Wolves 1", "Ash Wolves 2"])
          yield* sql`UPDATE apex_players SET matches = 900 WHERE words = 'ash wolves 2'`
          assert.deepStrictEqual(yield* names("ash"), ["Ash Wolves 2", "Ash Wolves 1"])
          // An exact name of an unknown player stands after the beginning of a famous one only if the difference is large.
          yield* sql`UPDATE apex_players SET words = 'ash', matches = 0 WHERE words = 'ash wolves 1'`
          assert.strictEqual((yield* names("ash"))[0], "Ash Wolves 2")
          yield* sql`UPDATE apex_players SET matches = 200 WHERE words = 'ash'`
          assert.strictEqual((yield* names("ash"))[0], "Ash Wolves 1")
          for (const text of ["%", "' OR 1=1", "x".repeat(10_000)]) assert.isAtMost((yield* names(text)).length, 2)
        }),
      )
    },
  )
})
