/** Tests the archive row of a finished live match. */
import { assert, describe, it } from "@effect/vitest"
import { gameName, matchIdOf } from "@matchpoint/domain/ids"
import { computedColumns, doublesColumns, singlesColumns } from "../../../src/rules/archive/columns.ts"
import { isUnlinkedTournament, liveRow } from "../../../src/rules/archive/liveRow.ts"
import { editionId, playerId } from "../../../src/rules/live/registry.ts"
import { resultOf, type TennisResult } from "../../../src/rules/live/result.ts"
import { Script } from "../live/script.ts"

const id = matchIdOf(gameName("tennis"), 1001)
const known = (first: number, count = 1) => ({
  players: Array.from({ length: count }, (_, n) => ({ id: playerId("atp", first + n), name: `P${first + n}` })),
})
const base = resultOf(Script.started().set(1).games(0, 0).set(1).live)
const result: TennisResult = {
  ...base,
  sides: [known(1), known(2)],
  tournament: { ...base.tournament, editionId: editionId("atp", "2026-0580"), surface: "Hard", round: "QF" },
  startedAt: Date.UTC(2026, 0, 20, 23, 30),
  endedAt: Date.UTC(2026, 0, 21, 1, 0),
}

const columnsOf = (of: TennisResult, doubles = false) => {
  const row = liveRow(id, of, new Map([["atp_2", { hand: "L", heightCm: 180, country: "SUI", age: 24.5, rank: 7, rankPoints: 900 }]]))
  if (typeof row === "string") return assert.fail(row)
  const names = [...computedColumns, ...(doubles ? doublesColumns : singlesColumns).map(({ name }) => name)]
  assert.lengthOf(row.cells, names.length)
  return { row, columns: Object.fromEntries(names.map((name, index) => [name, row.cells[index]])) }
}

describe("the archive row of a live match", () => {
  it("has score, day, tournament, players and counters from the winner's view", () => {
    const { columns, row } = columnsOf(result)
    assert.deepInclude(row, { table: "tennis_matches", tournamentId: "2026-0580", date: "2026-01-20" })
    assert.deepInclude(columns, {
      match_id: "tennis-match-1001",
      circuit: "tour",
      match_date: "2026-01-20",
      date_source: "live",
      date_is_tournament_start: false,
      score: "6-0 6-2",
      ending: "completed",
      minutes: 90,
      round: "QF",
      winner_id: "atp_2",
      winner_name: "P2",
      winner_hand: "L",
      winner_rank: 7,
      loser_id: "atp_1",
      loser_hand: null,
      winner_aces: 0,
      winner_serve_games: 7,
      loser_serve_games: 7,
      winner_first_in: null,
      winner_seed: null,
    })
    assert.deepStrictEqual(
      [columns["winner_games"], columns["loser_games"]],
      [
        [6, 6],
        [0, 2],
      ],
    )
  })

  it("has no counters and no duration if they are not known", () => {
    const { columns } = columnsOf({ ...result, countsEveryPoint: false, wasInterrupted: true })
    assert.deepInclude(columns, { winner_aces: null, loser_break_points_faced: null, minutes: null })
    const walkover = columnsOf({ ...result, endReason: "walkover", score: "W/O", startedAt: null }).columns
    assert.deepInclude(walkover, { ending: "walkover", winner_serve_points: null, match_date: "2026-01-21", minutes: null })
    assert.deepStrictEqual(walkover["winner_games"], [])
  })

  it("stores pairs as doubles", () => {
    const pairs = [known(1, 2), known(11, 2)] as const
    const { columns, row } = columnsOf({ ...result, format: { ...result.format, doubles: true }, sides: pairs }, true)
    assert.strictEqual(row.table, "tennis_doubles_matches")
    assert.deepInclude(columns, { circuit: "doubles", winner1_id: "atp_11", winner2_id: "atp_12", loser2_name: "P2" })
  })

  it("gives matches without an edition a tournament of their own", () => {
    const { row } = columnsOf({ ...result, tournament: { ...result.tournament, editionId: null, name: "Café Open 2" } })
    assert.strictEqual(row.tournamentId, "2026-live-cafe-open-2")
    assert.isTrue(isUnlinkedTournament(row.tournamentId))
    for (const other of ["2026-0580", "2023-M-DC-live", "1968-live"]) assert.isFalse(isUnlinkedTournament(other), other)
  })

  it("is not made without a winner or without ids of all players", () => {
    assert.match(String(liveRow(id, { ...result, winner: null, score: null }, new Map())), /no winner/)
    const unknown = [{ players: [{ id: null, name: "x" }] }, known(2)] as const
    assert.match(String(liveRow(id, { ...result, sides: unknown }, new Map())), /id of a player/)
  })
})
