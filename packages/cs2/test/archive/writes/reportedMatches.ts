/** Matches as reported by sources, for tests of writing. */
import type { ArchivedGame, ArchivedMatch, ArchivedPlayerStats, PlayerRef } from "../../../src/rules/archive/ArchivedMatch.ts"

export const DAY = 86_400_000
export const JANUARY = Date.UTC(2026, 0, 10, 12)

export const five = (prefix: string): ReadonlyArray<PlayerRef> =>
  ["one", "two", "three", "four", "five"].map((name) => ({ nickname: `${prefix} ${name}` }))

/** Alpha won 2:1 against Bravo. Reported with all fields unless changed. */
export const reported = (change: Partial<ArchivedMatch> = {}): ArchivedMatch => ({
  source: "results",
  key: "m1",
  status: "completed",
  startsAt: JANUARY,
  startsPrecision: "minute",
  bestOf: 3,
  teams: [{ name: "Alpha" }, { name: "Bravo" }],
  event: { name: "Winter Cup 2026" },
  score: [2, 1],
  lineups: [five("a"), five("b")],
  games: [],
  confidence: "high",
  ...change,
})

export const line = (player: PlayerRef, team: 0 | 1, change: Partial<ArchivedPlayerStats> = {}): ArchivedPlayerStats => ({
  player,
  team,
  rounds: 20,
  kills: 15,
  deaths: 14,
  assists: 3,
  adr: 80,
  kast: 0.7,
  rating: 1,
  ...change,
})

/** A map won 13:7 by the first team. */
export const game = (mapNumber: number, map: string, change: Partial<ArchivedGame> = {}): ArchivedGame => ({
  mapNumber,
  map,
  resultType: "played",
  score: [13, 7],
  lines: [],
  rounds: [],
  events: [],
  ...change,
})

export const linesOf = (a: ReadonlyArray<PlayerRef>, b: ReadonlyArray<PlayerRef>): ReadonlyArray<ArchivedPlayerStats> => [
  ...a.map((player) => line(player, 0)),
  ...b.map((player) => line(player, 1)),
]

/** Returns the same match as reported by a source that lists the teams in the opposite order. */
export const mirrored = (match: ArchivedMatch): ArchivedMatch => ({
  ...match,
  teams: [match.teams[1], match.teams[0]],
  lineups: [match.lineups[1], match.lineups[0]],
  score: match.score && [match.score[1], match.score[0]],
  winner: match.winner === undefined ? undefined : other(match.winner),
  games: match.games.map((map) => ({
    ...map,
    score: map.score && [map.score[1], map.score[0]],
    winner: map.winner === undefined ? undefined : other(map.winner),
    lines: map.lines.map((of) => ({ ...of, team: other(of.team) })),
    rounds: map.rounds.map((round) => ({ ...round, ct: other(round.ct), score: [round.score[1], round.score[0]] })),
  })),
})

const other = (slot: 0 | 1): 0 | 1 => (slot === 0 ? 1 : 0)
