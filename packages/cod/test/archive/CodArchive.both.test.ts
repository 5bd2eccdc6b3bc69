/**
 * Tests that the writer of the league's archive is idempotent and replaces what a match no longer has, and that lists of
 * coming matches contain live matches of the register.
 */
import { assert, layer } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { Matches } from "@matchpoint/store/live/Matches"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { CodArchiveWriter } from "../../src/archive/CodArchiveWriter.ts"
import { CodMatchArchive } from "../../src/archive/matches/CodMatchArchive.ts"
import { COD } from "../../src/rules/game.ts"
import { codMatch } from "./fixtures/codMatches.ts"

const team = { slug: "north-wind", name: "North Wind", shortName: "NW", logoUrl: null, simulated: true }

const registration = {
  bestOf: 5,
  team1: { id: "north-wind", name: "North Wind" },
  team2: { id: "south-wind", name: "South Wind" },
  config: { created: { payload: { tournament: { id: null, name: "Winter Cup", round: "Final" } } } },
}

onDatabaseOfRun((driver, database) => {
  const store = Layer.mergeAll(CodArchiveWriter.layer, CodMatchArchive.layer, Matches.layer).pipe(
    Layer.provide(Migrations.layer),
    Layer.provideMerge(database),
  )
  layer(store, { timeout: "60 seconds" })(`archive of the league in the store, ${driver}`, (it) => {
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

    it.effect("has a finished match whose score is unknown, with the reason", () =>
      Effect.gen(function* () {
        const archive = yield* CodMatchArchive
        const writer = yield* CodArchiveWriter
        const [matchId, tournamentId] = ["900000003", "2031-cup"]
        const about = { season: 2031, name: "Cup", stage: null, isLeague: true, pointsPerWin: null, prizePool: null, simulated: true }
        const unknown = { team1Score: null, team2Score: null, scoreGap: "maps_missing", winnerSlug: null } as const
        yield* writer.write({ tournaments: [{ tournamentId, ...about }], matches: [codMatch({ matchId, tournamentId, ...unknown })] })
        const { rows } = yield* archive.completed({ tournamentId }, { limit: 10, offset: 0 })
        assert.deepInclude(rows[0], { matchId, status: "completed", scoreReason: "maps_missing", winnerSlug: null })
        assert.isNull(rows[0]?.team1.score)
        const found = Option.getOrThrow(yield* archive.find(matchId))
        assert.deepInclude(found, { team1Score: null, team2Score: null, scoreReason: "maps_missing" })
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

    it.effect("lists simulated matches with their tournament and round", () =>
      Effect.gen(function* () {
        const archive = yield* CodMatchArchive
        const matches = yield* Matches
        const sql = yield* SqlClient.SqlClient
        const config = { simulated: { seed: 1 }, tournament: { id: null, name: "Winter Cup (simulated)", round: "Round 4", isLan: false } }
        yield* matches.register(COD, { ...registration, config })
        const { rows } = yield* archive.schedule(true, {}, { limit: 10, offset: 0 })
        assert.deepInclude(rows[0], { tournament: "Winter Cup (simulated)", round: "Round 4" })
        yield* sql`DELETE FROM matches`
      }),
    )

    it.effect("lists live matches of the register as coming, and reveals nothing before the delay of plans", () =>
      Effect.gen(function* () {
        const archive = yield* CodMatchArchive
        const matches = yield* Matches
        const sql = yield* SqlClient.SqlClient
        yield* matches.register(COD, registration)
        const states = Effect.gen(function* () {
          const { rows } = yield* archive.upcoming({ team: "south-wind" }, { limit: 10, offset: 0 })
          return rows.map(({ id, status }) => `${id} ${status}`)
        })
        const { rows, total } = yield* archive.upcoming({}, { limit: 10, offset: 0 })
        assert.strictEqual(total, 1)
        assert.deepInclude(rows[0], { id: "cod-match-1002", round: "Final", status: "scheduled", startTimeKnown: false, bestOf: 5 })
        assert.deepInclude(rows[0]?.tournament, { name: "Winter Cup" })
        assert.deepStrictEqual(rows[0]?.team1, { slug: "north-wind", name: "North Wind", score: null })

        const set = (columns: string) => sql`UPDATE matches SET ${sql.literal(columns)} WHERE game = ${COD}`
        yield* set("status = 'live', started_at = now() - interval '59 seconds'")
        assert.deepStrictEqual(yield* states, ["cod-match-1002 scheduled"])
        yield* set("started_at = now() - interval '61 seconds'")
        assert.deepStrictEqual(yield* states, ["cod-match-1002 live"])
        yield* set("status = 'completed', ended_at = now() - interval '59 seconds'")
        assert.deepStrictEqual(yield* states, ["cod-match-1002 live"])
        yield* set("ended_at = now() - interval '61 seconds'")
        assert.deepStrictEqual(yield* states, [])
        const schedule = yield* archive.schedule(true, {}, { limit: 10, offset: 0 })
        assert.deepStrictEqual(schedule, { total: 0, rows: [] })
      }),
    )
  })
})
