/** Simulates one map until the rules end it. Yields the events of each round after the round. */
import type { Random } from "@matchpoint/simulator/random"
import { Array as Arr } from "effect"
import { type MatchRules, mapOutcome, onStartingSides, otherTeam, type TeamIndex } from "../rules/live/rules.ts"
import { Battle } from "./battle.ts"
import { isFirstOfHalf, isLastOfHalf, payRound, startHalf } from "./economy.ts"
import { Fighter } from "./fighter.ts"
import { playFreezeTime } from "./freezeTime.ts"
import type { PickedMap } from "./mapPool.ts"
import { RoundPlay } from "./roundPlay.ts"
import type { Script } from "./script.ts"
import { Squad } from "./squad.ts"
import type { SimulatedTeam } from "./team.ts"
import type { TimedFact } from "./timedFact.ts"

export interface MapPlay {
  readonly script: Script
  readonly random: Random
  readonly rules: MatchRules
  readonly teams: readonly [SimulatedTeam, SimulatedTeam]
  /** Adjustment of each team's strength in this match, as log-odds of winning a duel. */
  readonly form: readonly [number, number]
  readonly picked: PickedMap
}

/** Timeouts per team and map, if the organizer's rule is unknown. */
const USUAL_TIMEOUTS = 4

export function* playMap(play: MapPlay): Generator<TimedFact, TeamIndex | "draw"> {
  const { script, random, rules, picked } = play
  const squads: readonly [Squad, Squad] = [squadOf(play, 0), squadOf(play, 1)]
  const startingCt = startMap(play)
  const score: [number, number] = [0, 0]
  const streaks: [number, number] = [0, 0]
  let outcome: TeamIndex | "draw" | undefined
  while (outcome === undefined) {
    script.round += 1
    const { round } = script
    const ctTeam = onStartingSides(round, rules) ? startingCt : otherTeam(startingCt)
    const [ct, t] = ctTeam === 0 ? squads : [squads[1], squads[0]]
    const firstOfHalf = isFirstOfHalf(round, rules)
    if (firstOfHalf) startHalf(squads, ct, round, rules)
    const lastChance = (team: TeamIndex) => isLastOfHalf(round, rules) || isMatchPoint(score, otherTeam(team), rules)
    const context = (squad: Squad) => ({ firstOfHalf, lastChance: lastChance(squad.team), wonLast: streaks[squad.team] === 0 && round > 1 })
    const battle = new Battle(script, random, ct, t)
    battle.carrier = playFreezeTime({ script, random, rules, ct, t, streaks, context })
    const live = new RoundPlay(battle, rules, picked.map.ctEdge)
    const result = live.play()
    const winner = result.winner === "CT" ? ct.team : t.team
    score[winner] += 1
    streaks[winner] = 0
    streaks[otherTeam(winner)] += 1
    outcome = mapOutcome(score, rules)
    const { mapNumber } = script
    const sideScore = { ct: score[ct.team], t: score[t.team] }
    script.write({ type: "RoundEnded", payload: { mapNumber, round, winner: result.winner, winType: result.winType, score: sideScore } })
    payRound(squads, result)
    if (outcome === undefined) {
      const players = [...ct.fighters, ...t.fighters].map((fighter) => fighter.report())
      script.write({ type: "PlayersReported", payload: { mapNumber, round, players } })
    }
    battle.shotsOnly = outcome !== undefined
    const endedAt = script.now
    live.aftermath(result)
    if (outcome === undefined) {
      const pause = isLastOfHalf(round, rules) ? random.between(14_000, 18_000) : random.between(5_000, 7_000)
      script.pass(endedAt + pause - script.now)
    }
    yield* script.take()
  }
  script.round = 0
  return outcome
}

const squadOf = ({ rules, teams, form, picked, random }: MapPlay, team: TeamIndex): Squad => {
  const { id, maps, players, strength } = teams[team]
  const shared = strength + maps[picked.map.name] + form[team]
  const fighters = Arr.map(players, (player, i) => new Fighter(player, team * 5 + i, shared + player.skill + random.normal() * 0.1))
  return new Squad(team, id, fighters, rules.timeouts ?? USUAL_TIMEOUTS)
}

/** Returns the team that defends first. */
const startMap = ({ script, random, rules, teams, picked }: MapPlay): TeamIndex => {
  const { mapNumber } = script
  const chooser = picked.pickedBy === null ? (random.chance(0.5) ? 0 : 1) : otherTeam(picked.pickedBy)
  const startingCt = random.chance(0.6) ? chooser : otherTeam(chooser)
  const knife = picked.pickedBy === null
  const pickTeamId = picked.pickedBy === null ? null : teams[picked.pickedBy].id
  const announcedCt = knife && random.chance(0.5) ? otherTeam(startingCt) : startingCt
  script.write({ type: "MapStarted", payload: { mapNumber, mapName: picked.map.name, ctTeamId: teams[announcedCt].id, pickTeamId } })
  if (knife) {
    // If neither team picked the map, the winner of a knife round, which does not count, chooses the starting side.
    script.pass(random.between(40_000, 75_000))
    script.write({ type: "MapRestarted", payload: { mapNumber, ctTeamId: teams[startingCt].id } })
  }
  const count = rules.timeouts ?? USUAL_TIMEOUTS
  script.pass(random.between(500, 1_500))
  script.write({ type: "TimeoutsReported", payload: { mapNumber, remaining: teams.map((team) => ({ teamId: team.id, count })) } })
  script.pass(random.between(3_000, 6_000))
  return startingCt
}

/** The team would win the map by winning the next round. */
const isMatchPoint = (score: readonly [number, number], team: TeamIndex, rules: MatchRules): boolean => {
  const next: [number, number] = [score[0], score[1]]
  next[team] += 1
  return mapOutcome(next, rules) === team
}
