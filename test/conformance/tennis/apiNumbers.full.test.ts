/**
 * Compares responses of the API with numbers that are computed from the files of an archive without the import. An
 * excerpt of the recorded archive is imported into a database, and requested over a gateway.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { inject } from "vitest"
import { players } from "./publicNumbers.ts"
import { RecordedArchive, seasons } from "./RecordedArchive.ts"

const dataDirectory = inject("dataDirectory")

interface Wins {
  readonly player1_wins: number
  readonly player2_wins: number
}

interface HeadToHead extends Wins {
  readonly finals: Wins
  readonly by_surface: ReadonlyArray<{ readonly surface: string | null; readonly player1_wins: number; readonly player2_wins: number }>
  readonly meetings: ReadonlyArray<unknown>
}

interface DatedMatch {
  readonly date: string
  readonly date_is_tournament_start: boolean
  readonly date_source: string | null
}

interface Stats {
  readonly titles: number
  readonly by_surface: ReadonlyArray<{ readonly surface: string | null; readonly titles: number }>
}

interface BoardRow {
  readonly player: { readonly id: string }
  readonly value: number
}

interface HistoryMeta {
  readonly career: { readonly weeks_at_number_one: number; readonly career_high: { readonly rank: number } }
}

const sum = (counts: ReadonlyArray<number>) => counts.reduce((total, count) => total + count, 0)

describe.skipIf(dataDirectory === null)("publicly known numbers of tennis, from the API", () => {
  layer(RecordedArchive.layer(dataDirectory ?? ""), { timeout: "5 minutes", excludeTestServices: true })((it) => {
    it.effect("has the head-to-head records of famous pairs by surface", () =>
      Effect.gen(function* () {
        const { get, numbers } = yield* RecordedArchive
        for (const { played, playerIds, surfaces, wins } of numbers.headToHeads) {
          const [one, other] = playerIds
          const { data } = yield* get<HeadToHead>(`/tennis/h2h?player1_id=${one}&player2_id=${other}`)
          assert.deepStrictEqual([data.player1_wins, data.player2_wins], [...played], `${one} ${other}`)
          const winsOn = (side: "player1_wins" | "player2_wins") =>
            Object.fromEntries(data.by_surface.flatMap((row) => (row[side] === 0 ? [] : [[row.surface ?? "", row[side]]])))
          assert.deepStrictEqual([winsOn("player1_wins"), winsOn("player2_wins")], [...surfaces], `${one} ${other}`)
          assert.lengthOf(data.meetings, sum(wins))
        }
      }),
    )

    it.effect("counts the finals of famous pairs without team competitions", () =>
      Effect.gen(function* () {
        const { get, numbers } = yield* RecordedArchive
        for (const { finals, playerIds } of numbers.headToHeads) {
          const [one, other] = playerIds
          const { data } = yield* get<HeadToHead>(`/tennis/h2h?player1_id=${one}&player2_id=${other}`)
          assert.deepStrictEqual([data.finals.player1_wins, data.finals.player2_wins], [...finals], `${one} ${other}`)
        }
        const { data } = yield* get<HeadToHead>(`/tennis/h2h?player1_id=${players.djokovic}&player2_id=${players.nadal}`)
        assert.deepStrictEqual(data.finals, { player1_wins: 15, player2_wins: 13 })
      }),
    )

    it.effect("states that the days of the files are those of the tournaments, and lists no results by them", () =>
      Effect.gen(function* () {
        const { get } = yield* RecordedArchive
        const { data: finals } = yield* get<ReadonlyArray<DatedMatch>>(
          `/tennis/matches?player_id=${players.djokovic}&tournament=atp_2024-540&round=F`,
        )
        assert.deepStrictEqual(
          finals.map(({ date, date_is_tournament_start, date_source }) => [date, date_is_tournament_start, date_source]),
          [["2024-07-01", true, null]],
        )
        const { data, meta } = yield* get<ReadonlyArray<unknown>, { readonly matches_without_day: number }>(
          "/tennis/matches/completed?date=2024-07-01",
        )
        assert.lengthOf(data, 0)
        assert.isAbove(meta.matches_without_day, 0)
      }),
    )

    it.effect("filters head-to-head records by surface and years", () =>
      Effect.gen(function* () {
        const { get } = yield* RecordedArchive
        const of = (query: string) =>
          Effect.map(get<HeadToHead>(`/tennis/h2h?player1_id=${players.federer}&player2_id=${players.nadal}&${query}`), ({ data }) => [
            data.player1_wins,
            data.player2_wins,
          ])
        assert.deepStrictEqual(yield* of("surface=Clay"), [2, 14])
        // The finals of Wimbledon 2006, 2007 and 2008.
        assert.deepStrictEqual(yield* of("surface=Grass&level=G&year_from=2006&year_to=2008"), [2, 1])
        assert.deepStrictEqual(yield* of("year_from=2017&year_to=2017"), [4, 0])
      }),
    )

    it.effect("has the titles of champions by surface", () =>
      Effect.gen(function* () {
        const { get, numbers } = yield* RecordedArchive
        for (const { playerId, surfaces, total } of numbers.titles) {
          const { data } = yield* get<Stats>(`/tennis/players/${playerId}/stats`)
          const titles = data.by_surface.flatMap((row) => (row.titles === 0 ? [] : [[row.surface ?? "", row.titles]]))
          assert.deepStrictEqual([data.titles, Object.fromEntries(titles)], [total, surfaces], playerId)
        }
      }),
    )

    it.effect("lists the players with the most aces of a season", () =>
      Effect.gen(function* () {
        const { get, numbers } = yield* RecordedArchive
        for (const [tour, year] of seasons) {
          const { data: rows } = yield* get<ReadonlyArray<BoardRow>>(`/tennis/leaderboards/aces?tour=${tour}&year=${year}&limit=10`)
          const leaders = numbers.aces.find((one) => one.tour === tour && one.year === year)?.leaders ?? []
          const aces = new Map(leaders.map((leader) => [leader.playerId, leader.aces]))
          // Players with equal numbers may be in any order.
          const values = rows.map(({ value }) => value)
          const expected = leaders.slice(0, 10).map((leader) => leader.aces)
          assert.deepStrictEqual(values, expected, `${tour} ${year}`)
          const own = rows.map(({ player }) => aces.get(player.id))
          assert.deepStrictEqual(own, values, `${tour} ${year}`)
        }
      }),
    )

    it.effect("counts the ranking lists with a player at number one", () =>
      Effect.gen(function* () {
        const { get, numbers } = yield* RecordedArchive
        for (const { lists, playerId } of numbers.numberOnes) {
          const { meta } = yield* get<unknown, HistoryMeta>(`/tennis/rankings/history/${playerId}?limit=1`)
          assert.strictEqual(meta.career.weeks_at_number_one, lists, playerId)
          assert.strictEqual(meta.career.career_high.rank, 1, playerId)
        }
      }),
    )
  })
})
