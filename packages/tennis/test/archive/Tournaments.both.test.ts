/** Tests the summaries of tournaments and the lists that read them, on both databases. */
import { assert, layer } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { OperationTimeout } from "@matchpoint/store/StoreError"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { competitions } from "../../src/archive/summaries/competitions.ts"
import { TennisSummaries } from "../../src/archive/summaries/TennisSummaries.ts"
import { tournamentCounts, tournaments } from "../../src/archive/summaries/tournaments.ts"
import { TennisArchive } from "../../src/archive/TennisArchive.ts"
import { TennisArchiveWriter } from "../../src/archive/TennisArchiveWriter.ts"
import { TournamentArchive } from "../../src/archive/tournaments/TournamentArchive.ts"
import { TournamentMatches } from "../../src/archive/tournaments/TournamentMatches.ts"
import { type SampleTournament, sampleTournaments, writeTournaments } from "./fixtures/tennisMatches.ts"

const tables = [tournaments, tournamentCounts, competitions].map(({ table }) => table)

/** All rows of the summaries as sorted JSON. */
const stored = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.forEach(tables, (table) => sql`SELECT to_jsonb(t)::text AS row FROM ${sql(table)} t ORDER BY 1`)
})

const weekly = (week: number, year = 2022): SampleTournament => ({
  ...{
    tour: "atp",
    circuit: "futures",
    id: `${year}-M-ITF-EGY-${String(week).padStart(2, "0")}A-${year}`,
    name: "M15 Cairo",
    surface: "Clay",
  },
  ...{ level: "15", date: `${year}01${String(week).padStart(2, "0")}`, matches: [["F", "a", "b"]] },
})

onDatabaseOfRun((name, database) => {
  const services = Layer.mergeAll(TennisArchive.layer, TennisArchiveWriter.layer, TennisSummaries.layer).pipe(
    Layer.provideMerge(Layer.provideMerge(Migrations.layer, database)),
    Layer.provide(Layer.succeed(OperationTimeout, Duration.days(365))),
  )

  layer(services, { timeout: "60 seconds" })(`tennis tournaments on ${name}`, (it) => {
    it.effect("has the same summaries whether they are rebuilt or updated match by match", () =>
      Effect.gen(function* () {
        yield* writeTournaments(sampleTournaments, true)
        const updated = yield* stored
        assert.isAbove(updated[0]?.length ?? 0, 7)
        yield* writeTournaments([])
        assert.deepStrictEqual(yield* stored, updated)
        yield* (yield* TennisArchiveWriter).prepare(() => Effect.void)
      }),
    )

    it.effect("joins tournaments with several codes or names to one competition", () =>
      Effect.gen(function* () {
        const archive = yield* TournamentArchive
        const { rows } = yield* archive.competitions({ limit: 10, offset: 0 })
        const brief = rows.map((row) => [
          row.id,
          row.tournaments,
          row.first_year,
          row.last_year,
          row.most_titles?.player.id,
          row.most_titles?.titles,
        ])
        assert.deepStrictEqual(brief.slice(0, 2), [
          ["atp_404", 3, 1988, 2019, "atp_1", 2],
          ["wta_rome", 2, 1999, 2024, "wta_2", 1],
        ])
        assert.sameMembers(
          rows.slice(2).map(({ id }) => id),
          ["atp_605", "atp_davis-cup", "wta_w15-cairo"],
        )
        const found = yield* archive.competitions({ limit: 10, offset: 0, text: "PALM spr" })
        assert.deepStrictEqual(
          found.rows.map(({ id, name: newest }) => [id, newest]),
          [["atp_404", "Indian Wells Masters"]],
        )
        assert.strictEqual((yield* archive.competitions({ limit: 10, offset: 0, text: "ro" })).total, 1)
        assert.strictEqual((yield* archive.competitions({ limit: 10, offset: 0, text: "%" })).total, 0)
        const recent = yield* archive.competitions({ limit: 10, offset: 0, from: "2019-01-01", tour: "atp" })
        assert.deepStrictEqual(
          recent.rows.map(({ id, most_titles, tournaments: count }) => [id, count, most_titles?.titles]),
          [
            ["atp_404", 1, 1],
            ["atp_davis-cup", 1, undefined],
            ["atp_605", 1, undefined],
          ],
        )
      }),
    )

    it.effect("filters the list, and counts what it lists", () =>
      Effect.gen(function* () {
        const archive = yield* TournamentArchive
        const expectations = [
          [{ tour: "wta" }, 3],
          [{ tier: "masters" }, 3],
          [{ level: "M", year: 2018 }, 1],
          [{ surface: "Carpet" }, 1],
          [{ country: "EGY" }, 1],
          [{ text: "indian" }, 3],
          [{ from: "2019-11-01" }, 4],
          [{ tour: "atp", tier: "team" }, 1],
          [{ year: 1950 }, 0],
        ] as const
        for (const [filter, expected] of expectations) {
          const { rows, total } = yield* archive.list({ limit: 1, offset: 0, order: "newest", ...filter })
          assert.deepStrictEqual([total, rows.length], [expected, Math.min(1, expected)], JSON.stringify(filter))
        }
      }),
    )

    it.effect("reads a tournament with its outcome and its verified end", () =>
      Effect.gen(function* () {
        const archive = yield* TournamentArchive
        const sql = yield* SqlClient.SqlClient
        const found = yield* archive.find("atp_2018-M006")
        assert.deepStrictEqual([found?.competitionId, found?.startsOn, found?.details.matches], ["atp_404", "2018-03-08", 4])
        assert.deepStrictEqual(found?.details.circuits, ["qual_chall", "tour"])
        assert.deepStrictEqual(
          [found?.details.champion?.name, found?.details.finalist?.id, found?.details.final_score],
          ["Player a", "atp_3", "7-6(5) 6-7(3) 6-3"],
        )
        assert.deepStrictEqual([found?.details.ends_on, found?.details.ends_on_reason], [null, "day_not_verified"])
        assert.strictEqual((yield* archive.find("atp_404"))?.id, "atp_2019-0404")
        assert.isUndefined(yield* archive.find("atp_999"))
        yield* sql`UPDATE tennis_matches SET match_date = '2018-03-18', date_source = 'live'
          WHERE tournament_id = '2018-M006' AND round = 'F'`
        yield* (yield* TennisSummaries).update({ tour: "atp", tournamentId: "2018-M006", year: 2018, playerIds: [] })
        const verified = yield* archive.find("atp_2018-M006")
        assert.deepStrictEqual([verified?.details.starts_on, verified?.details.ends_on], ["2018-03-08", "2018-03-18"])
        const rounds = yield* (yield* TournamentMatches).schedule({ tour: "atp", tournamentId: "2018-M006" }, { limit: 10, offset: 0 })
        assert.deepStrictEqual(
          rounds.rows.map(({ date, round }) => `${date} ${round}`),
          ["2018-03-08 Q1", "2018-03-08 SF", "2018-03-08 SF", "2018-03-18 F"],
        )
      }),
    )

    it.effect("walks the lists by cursor while tournaments and matches are added", () =>
      Effect.gen(function* () {
        const archive = yield* TournamentArchive
        const matches = yield* TournamentMatches
        yield* writeTournaments(Array.from({ length: 12 }, (_, index) => weekly(index + 1)))
        const ids: Array<string> = []
        let cursor: string | undefined
        let added = 0
        do {
          const page = yield* archive.list({ limit: 5, offset: 0, cursor, order: "newest", year: 2022 })
          ids.push(...page.rows.map(({ id }) => id))
          cursor = page.next ?? undefined
          added += 1
          yield* writeTournaments([weekly(20 + added)], true)
        } while (cursor !== undefined)
        assert.deepStrictEqual(
          ids,
          Array.from({ length: 12 }, (_, index) => `atp_${weekly(12 - index).id}`),
        )
        const sameYear = yield* archive.inYear("atp_m15-cairo", 2022)
        assert.deepStrictEqual([sameYear.length, sameYear[0]?.startsOn], [15, "2022-01-23"])
        assert.deepStrictEqual(yield* archive.years("atp_m15-cairo", undefined), [2022])
        const day: Array<string> = []
        const [first, ...more] = Array.from({ length: 7 }, (_, index) => ({
          ...weekly(index + 1, 2023),
          date: "20230102",
          daySource: "sample",
        }))
        yield* writeTournaments(more)
        let next: string | undefined
        do {
          const page = yield* matches.ofDay({ day: "2023-01-02", limit: 2, offset: 0, cursor: next })
          day.push(...page.rows.map(({ tournament }) => tournament.id))
          next = page.next ?? undefined
          if (first !== undefined) yield* writeTournaments([first], true)
        } while (next !== undefined)
        assert.deepStrictEqual(
          day,
          more.map(({ id }) => `atp_${id}`),
        )
      }),
    )

    it.effect("separates matches with days from tournaments with a start", () =>
      Effect.gen(function* () {
        const archive = yield* TournamentArchive
        const matches = yield* TournamentMatches
        const brief = Effect.fnUntraced(function* (day: string, tour?: "atp" | "wta") {
          const found = yield* matches.ofDay({ day, tour, limit: 10, offset: 0 })
          return [found.rows.map(({ id }) => id), (yield* archive.startingOn(day, tour)).map(({ id }) => id)]
        })
        assert.deepStrictEqual(yield* brief("1988-02-15"), [[], ["atp_1988-404"]])
        assert.deepStrictEqual(yield* brief("1988-02-15", "wta"), [[], []])
        const [may] = yield* brief("2024-05-06")
        assert.strictEqual(may?.length, 3)
        assert.deepStrictEqual(yield* brief("2024-05-06", "atp"), [[], []])
      }),
    )
  })
})
