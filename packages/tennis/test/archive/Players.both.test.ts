/** Tests the reads of tennis players, matches and head-to-head records, and their summaries, on both databases. */
import { assert, layer } from "@effect/vitest"
import { Migrations } from "@matchpoint/games/Migrations"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TennisHeadToHeads } from "../../src/archive/h2h/TennisHeadToHeads.ts"
import type { MatchFilter } from "../../src/archive/matches/matchFilters.ts"
import { TennisMatchArchive } from "../../src/archive/matches/TennisMatchArchive.ts"
import { PlayerCareers } from "../../src/archive/players/PlayerCareers.ts"
import { PlayerDirectory } from "../../src/archive/players/PlayerDirectory.ts"
import { TennisSummaries } from "../../src/archive/summaries/TennisSummaries.ts"
import { TennisArchive } from "../../src/archive/TennisArchive.ts"
import { TennisArchiveWriter } from "../../src/archive/TennisArchiveWriter.ts"
import {
  ABLE,
  addMatches,
  BAKER,
  daysBefore,
  FEDERER,
  HENIN,
  insertTennisPlayers,
  matchLine,
  NADAL,
  UNLISTED,
} from "./fixtures/tennisPlayersSample.ts"

const sampled = Layer.effectDiscard(Effect.flatMap(Clock.currentTimeMillis, insertTennisPlayers))
const whole = { limit: 50, offset: 0 } as const

onDatabaseOfRun((name, database) => {
  const services = Layer.mergeAll(TennisArchive.layer, TennisSummaries.layer, TennisArchiveWriter.layer)
  const archive = sampled.pipe(Layer.provideMerge(services), Layer.provideMerge(Migrations.layer), Layer.provideMerge(database))

  layer(archive, { timeout: "60 seconds", excludeTestServices: true })(`tennis players on ${name}`, (it) => {
    it.effect("sums up careers without walkovers, unfinished matches and team finals", () =>
      Effect.gen(function* () {
        const careers = yield* PlayerCareers
        const { value: nadal } = yield* Effect.map(careers.stats(NADAL, { since: undefined }), some)
        assert.deepStrictEqual([nadal.matches, nadal.wins, nadal.losses, nadal.win_pct], [6, 4, 2, 66.7])
        assert.deepStrictEqual([nadal.walkovers_won, nadal.walkovers_lost, nadal.finals, nadal.titles], [1, 0, 4, 3])
        assert.deepStrictEqual(nadal.tiebreaks, { won: 0, lost: 4, win_pct: 0 })
        assert.deepStrictEqual(nadal.deciding_sets, { won: 1, lost: 1, win_pct: 50 })
        assert.strictEqual(nadal.statistics_matches, 2)
        assert.deepStrictEqual([nadal.serve?.aces, nadal.serve?.points, nadal.serve?.points_won], [14, 220, 140])
        assert.deepStrictEqual([nadal.return?.break_points, nadal.return?.break_points_converted], [15, 6])
        assert.deepStrictEqual(
          nadal.by_surface.map(({ surface, wins, losses }) => [surface, wins, losses]),
          [
            ["Grass", 3, 1],
            ["Clay", 1, 0],
            ["Hard", 0, 1],
            ["Carpet", 0, 0],
          ],
        )
        const { value: able } = yield* Effect.map(careers.stats(ABLE, { since: undefined }), some)
        assert.deepStrictEqual([able.titles, able.other_titles, able.finals, able.statistics_reason], [0, 1, 1, "not_recorded"])
        assert.deepStrictEqual(
          able.by_circuit.map(({ circuit, wins }) => [circuit, wins]),
          [
            ["tour", 2],
            ["qual_chall", 1],
          ],
        )
        const { value: old } = yield* Effect.map(careers.stats(ABLE, { since: undefined, yearTo: 1985 }), some)
        assert.deepStrictEqual([old.matches, old.statistics_reason, old.serve], [1, "before_statistics", null])
        const { value: none } = yield* Effect.map(careers.stats(ABLE, { since: undefined, surface: "Carpet" }), some)
        assert.deepStrictEqual([none.matches, none.statistics_reason, none.win_pct], [0, "no_matches", null])
      }),
    )

    it.effect("counts the same from matches as from the summary, and less for a shorter history", () =>
      Effect.gen(function* () {
        const careers = yield* PlayerCareers
        for (const id of [FEDERER, NADAL, ABLE, UNLISTED, HENIN, BAKER]) {
          const summed = yield* careers.stats(id, { since: undefined })
          assert.deepStrictEqual(yield* careers.stats(id, { since: "1800-01-01" }), summed)
        }
        const { value: profile } = yield* Effect.map(careers.profile(FEDERER, "2009-06-01"), some)
        assert.deepStrictEqual([profile.career.matches, profile.career.titles, profile.career_high?.rank], [1, 0, 3])
        const { value: unlimited } = yield* Effect.map(careers.profile(FEDERER, undefined), some)
        assert.deepStrictEqual(unlimited.career_high, { rank: 1, date: "2004-02-02" })
        assert.deepStrictEqual([unlimited.current_rank?.rank, unlimited.career.first_match], [3, "2007-06-25"])
        const { value: nadal } = yield* Effect.map(careers.profile(NADAL, "2009-06-01"), some)
        assert.deepStrictEqual([nadal.career_high, nadal.current_rank], [null, null])
      }),
    )

    it.effect("finds players by name, beginning, nickname and misspelling, and says why", () =>
      Effect.gen(function* () {
        const directory = yield* PlayerDirectory
        const first = (text: string) =>
          Effect.map(directory.search({ text, limit: 5, since: undefined }), ([hit]) =>
            hit === undefined ? undefined : [hit.id, hit.match],
          )
        assert.deepStrictEqual(yield* first("roger federer"), [FEDERER, "exact"])
        assert.deepStrictEqual(yield* first("Nadal"), [NADAL, "exact"])
        assert.deepStrictEqual(yield* first("nad"), [NADAL, "prefix"])
        assert.deepStrictEqual(yield* first("nad raf"), [NADAL, "prefix"])
        assert.deepStrictEqual(yield* first("Rafa"), [NADAL, "nickname"])
        assert.deepStrictEqual(yield* first("queen of clay"), [HENIN, "nickname"])
        assert.deepStrictEqual(yield* first("fedrer"), [FEDERER, "fuzzy"])
        assert.deepStrictEqual(yield* first("zoe obaker"), [BAKER, "exact"])
        assert.deepStrictEqual(yield* first("able stone"), [ABLE, "exact"])
        assert.deepStrictEqual(yield* first("dale"), [UNLISTED, "exact"])
        assert.isUndefined(yield* first("%"))
        assert.isUndefined(yield* first("qqqqqq"))
        const women = yield* directory.search({ text: "r", tour: "wta", limit: 5, since: undefined })
        assert.deepStrictEqual(women, [])
      }),
    )

    it.effect("lists players in every order, by page and by cursor", () =>
      Effect.gen(function* () {
        const directory = yield* PlayerDirectory
        const idsOf = (filter: Omit<Parameters<typeof directory.list>[0], "limit" | "offset" | "since">) =>
          Effect.map(directory.list({ ...whole, ...filter, since: undefined }), ({ rows, total }) => {
            assert.strictEqual(rows.length, total)
            return rows.map(({ id }) => id)
          })
        assert.deepStrictEqual((yield* idsOf({ order: "fame" })).slice(0, 2), [HENIN, FEDERER])
        assert.deepStrictEqual((yield* idsOf({ order: "rank" })).slice(0, 2), [HENIN, FEDERER])
        assert.deepStrictEqual((yield* idsOf({ order: "name" })).slice(0, 2), [ABLE, UNLISTED])
        assert.deepStrictEqual((yield* idsOf({ order: "matches", tour: "wta" })).toSorted(), [HENIN, BAKER].toSorted())
        assert.deepStrictEqual(yield* idsOf({ order: "fame", text: "fed" }), [FEDERER])
        for (const order of ["fame", "rank", "name", "matches"] as const) {
          const all = yield* idsOf({ order })
          const walked: Array<string> = []
          let cursor: string | undefined
          do {
            const page = yield* directory.list({ limit: 2, offset: 0, cursor, order, since: undefined })
            walked.push(...page.rows.map(({ id }) => id))
            cursor = page.next ?? undefined
          } while (cursor !== undefined)
          assert.deepStrictEqual(walked, all)
        }
      }),
    )

    it.effect("filters matches, with totals that agree with the rows", () =>
      Effect.gen(function* () {
        const matches = yield* TennisMatchArchive
        const filters: ReadonlyArray<readonly [MatchFilter, number]> = [
          [{}, 14],
          [{ tour: "wta" }, 2],
          [{ playerId: NADAL }, 7],
          [{ playerId: NADAL, opponentId: FEDERER }, 5],
          [{ playerId: NADAL, surface: "Grass" }, 4],
          [{ playerId: NADAL, round: "F" }, 5],
          [{ year: 2008 }, 5],
          [{ year: 2008, surface: "Grass", round: "SF" }, 2],
          [{ level: "C" }, 1],
          [{ circuit: "qual_chall" }, 1],
          [{ circuit: "qual_chall", level: "G" }, 0],
          [{ tournament: "atp_2008-540" }, 3],
          [{ tournament: "atp_540" }, 4],
          [{ tournament: "wimbledon", round: "F" }, 2],
          [{ tournament: "wta_520" }, 2],
          [{ tournament: "nowhere" }, 0],
          [{ since: "2008-10-01" }, 6],
        ]
        for (const [filter, expected] of filters) {
          const { rows, total } = yield* matches.list(filter, whole)
          assert.deepStrictEqual([rows.length, total], [expected, expected], JSON.stringify(filter))
        }
        const { rows } = yield* matches.list({ tournament: "atp_2008-540" }, whole)
        assert.deepStrictEqual(
          rows.map(({ round }) => round),
          ["F", "SF", "SF"],
        )
      }),
    )

    it.effect("lists the latest results and those of a day", () =>
      Effect.gen(function* () {
        const matches = yield* TennisMatchArchive
        const now = yield* Clock.currentTimeMillis
        const recent = yield* matches.recent(undefined, undefined, whole)
        assert.deepStrictEqual(
          recent.rows.map(({ tournament }) => tournament.name),
          ["Gstaad", "Halle"],
        )
        const day = daysBefore(now, 8)
        const limited = yield* matches.recent(undefined, `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`, whole)
        assert.strictEqual(limited.total, 1)
        assert.strictEqual((yield* matches.recent("wta", undefined, whole)).total, 1)
        const results = Effect.fnUntraced(function* (on: string) {
          const { total, withoutDay } = yield* matches.completed(on, whole)
          return [total, withoutDay]
        })
        assert.deepStrictEqual(
          [yield* results("2008-06-23"), yield* results("2008-06-24")],
          [
            [0, 3],
            [0, 0],
          ],
        )
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE tennis_matches SET date_source = 'sample' WHERE match_date = '2008-06-23' AND round = 'F'`
        assert.deepStrictEqual(yield* results("2008-06-23"), [1, 2])
        yield* sql`UPDATE tennis_matches SET date_source = NULL WHERE match_date = '2008-06-23'`
      }),
    )

    it.effect("shows set lines and statistics of a match, or why it has none", () =>
      Effect.gen(function* () {
        const matches = yield* TennisMatchArchive
        const { value: final } = yield* Effect.map(matches.find("atp-tour-2007-540-127"), some)
        assert.deepStrictEqual(final.set_lines[0], { set: 1, winner_games: 7, loser_games: 6, tiebreak_points: 7, won_by: "winner" })
        assert.deepStrictEqual(
          final.set_lines.map(({ won_by }) => won_by),
          ["winner", "loser", "winner", "loser", "winner"],
        )
        assert.deepStrictEqual(final.statistics?.winner.serve, {
          aces: 10,
          double_faults: 2,
          points: 100,
          points_won: 70,
          points_won_pct: 70,
          first_in: 60,
          first_in_pct: 60,
          first_won: 48,
          first_won_pct: 80,
          second_points: 40,
          second_won: 22,
          second_won_pct: 55,
          games: 15,
          games_won: 13,
          games_won_pct: 86.7,
          break_points_faced: 5,
          break_points_saved: 3,
          break_points_saved_pct: 60,
        })
        assert.deepStrictEqual(final.statistics?.winner.return, {
          points: 120,
          points_won: 50,
          points_won_pct: 41.7,
          first_points: 70,
          first_won: 25,
          first_won_pct: 35.7,
          second_points: 50,
          second_won: 25,
          second_won_pct: 50,
          games: 15,
          games_won: 4,
          games_won_pct: 26.7,
          break_points: 10,
          break_points_converted: 4,
          break_points_converted_pct: 40,
        })
        const reasons = [
          ["atp-tour-2008-352-40", "walkover"],
          ["atp-tour-1980-1-3", "before_statistics"],
          ["atp-tour-2008-540-127", "not_recorded"],
          ["atp-qual_chall-2009-77-31", "before_statistics"],
        ] as const
        for (const [id, reason] of reasons) {
          const { value: match } = yield* Effect.map(matches.find(id), some)
          assert.deepStrictEqual([match.statistics, match.statistics_reason], [null, reason], id)
        }
        const { value: retired } = yield* Effect.map(matches.find("atp-tour-2008-540-124"), some)
        assert.deepStrictEqual(
          retired.set_lines.map(({ won_by }) => won_by),
          ["winner", null],
        )
      }),
    )

    it.effect("reads the meetings and wins of players", () =>
      Effect.gen(function* () {
        const headToHeads = yield* TennisHeadToHeads
        const meetings = yield* headToHeads.meetings(FEDERER, NADAL, { since: undefined })
        assert.deepStrictEqual(
          meetings.map(({ match }) => [match.date, match.status]),
          [
            ["2009-01-01", "completed"],
            ["2008-10-27", "walkover"],
            ["2008-06-23", "completed"],
            ["2008-05-25", "completed"],
            ["2007-06-25", "completed"],
          ],
        )
        assert.strictEqual((yield* headToHeads.meetings(FEDERER, NADAL, { since: undefined, yearFrom: 2008, yearTo: 2008 })).length, 3)
        assert.strictEqual((yield* headToHeads.meetings(FEDERER, NADAL, { since: undefined, surface: "Grass", level: "G" })).length, 2)
        const wins = yield* headToHeads.wins([FEDERER, NADAL, ABLE], undefined)
        const over = (one: string, other: string) => wins.find(({ loserId, winnerId }) => winnerId === one && loserId === other)?.wins
        assert.deepStrictEqual([over(FEDERER, NADAL), over(NADAL, FEDERER), over(NADAL, ABLE), over(ABLE, NADAL)], [2, 2, 1, undefined])
      }),
    )

    // The last test, because it adds matches.
    it.effect("walks a list once while matches arrive, and updates summaries as a rebuild does", () =>
      Effect.gen(function* () {
        const matches = yield* TennisMatchArchive
        const { rebuild, update } = yield* TennisSummaries
        const before = (yield* matches.list({}, whole)).rows.map(({ id }) => id)
        const walked: Array<string> = []
        let cursor: string | undefined
        let number = 500
        do {
          const page = yield* matches.list({}, { limit: 3, offset: 0, cursor })
          walked.push(...page.rows.map(({ id }) => id))
          cursor = page.next ?? undefined
          number += 1
          yield* addMatches([matchLine({ ...arriving, number })], "atp", "tour")
          yield* update({ tour: "atp", tournamentId: arriving.tournament, year: 2024, playerIds: [UNLISTED, ABLE] })
          // A second final turns a tournament into a team competition, which takes the title from other players.
          yield* addMatches([matchLine({ ...arriving, tournament: "2008-520", date: "20080525", number })], "atp", "tour")
          yield* update({ tour: "atp", tournamentId: "2008-520", year: 2008, playerIds: [UNLISTED, ABLE] })
        } while (cursor !== undefined)
        assert.deepStrictEqual(
          walked.filter((id) => before.includes(id)),
          before,
        )
        assert.strictEqual(new Set(walked).size, walked.length)
        const updated = yield* summaryRows
        yield* rebuild
        assert.deepStrictEqual(updated, yield* summaryRows)
      }),
    )
  })
})

const arriving = {
  name: "Newport",
  surface: "Grass",
  level: "A",
  tournament: "2024-315",
  date: "20241230",
  winner: UNLISTED,
  loser: ABLE,
  score: "6-4 6-4",
  round: "F",
} as const

const summaryRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = ["tennis_player_years", "tennis_player_summaries", "tennis_player_totals", "tennis_match_counts"]
  return yield* Effect.forEach(tables, (table) => sql`SELECT to_jsonb(t)::text AS row FROM ${sql(table)} t ORDER BY 1`)
})

/** Requires a value. */
const some = <A>(option: { readonly _tag: "Some"; readonly value: A } | { readonly _tag: "None" }): { readonly value: A } => {
  if (option._tag === "None") throw new Error("nothing found")
  return option
}
