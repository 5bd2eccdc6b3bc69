/** Tests how the search of the league ranks and folds names, on both databases. */
import { assert, layer } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer } from "effect"
import { CodArchiveWriter } from "../../src/archive/CodArchiveWriter.ts"
import { CodSearch } from "../../src/archive/search/CodSearch.ts"
import { CodSummaries } from "../../src/archive/summaries/CodSummaries.ts"
import { codMatch } from "./fixtures/codMatches.ts"

const team = (slug: string, name: string) => ({ slug, name, shortName: null, logoUrl: null, simulated: true })

onDatabaseOfRun((driver, database) => {
  const store = Layer.mergeAll(CodArchiveWriter.layer, CodSummaries.layer, CodSearch.layer).pipe(
    Layer.provide(Migrations.layer),
    Layer.provideMerge(database),
  )
  layer(store, { timeout: "60 seconds" })(`search of the league, ${driver}`, (it) => {
    it.effect("puts the better known of equally good hits first, and finds names in other letters", () =>
      Effect.gen(function* () {
        const writer = yield* CodArchiveWriter
        // By their ids, the unknown team would stand first.
        yield* writer.write({
          teams: [team("a-north", "North Hill"), team("north-wind", "North Wind"), team("odegard", "Ödegård")],
          matches: [codMatch({ matchId: "900000001" })],
        })
        yield* Effect.flatMap(CodSummaries, ({ rebuild }) => rebuild)
        const { find } = yield* CodSearch
        const slugs = (text: string) => Effect.map(find({ text, kinds: ["team"], limit: 5 }), ({ teams }) => teams.map(({ slug }) => slug))
        assert.deepStrictEqual((yield* slugs("north")).slice(0, 2), ["north-wind", "a-north"])
        for (const text of ["odegard", "ÖDEGÅRD", "oedegaard"]) assert.strictEqual((yield* slugs(text))[0], "odegard", text)
        assert.strictEqual((yield* slugs("NORTH-WIND"))[0], "north-wind")
        for (const text of ["%", "' OR 1=1", "x".repeat(10_000)]) assert.isAtMost((yield* slugs(text)).length, 5)
      }),
    )
  })
})
