/** Tests the rows of the simulated tours: draws, scores, statistics and rankings agree with each other. */
import { assert, describe, it } from "@effect/vitest"
import { parseScore } from "../../../src/rules/archive/score.ts"
import type { ArchiveLines } from "../../../src/simulator/season/archiveLines.ts"
import { simulateTour } from "../../../src/simulator/season/tour.ts"

const now = Date.parse("2026-11-25T12:00:00Z")
const listsAt = (moment: number, seed = 1) => [...simulateTour({ seed, now: moment })]
const lists = listsAt(now)

type Row = Readonly<Record<string, string>>

const rowsOf = ({ header, lines }: ArchiveLines): ReadonlyArray<Row> => {
  const names = header.split(",")
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, index) => [names[index] ?? "", cell])))
}
const tablesOf = (kind: ArchiveLines["kind"], from = lists) =>
  from.filter((list) => list.kind === kind).map((list) => ({ tour: list.tour, rows: rowsOf(list) }))

const tournaments = tablesOf("matches")
const matches = tournaments.flatMap(({ rows }) => rows)
const number = (row: Row, name: string) => Number(row[name] || Number.NaN)
const isPlayed = ({ score }: Row) => score !== "W/O"

const sizes: Readonly<Record<string, number>> = { R64: 64, R32: 32, R16: 16, QF: 8, SF: 4, F: 2 }

const isLegalSet = (winner: number, loser: number, tiebreak: number | null) => {
  const [high, low] = [Math.max(winner, loser), Math.min(winner, loser)]
  if (tiebreak !== null) return high === 7 && low === 6
  return (high === 6 && low <= 4) || (high === 7 && low === 5)
}

describe("simulateTour", () => {
  it("gives the same tours for the same seed and day, and others for another seed", () => {
    assert.deepStrictEqual(listsAt(now + 3_600_000), lists)
    assert.notDeepEqual(listsAt(now, 2), lists)
  })

  it("has two seasons of tournaments of each tour, the last of which are in progress", () => {
    for (const tour of ["atp", "wta"] as const) {
      const own = tournaments.filter((tournament) => tournament.tour === tour)
      assert.lengthOf(own, 52)
      assert.strictEqual(new Set(own.map(({ rows }) => rows[0]?.tourney_id)).size, 52)
      const finals = own.map(({ rows }) => rows.filter(({ round }) => round === "F").length)
      assert.deepStrictEqual(finals, [...new Array<number>(51).fill(1), 0])
      const levels = new Set(own.flatMap(({ rows }) => rows.map(({ tourney_level }) => tourney_level)))
      assert.deepStrictEqual([...levels].sort(), tour === "atp" ? ["A", "G", "M"] : ["G", "I", "P", "PM"])
    }
    assert.isTrue(matches.every(({ tourney_name }) => tourney_name?.endsWith("(simulated)")))
  })

  it("has a tournament in progress on every day of the week and in every season, without matches in the future", () => {
    // 19 days are no multiple of a week or a fortnight.
    for (let day = 0; day < 380; day += 19) {
      const at = now - day * 86_400_000
      const today = new Date(at).toISOString().slice(0, 10).replaceAll("-", "")
      const last = tablesOf("matches", [...simulateTour({ seed: 1, now: at, seasons: 1 })]).slice(-2)
      for (const { rows } of last) {
        assert.isAbove(rows.length, 0, today)
        assert.isFalse(
          rows.some(({ round, tourney_date = "" }) => round === "F" || tourney_date > today),
          today,
        )
      }
    }
  }, 60_000)

  it("lets every loser leave the draw and every winner play the next round", () => {
    for (const { rows } of tournaments.filter((_, index) => index < tournaments.length - 2)) {
      const losers = rows.map(({ loser_id }) => loser_id)
      assert.strictEqual(new Set(losers).size, losers.length)
      const players = new Set(rows.flatMap(({ loser_id, winner_id }) => [loser_id, winner_id]))
      assert.strictEqual(rows.length, players.size - 1)
      for (const { match_num, round = "", winner_id } of rows) {
        if (round === "F") continue
        const next = rows.find((row) => number(row, "match_num") > Number(match_num) && [row.winner_id, row.loser_id].includes(winner_id))
        assert.strictEqual(sizes[next?.round ?? ""], (sizes[round] ?? 0) / 2)
      }
    }
  })

  it("draws seeds apart, gives byes to seeds only, and has all kinds of entries", () => {
    for (const { rows } of tournaments) {
      const first = rows[0]?.draw_size === "64" ? "R64" : "R32"
      const opening = rows.filter(({ round }) => round === first)
      assert.isFalse(opening.some(({ loser_seed, winner_seed }) => loser_seed !== "" && winner_seed !== ""))
      const all = rows.flatMap(({ loser_entry, loser_id, loser_seed, round, winner_entry, winner_id, winner_seed }) => [
        { id: winner_id, seed: winner_seed, entry: winner_entry, round },
        { id: loser_id, seed: loser_seed, entry: loser_entry, round },
      ])
      const openers = new Set(all.flatMap(({ id, round }) => (round === first ? [id] : [])))
      const isOpeningOver = opening.length === Number(rows[0]?.draw_size) / 2
      if (isOpeningOver) assert.isTrue(all.every(({ id, seed }) => seed !== "" || openers.has(id)))
    }
    const entries = new Set(matches.map(({ winner_entry }) => winner_entry))
    assert.deepStrictEqual([...entries].sort(), ["", "LL", "Q", "WC"])
  })

  it("has legal scores that agree with the format, with retirements and walkovers", () => {
    const endings = new Map<string, number>()
    for (const { best_of, score = "" } of matches) {
      const { ending, problem, sets } = parseScore(score, { bestOf: null, year: 2025 })
      endings.set(ending, (endings.get(ending) ?? 0) + 1)
      assert.isNull(problem, score)
      const won = sets.filter(({ loser, tiebreak, winner }) => winner > loser && isLegalSet(winner, loser, tiebreak)).length
      if (ending === "completed") {
        assert.isTrue(
          sets.every(({ loser, tiebreak, winner }) => isLegalSet(winner, loser, tiebreak)),
          score,
        )
        assert.strictEqual(won, (Number(best_of) + 1) / 2, score)
        const [last] = sets.slice(-1)
        assert.isTrue(last !== undefined && last.winner > last.loser, score)
      } else if (ending === "retired") {
        const isLegal = sets.slice(0, -1).every(({ loser, tiebreak, winner }) => isLegalSet(winner, loser, tiebreak))
        assert.isTrue(isLegal && sets.length > 0 && won < (Number(best_of) + 1) / 2, score)
      } else assert.lengthOf(sets, 0)
    }
    assert.deepStrictEqual([...endings.keys()].sort(), ["completed", "retired", "walkover"])
  })

  it("has statistics that agree with the score and with each other", () => {
    for (const row of matches.filter(isPlayed)) {
      const of = (name: string) => number(row, name)
      const { sets } = parseScore(row.score ?? "", { bestOf: null, year: 2025 })
      const games = sets.reduce((sum, { loser, winner }) => sum + winner + loser, 0)
      const tieBreaks = sets.filter(({ tiebreak }) => tiebreak !== null).length
      assert.strictEqual(of("w_SvGms") + of("l_SvGms"), games - tieBreaks)
      const wonByWinner = sets.reduce((sum, { winner }) => sum + winner, 0)
      const tieBreaksWon = sets.filter(({ loser, tiebreak, winner }) => tiebreak !== null && winner > loser).length
      const broken = (side: string) => of(`${side}_bpFaced`) - of(`${side}_bpSaved`)
      assert.strictEqual(of("w_SvGms") - broken("w") + broken("l") + tieBreaksWon, wonByWinner)
      for (const side of ["w", "l"]) {
        assert.isAtMost(of(`${side}_1stIn`), of(`${side}_svpt`))
        assert.isAtMost(of(`${side}_1stWon`), of(`${side}_1stIn`))
        assert.isAtMost(of(`${side}_2ndWon`), of(`${side}_svpt`) - of(`${side}_1stIn`) - of(`${side}_df`))
        assert.isAtMost(of(`${side}_ace`), of(`${side}_1stWon`))
        assert.isAtLeast(broken(side), 0)
      }
      assert.isAbove(of("minutes"), 0)
    }
    assert.isTrue(matches.filter((row) => !isPlayed(row)).every(({ minutes, w_svpt }) => w_svpt === "" && minutes === ""))
  })

  it("has averages of real tours", () => {
    for (const [tour, aces, firstWon] of [
      ["atp", 0.077, 0.716],
      ["wta", 0.037, 0.634],
    ] as const) {
      const rows = tournaments.filter((tournament) => tournament.tour === tour).flatMap(({ rows: own }) => own.filter(isPlayed))
      const sum = (name: string) => rows.reduce((total, row) => total + number(row, `w_${name}`) + number(row, `l_${name}`), 0)
      assert.closeTo(sum("ace") / sum("svpt"), aces, 0.012)
      assert.closeTo(sum("1stWon") / sum("1stIn"), firstWon, 0.02)
    }
  })

  it("ranks every player once per Monday, by the points of the last 52 weeks", () => {
    const rankings = tablesOf("rankings")
    assert.lengthOf(rankings, 2 * 103)
    const first = new Map<string, Set<string | undefined>>()
    for (const { rows, tour } of rankings) {
      assert.strictEqual(new Date(`${rows[0]?.ranking_date?.replace(/(....)(..)(..)/u, "$1-$2-$3")}T00:00:00Z`).getUTCDay(), 1)
      assert.deepStrictEqual(
        rows.map(({ rank }) => Number(rank)),
        rows.map((_, index) => index + 1),
      )
      assert.strictEqual(new Set(rows.map(({ player }) => player)).size, 100)
      const points = rows.map((row) => number(row, "points"))
      assert.deepStrictEqual(
        points,
        [...points].sort((a, b) => b - a),
      )
      first.set(tour, (first.get(tour) ?? new Set()).add(rows[0]?.player))
    }
    // The lead changes, and a good player keeps it for a while.
    for (const leaders of first.values()) assert.isTrue(leaders.size > 1 && leaders.size < 15)
    const last = rankings.at(-1)?.rows ?? []
    const places = new Map(last.map(({ player, rank }) => [player, rank]))
    for (const { winner_id, winner_rank } of tournaments.at(-1)?.rows ?? []) assert.strictEqual(winner_rank, places.get(winner_id ?? ""))
  })
})
