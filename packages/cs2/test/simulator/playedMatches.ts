/** Plays simulated matches through the fold of the rules and counts the results. */
import { matchId } from "../../src/rules/ids.ts"
import type { FeedEventOf, WinType } from "../../src/rules/live/feedEvents.ts"
import { fold } from "../../src/rules/live/fold.ts"
import type { TeamIndex } from "../../src/rules/live/rules.ts"
import type { MatchState } from "../../src/rules/live/state.ts"
import { type MatchOptions, simulateMatch } from "../../src/simulator/simulateMatch.ts"
import { type SimulatedTeam, simulatedTeam } from "../../src/simulator/team.ts"
import { type TimedFact, toFeedEvent } from "../../src/simulator/timedFact.ts"

/** An arbitrary day in 2026, in epoch milliseconds. */
export const START = 1_780_000_000_000

export const options = (seed: number): MatchOptions => ({ seed, matchId: matchId(1001), bestOf: seed % 2 === 0 ? 3 : 1 })

export interface Played {
  readonly state: MatchState
  readonly strongerWon: boolean
  readonly facts: ReadonlyArray<TimedFact>
  readonly rejections: ReadonlyArray<string>
}

/** Folds a whole match as if it arrived live. */
export const play = (match: MatchOptions): Played => {
  let state: MatchState | undefined
  const rejections: Array<string> = []
  const facts = [...simulateMatch(match)]
  for (const fact of facts) {
    const at = START + fact.offsetMs
    const step = fold(state, toFeedEvent(fact, { observedAt: at, receivedAt: at }))
    if (step._tag === "Rejected") {
      rejections.push(`seed ${match.seed} ${fact.factId} ${fact.type}: ${step.rejection.code} ${step.rejection.message}`)
    }
    state = step.state
  }
  if (state === undefined) throw new Error(`seed ${match.seed} gave no match`)
  return { state, strongerWon: state.winner === strongerOf(match), facts, rejections }
}

/** Returns the team with the higher average player skill. */
const strongerOf = (match: MatchOptions): TeamIndex => {
  const worth = ({ players, strength }: SimulatedTeam) => strength + players.reduce((sum, player) => sum + player.skill, 0) / players.length
  const [one, two] = match.teams ?? [simulatedTeam(match.seed, 1), simulatedTeam(match.seed, 2)]
  return worth(one) >= worth(two) ? 0 : 1
}

/** Sums over many matches. */
export class Totals {
  matches = 0
  facts = 0
  maps = 0
  rounds = 0
  overtimeMaps = 0
  ctWins = 0
  plants = 0
  roundMs = 0
  kills = 0
  headshots = 0
  damage = 0
  assists = 0
  flashAssists = 0
  tradeKills = 0
  kastRounds = 0
  clutchAttempts = 0
  clutchesWon = 0
  aces = 0
  teamKills = 0
  wallbangs = 0
  smokeKills = 0
  strongerWon = 0
  readonly winTypes = new Map<WinType, number>()
  readonly factTypes = new Map<string, number>()
  readonly weapons = new Map<string, number>()

  add({ state, facts, strongerWon }: Played): void {
    this.matches += 1
    if (strongerWon) this.strongerWon += 1
    this.facts += facts.length
    for (const map of state.maps) {
      this.maps += 1
      this.rounds += map.roundsPlayed
      if (map.roundsPlayed > state.rules.maxRounds) this.overtimeMaps += 1
      for (const round of map.rounds) {
        if (round.winner === "CT") this.ctWins += 1
        this.winTypes.set(round.winType, (this.winTypes.get(round.winType) ?? 0) + 1)
      }
      for (const line of map.lines) {
        this.kills += line.kills
        this.headshots += line.headshots
        this.damage += line.damage
        this.assists += line.assists
        this.flashAssists += line.flashAssists
        this.tradeKills += line.tradeKills
        this.kastRounds += line.kastRounds
        this.clutchAttempts += line.clutchAttempts
        this.clutchesWon += line.clutchesWon
        this.aces += line.multiKills[3]
      }
    }
    let liveAt = 0
    for (const fact of facts) {
      this.factTypes.set(fact.type, (this.factTypes.get(fact.type) ?? 0) + 1)
      if (fact.type === "BombPlanted") this.plants += 1
      else if (fact.type === "RoundLive") liveAt = fact.offsetMs
      else if (fact.type === "RoundEnded") this.roundMs += fact.offsetMs - liveAt
      else if (fact.type === "PlayerKilled") this.#addKill(state, fact.payload)
    }
  }

  #addKill(state: MatchState, kill: FeedEventOf<"PlayerKilled">["payload"]): void {
    this.weapons.set(kill.weapon, (this.weapons.get(kill.weapon) ?? 0) + 1)
    if (kill.wallbang === true) this.wallbangs += 1
    if (kill.throughSmoke === true) this.smokeKills += 1
    const killer = state.players.find((player) => player.id === kill.killerId)
    const victim = state.players.find((player) => player.id === kill.victimId)
    if (killer !== undefined && killer.team === victim?.team) this.teamKills += 1
  }

  /** Returns a count per player and round. */
  perRound(count: number): number {
    return count / (10 * this.rounds)
  }
}
