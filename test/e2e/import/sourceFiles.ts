/**
 * Small files of three sources, in the forms that made a repeated import change rows: a player whose handle three
 * others share, dates on which two sources of equal confidence disagree, line-ups under one name that never played, and
 * a team in two regions.
 */
import { result } from "./resultFile.ts"

const page = { requested_at: "2026-03-01T12:00:00.000Z" }

const roster = (team: string) => ["a", "b", "c", "d", "e"].map((letter) => `${team}${letter}`)

const csv = (columns: string, rows: ReadonlyArray<ReadonlyArray<string | number>>) =>
  [columns, ...rows.map((row) => row.map((field) => (String(field).includes(",") ? `"${field}"` : field)).join(","))].join("\n")

const lineup = (team: string, change: Readonly<Record<number, string>> = {}) =>
  roster(team)
    .map((handle, index) => change[index] ?? handle)
    .join(", ")

const series = (date: string, one: string, other: string, winner: string, rosters: readonly [string, string]) => [
  date,
  one,
  other,
  winner,
  0,
  1,
  0,
  ...rosters,
]

const map = (opponent: string, day: string, event: string, result: string, order: number, name: string) => ({
  map_name: name,
  match_date: day,
  event_name: event,
  event_tier: "B",
  opponent_name: opponent,
  result,
  match_order: order,
})

/** Files by name. Values of `.json` files are written as JSON. */
export const sourceFiles: Readonly<Record<string, unknown>> = {
  "results-a.json": Array.from({ length: 12 }, (_, index) => result(index)),
  "matches_derived.csv": csv("date,team_a,team_b,winner,ordinal,snapshots,lan_win_seen,roster_a,roster_b", [
    // Two teams under one name, with no match for more than a year afterwards.
    series("2024-11-01", "Sedge", "Moor", "Moor", [lineup("s"), lineup("n")]),
    series("2024-11-02", "Sedge", "Fen", "Fen", [lineup("t"), lineup("g")]),
    // Three players with the handle PR.
    series("2026-02-10", "Heath", "Moor", "Heath", [lineup("h", { 0: "PR" }), lineup("m", { 0: "PR" })]),
    series("2026-02-11", "Brook", "Moor", "Brook", [lineup("b", { 0: "PR" }), lineup("m", { 0: "PR" })]),
    // The team pages date this match one day later.
    series("2026-02-20", "Heath", "Fen", "Fen", [lineup("h"), lineup("f")]),
    // Another team under the same name, and one without a line-up.
    series("2026-02-21", "Brook", "Fen", "Fen", [lineup("x"), lineup("f")]),
    series("2026-02-22", "Brook", "Heath", "Heath", ["", lineup("h")]),
  ]),
  "standings.csv": csv("date,series,region,rank,points,team,roster", [
    ["2026-02-25", "live", "global", 1, 1500, "Fen", lineup("f")],
    ["2026-02-25", "live", "europe", 1, 1500, "Fen", lineup("f")],
    ["2026-02-25", "live", "asia", 1, 1400, "Fen", lineup("f", { 4: "fx" })],
    // Line-ups that have not played. One of them has a name that matches either of two teams.
    ["2026-02-25", "live", "global", 4, 700, "Sedge", lineup("u")],
    ["2026-02-25", "live", "global", 2, 900, "Brook", lineup("y")],
    ["2026-02-25", "live", "global", 3, 800, "Brook", lineup("z")],
    ["2026-02-25", "live", "europe", 2, 900, "Brook", lineup("y")],
  ]),
  "prize_winnings.csv": csv("team,event_end_date,usd", [
    ["Brook", "2026-02-24", "1000"],
    ["Fen", "2026-02-24", "2500.50"],
  ]),
  "pages/manifest.json": { schema_version: "hltv-cs2-data.v1" },
  "pages/teams/index.json": {
    metadata: page,
    teams: [
      { hltv_id: 4, name: "Heath" },
      { hltv_id: 5, name: "Fen" },
      { hltv_id: 6, name: "Tarn" },
      // A team that the results contain under the site's number.
      { hltv_id: 103, name: "Grove Three" },
    ],
  },
  "pages/teams/4/players.json": { players: [{ player_name: "ha" }, { player_name: "hb" }] },
  "pages/teams/6/players.json": { players: [{ player_name: "PR" }, { player_name: "tarn one" }] },
  "pages/teams/4/recent-overall.json": {
    matches: [
      map("Fen", "2026-02-21", "Bog Open", "9 - 13", 2, "Mirage"),
      map("Fen", "2026-02-21", "Bog Open", "7 - 13", 1, "Nuke"),
      map("Brook", "2026-02-26", "Bog Open", "13 - 2", 1, "Nuke"),
    ],
  },
  "pages/calendar/upcoming.json": {
    matches: [
      {
        hltv_match_id: 77,
        event_name: "Bog Open",
        event_tier: "B",
        team1_hltv_id: 6,
        team1_name: "Tarn",
        team2_hltv_id: 5,
        team2_name: "Fen",
        match_format: "bo3",
        match_time: "2026-03-04T10:00:00.000Z",
        status: "upcoming",
      },
    ],
  },
}
