/** Tests that the writer of the league's archive is idempotent and replaces what a match no longer has. */
import { assert, layer } from "@effect/vitest"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { CodArchiveWriter } from "../../src/cod/CodArchiveWriter.ts"
import { Migrations } from "../../src/database/Migrations.ts"
import { codMatch } from "../fixtures/codMatches.ts"

const team = { slug: "north-wind", name: "North Wind", shortName: "NW", logoUrl: null, simulated: true }

onDatabaseOfRun((driver, database) => {
  const store = CodArchiveWriter.layer.pipe(Layer.provide(Migrations.layer), Layer.provideMerge(database))
  layer(store, { timeout: "60 seconds" })(`CodArchiveWriter, ${driver}`, (it) => {
    it.effect("writes a match once, and counts changes of its maps and lines as changes of the match", () =>
      Effect.gen(function* () {
        const writer = yield* CodArchiveWriter
        const sql = yield* SqlClient.SqlClient
        const record = codMatch({ matchId: "900000001" })
        const other = codMatch({ matchId: "900000002" })
        assert.deepStrictEqual(yield* writer.write({ matches: [record, other] }), { created: 2, updated: 0, unchanged: 0 })
        assert.deepStrictEqual(yield* writer.write({ matches: [record, other] }), { created: 0, updated: 0, unchanged: 2 })

        const shorter = { ...record, maps: record.maps.slice(0, 3), lines: record.lines.filter(({ mapNumber }) => mapNumber < 4) }
        assert.deepStrictEqual(yield* writer.write({ matches: [shorter, other] }), { created: 0, updated: 1, unchanged: 1 })
        const [stored] = yield* sql`
          SELECT (SELECT count(*)::integer FROM cod_maps) AS maps, (SELECT count(*)::integer FROM cod_player_lines) AS lines`
        assert.deepStrictEqual({ ...stored }, { maps: 7, lines: 14 })
        const corrected = { ...shorter, lines: shorter.lines.map((line, index) => (index === 0 ? { ...line, rating: 1.25 } : line)) }
        assert.deepStrictEqual(yield* writer.write({ matches: [corrected] }), { created: 0, updated: 1, unchanged: 0 })
      }),
    )

    it.effect("keeps the name of a known team, and completes what was unknown", () =>
      Effect.gen(function* () {
        const writer = yield* CodArchiveWriter
        const sql = yield* SqlClient.SqlClient
        assert.deepStrictEqual(yield* writer.write({ teams: [team] }), { created: 1, updated: 0, unchanged: 0 })
        const other = { ...team, name: "NORTH WIND", shortName: null, logoUrl: "https://logos.example/nw.png" }
        assert.deepStrictEqual(yield* writer.write({ teams: [other] }), { created: 0, updated: 1, unchanged: 0 })
        assert.deepStrictEqual(yield* writer.write({ teams: [team, { ...team, slug: "south-wind" }] }), {
          created: 1,
          updated: 0,
          unchanged: 1,
        })
        const [stored] = yield* sql`SELECT name, short_name, logo_url FROM cod_teams WHERE slug = ${team.slug}`
        assert.deepStrictEqual({ ...stored }, { name: "North Wind", short_name: "NW", logo_url: "https://logos.example/nw.png" })
      }),
    )
  })
})
