/**
 * Reconciles the scores that feeds report with the recorded rounds of a map. The score of the feed is authoritative. If
 * the feed lost the log lines that showed the sides, a recorded round may have been counted for the wrong team: then
 * the rounds and halves are corrected.
 */
import { halfOfRound, type MatchRules, onStartingSides, otherTeam, type Side, type TeamIndex } from "./rules.ts"
import type { GameMap, Round, RoundResult } from "./state.ts"

type Score = readonly [number, number]

export interface SettledRound {
  readonly ctTeam: TeamIndex
  readonly winnerTeam: TeamIndex
  readonly score: Score
  /** The map just before this round. Its recorded rounds are corrected if they do not agree with `score`. */
  readonly map: GameMap
}

/** The sides in a completed round, the score after it, and the map before it. `reported` is the feed's score, if any. */
export const settled = (
  map: GameMap,
  round: Pick<Round, "ctTeam" | "number">,
  winner: Side,
  reported: { readonly ct: number; readonly t: number } | undefined,
  rules: MatchRules,
): SettledRound => {
  const plain = onSides(map, round.ctTeam, winner, reported)
  if (!isBehind(plain.prior, map.score)) return { ...plain, map }
  // Either the sides of this round are wrong, or earlier rounds were counted for the wrong team. The sides required by
  // the rules are tried first.
  const ctByRules = onStartingSides(round.number, rules) ? map.startingCtTeam : otherTeam(map.startingCtTeam)
  if (ctByRules !== round.ctTeam) {
    const swapped = onSides(map, ctByRules, winner, reported)
    if (!isBehind(swapped.prior, map.score)) return { ...swapped, map }
  }
  return { ...plain, map: corrected(map, plain.prior, rules) }
}

/** A team has won fewer rounds in `score` than in `before`. */
export const isBehind = (score: Score, before: Score): boolean => score[0] < before[0] || score[1] < before[1]

/**
 * Corrects the recorded rounds when a new score gives a team fewer wins than were recorded. First, the newest rounds
 * are reassigned to the other team until the wins match the score. If that is impossible, the newest rounds are removed
 * until the rest match.
 */
export const corrected = (map: GameMap, score: Score, rules: MatchRules): GameMap => {
  const rounds = agreeing(map.rounds, score)
  const halves: Array<readonly [number, number]> = []
  const count = (half: number, one: number, two: number) => {
    while (halves.length < half) halves.push([0, 0])
    const [a, b] = halves[half - 1] ?? [0, 0]
    halves[half - 1] = [a + one, b + two]
  }
  const left: [number, number] = [score[0], score[1]]
  for (const { round, winnerTeam } of rounds) {
    count(halfOfRound(round, rules), winnerTeam === 0 ? 1 : 0, winnerTeam === 1 ? 1 : 0)
    left[winnerTeam] -= 1
  }
  // Rounds in the score that no feed reported are added to the half in which the last round was played.
  if (left[0] + left[1] > 0) count(halfOfRound(score[0] + score[1], rules), left[0], left[1])
  return { ...map, score, halves, rounds, roundsPlayed: Math.max(map.roundsPlayed, score[0] + score[1]) }
}

const agreeing = (rounds: ReadonlyArray<RoundResult>, score: Score): ReadonlyArray<RoundResult> => {
  const fits = ([one, two]: Score) => one <= score[0] && two <= score[1]
  const won: [number, number] = [0, 0]
  for (const { winnerTeam } of rounds) won[winnerTeam] += 1
  const kept: [number, number] = [won[0], won[1]]
  for (let from = rounds.length; from >= 0; from--) {
    if (fits(won)) return rounds.map((round, index) => (index < from ? round : { ...round, winnerTeam: otherTeam(round.winnerTeam) }))
    const next = rounds[from - 1]
    if (next === undefined) break
    won[next.winnerTeam] -= 1
    won[otherTeam(next.winnerTeam)] += 1
  }
  let length = rounds.length
  while (!fits(kept) && length > 0) {
    length -= 1
    const last = rounds[length]
    if (last !== undefined) kept[last.winnerTeam] -= 1
  }
  return rounds.slice(0, length)
}

const onSides = (map: GameMap, ctTeam: TeamIndex, winner: Side, reported: { readonly ct: number; readonly t: number } | undefined) => {
  const winnerTeam = winner === "CT" ? ctTeam : otherTeam(ctTeam)
  const plusOne = (score: Score, change: number): Score =>
    winnerTeam === 0 ? [score[0] + change, score[1]] : [score[0], score[1] + change]
  const score: Score = reported === undefined ? plusOne(map.score, 1) : ctTeam === 0 ? [reported.ct, reported.t] : [reported.t, reported.ct]
  return { ctTeam, winnerTeam, score, prior: plusOne(score, -1) }
}
