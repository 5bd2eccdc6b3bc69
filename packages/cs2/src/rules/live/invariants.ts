/**
 * Invariants of the scoreboard: properties that every state of a match has, regardless of what its feeds report. An
 * event whose result would violate one of them is rejected.
 *
 * - No count is negative, except kills: a fatal fall subtracts a kill, so kills can be as low as minus the number of
 * deaths.
 * - The series score is the number of maps won.
 * - If the scores of the halves are known, they add up to the score of their map. The number of rounds played is at
 * least the sum of the score, because a round whose result was lost counts for neither team.
 * - Rounds are in order, and no round number exceeds the number of rounds played. The score of a team is at least the
 * number of recorded rounds that it won, on the map and in each half. The newest round has the score of the map.
 * - No player has more deaths, opening duels or rounds with KAST than rounds have started. A team has at most as many
 * kills as its opponents have deaths, plus five per round for killed bots. Team kills, suicides and kills by the
 * environment add deaths without kills, which is allowed.
 */
import { halfOfRound, type MatchRules, otherTeam } from "./rules.ts"
import { currentMap, type GameMap, type MatchState, type PlayerTally } from "./state.ts"

export type Invariant = "series" | "score" | "halves" | "rounds" | "tally" | "kills"

export interface Violation {
  readonly invariant: Invariant
  readonly message: string
}

/**
 * The first violation, or undefined. Parts of the state that are identical by reference in `before` (the state before
 * the event) are not checked again.
 */
export const violationOf = (state: MatchState, before?: MatchState): Violation | undefined => {
  if (state.maps !== before?.maps || state.seriesScore !== before.seriesScore) {
    const found = ofSeries(state, before)
    if (found !== undefined) return found
  }
  return state.players === before?.players ? undefined : ofPlayers(state, before)
}

const violation = (invariant: Invariant, message: string): Violation => ({ invariant, message })

const ofSeries = ({ maps, rules, seriesScore }: MatchState, before: MatchState | undefined): Violation | undefined => {
  let one = 0
  let two = 0
  for (let index = 0; index < maps.length; index++) {
    const map = maps[index]
    if (map === undefined) continue
    if (map.winner === 0) one += 1
    else if (map.winner === 1) two += 1
    if (map === before?.maps[index]) continue
    const found = ofScore(map) ?? ofRounds(map, rules)
    if (found !== undefined) return found
  }
  return one === seriesScore[0] && two === seriesScore[1]
    ? undefined
    : violation("series", `the series score is ${seriesScore[0]}:${seriesScore[1]}, but the maps won are ${one}:${two}`)
}

const ofScore = ({ halves, number, roundsPlayed, score: [one, two] }: GameMap): Violation | undefined => {
  if (one < 0 || two < 0) return violation("score", `map ${number} has the score ${one}:${two}`)
  if (roundsPlayed < one + two) return violation("score", `map ${number} has the score ${one}:${two} after ${roundsPlayed} rounds`)
  if (halves.length === 0) return undefined
  let first = 0
  let second = 0
  for (const [a, b] of halves) {
    if (a < 0 || b < 0) return violation("halves", `map ${number} has a half of ${a}:${b}`)
    first += a
    second += b
  }
  return first === one && second === two
    ? undefined
    : violation("halves", `the halves of map ${number} add up to ${first}:${second}, but its score is ${one}:${two}`)
}

const ofRounds = ({ halves, number, rounds, roundsPlayed, score }: GameMap, rules: MatchRules): Violation | undefined => {
  const last = rounds[rounds.length - 1]
  if (last === undefined) return undefined
  // A flat list: team 1 and team 2 in half 1, then in half 2, and so on.
  const won: Array<number> = []
  let one = 0
  let two = 0
  let previous = 0
  for (const { ctScore, round, tScore, winnerTeam } of rounds) {
    if (round <= previous || round > roundsPlayed) return violation("rounds", `round ${round} of map ${number} is out of order`)
    if (ctScore < 0 || tScore < 0) return violation("rounds", `round ${round} of map ${number} has the score ${ctScore}:${tScore}`)
    previous = round
    if (winnerTeam === 0) one += 1
    else two += 1
    const at = 2 * (halfOfRound(round, rules) - 1) + winnerTeam
    won[at] = (won[at] ?? 0) + 1
  }
  if (one > score[0] || two > score[1])
    return violation("rounds", `the rounds of map ${number} add up to ${one}:${two}, but its score is ${score}`)
  if (last.round === roundsPlayed) {
    const ct = last.winner === "CT" ? last.winnerTeam : otherTeam(last.winnerTeam)
    if (last.ctScore !== score[ct] || last.tScore !== score[otherTeam(ct)]) {
      return violation("rounds", `round ${last.round} of map ${number} ends at ${last.ctScore}:${last.tScore}, but the score is ${score}`)
    }
  }
  if (halves.length === 0) return undefined
  for (let at = 0; at < won.length; at++) {
    const half = Math.floor(at / 2)
    if ((won[at] ?? 0) > (halves[half]?.[at % 2] ?? 0)) {
      return violation("rounds", `half ${half + 1} of map ${number} has fewer rounds than were reported`)
    }
  }
  return undefined
}

/** Players per side: limits how many bots a team can kill per round. */
const SIDE = 5

const ofPlayers = (state: MatchState, before: MatchState | undefined): Violation | undefined => {
  const map = currentMap(state)
  const begun = Math.max(map?.roundsPlayed ?? 0, state.round?.number ?? 0)
  const kills: [number, number] = [0, 0]
  const deaths: [number, number] = [0, 0]
  for (let index = 0; index < state.players.length; index++) {
    const player = state.players[index]
    if (player === undefined) continue
    const { tally, team } = player
    kills[team] += tally.kills
    deaths[team] += tally.deaths
    if (tally === before?.players[index]?.tally) continue
    const wrong = tallyViolation(tally, begun)
    if (wrong !== undefined) return violation("tally", `${player.id} has ${wrong} after ${begun} rounds`)
  }
  for (const team of [0, 1] as const) {
    const most = deaths[otherTeam(team)] + SIDE * begun
    if (kills[team] > most) return violation("kills", `team ${team + 1} has ${kills[team]} kills, but at most ${most} are possible`)
  }
  return undefined
}

const tallyViolation = (tally: PlayerTally, begun: number): string | undefined => {
  const [twos, threes, fours, fives] = tally.multiKills
  if (tally.kills < -tally.deaths) return `${tally.kills} kills`
  if (tally.deaths < 0 || tally.deaths > begun) return `${tally.deaths} deaths`
  if (tally.kastRounds < 0 || tally.kastRounds > begun) return `${tally.kastRounds} rounds with KAST`
  if (tally.firstKills + tally.firstDeaths > begun) return `${tally.firstKills + tally.firstDeaths} opening duels`
  if (tally.clutchesWon > tally.clutchAttempts || tally.clutchAttempts > begun) return `${tally.clutchAttempts} clutches`
  if (twos < 0 || threes < 0 || fours < 0 || fives < 0) return "a negative count of multiple kills"
  if (twos + threes + fours + fives > begun) return `${twos + threes + fours + fives} rounds of multiple kills`
  if (tally.assists < 0 || tally.damage < 0 || tally.headshots < 0) return "a negative count"
  return undefined
}
