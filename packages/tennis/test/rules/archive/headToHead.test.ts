import { assert, it } from "@effect/vitest"
import { countMeetings, type Meeting, matrixOf } from "../../../src/rules/archive/headToHead.ts"

const meeting = (winnerId: string, changes: Partial<Meeting> = {}): Meeting => ({
  winnerId,
  year: 2008,
  surface: "Clay",
  level: "M",
  circuit: "tour",
  isFinal: false,
  status: "completed",
  ...changes,
})

it("counts meetings in total and by surface, level and year, without walkovers and unfinished matches", () => {
  const counts = countMeetings("a", [
    meeting("a"),
    meeting("b", { surface: "Grass", level: "G", isFinal: true, year: 2009 }),
    meeting("b", { surface: null, circuit: "futures", level: null, status: "retired" }),
    meeting("a", { status: "walkover" }),
    meeting("b", { status: "unfinished" }),
  ])
  assert.deepStrictEqual(counts, {
    matches: 3,
    player1_wins: 1,
    player2_wins: 2,
    walkovers: 1,
    main_tour: { player1_wins: 1, player2_wins: 1 },
    finals: { player1_wins: 0, player2_wins: 1 },
    grand_slams: { player1_wins: 0, player2_wins: 1 },
    by_surface: [
      { surface: "Clay", player1_wins: 1, player2_wins: 0 },
      { surface: "Grass", player1_wins: 0, player2_wins: 1 },
      { surface: null, player1_wins: 0, player2_wins: 1 },
    ],
    by_level: [
      { level: "M", player1_wins: 1, player2_wins: 0 },
      { level: "G", player1_wins: 0, player2_wins: 1 },
      { level: null, player1_wins: 0, player2_wins: 1 },
    ],
    by_year: [
      { year: 2009, player1_wins: 0, player2_wins: 1 },
      { year: 2008, player1_wins: 1, player2_wins: 1 },
    ],
  })
})

it("adds up a matrix and has every pair once", () => {
  const { pairs, totals } = matrixOf(
    ["a", "b", "c"],
    [
      { winnerId: "a", loserId: "b", wins: 3 },
      { winnerId: "b", loserId: "a", wins: 1 },
      { winnerId: "c", loserId: "a", wins: 2 },
    ],
  )
  assert.deepStrictEqual(totals, [
    { wins: 3, losses: 3 },
    { wins: 1, losses: 3 },
    { wins: 2, losses: 0 },
  ])
  assert.deepStrictEqual(
    pairs.map(({ player1_id, player1_wins, player2_id, player2_wins }) => [player1_id, player2_id, player1_wins, player2_wins]),
    [
      ["a", "b", 3, 1],
      ["a", "c", 0, 2],
      ["b", "c", 0, 0],
    ],
  )
})
