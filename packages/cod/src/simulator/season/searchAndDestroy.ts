/**
 * Plays maps of search and destroy, kill by kill, so that first bloods, clutches, plants and defuses fit the kills. Has no
 * side effects other than on the tally.
 */
import type { Random } from "@matchpoint/simulator/random"
import type { MapOutcome } from "./respawnModes.ts"
import { type Fighter, otherSide, probability, type Side, type Tally, weighted } from "./tally.ts"

/** Rounds that win a map. */
export const SND_TARGET = 6

/** Probabilities per step of a round. A step is one fight. */
const PLANT = 0.16
const EXPLODED = 0.14
const OUT_OF_TIME = 0.04
/** Probability that a defender who has killed all attackers defuses in time. */
const DEFUSED = 0.85
/** Log-odds of a kill for each living player more than the other side has. */
const NUMBERS = 0.25
const STEP_SECONDS = 13

export const playSearchAndDestroy = (random: Random, tally: Tally): MapOutcome => {
  const scores: [number, number] = [0, 0]
  let seconds = 0
  let attackers: Side = random.chance(0.5) ? 0 : 1
  while (Math.max(...scores) < SND_TARGET) {
    const round = playRound(random, tally, attackers)
    scores[round.winner] += 1
    seconds += 15 + STEP_SECONDS * round.steps
    attackers = otherSide(attackers)
  }
  return { scores, durationSeconds: seconds }
}

/** A player who is the last of the team, against one to three opponents. */
interface Clutch {
  readonly fighter: Fighter
  readonly opponents: 1 | 2 | 3
}

const playRound = (random: Random, tally: Tally, attackers: Side): { readonly winner: Side; readonly steps: number } => {
  const alive: [Array<Fighter>, Array<Fighter>] = [[...tally.fighters[0]], [...tally.fighters[1]]]
  const defenders = otherSide(attackers)
  const clutches: Array<Clutch> = []
  let planted = false
  let steps = 0
  const end = (winner: Side) => {
    for (const { fighter, opponents } of clutches) {
      fighter.counts[`clutch1v${opponents}Attempts`] += 1
      if (fighter.side === winner) fighter.counts[`clutch1v${opponents}Wins`] += 1
    }
    tally.endRound()
    return { winner, steps }
  }
  const defuse = () => {
    const defuser = weighted(random, alive[defenders], ({ player }) => player.objective)
    defuser.counts.defuses += 1
    return end(defenders)
  }
  for (;;) {
    steps += 1
    const numbers = NUMBERS * (alive[0].length - alive[1].length)
    const [one, two] = [weighted(random, alive[0], paceOf), weighted(random, alive[1], paceOf)]
    const [killer, victim] = random.chance(probability(one.player.aim - two.player.aim + numbers)) ? [one, two] : [two, one]
    if (steps === 1) {
      killer.counts.firstBloods += 1
      victim.counts.firstDeaths += 1
    }
    tally.kill(
      killer,
      victim,
      alive[killer.side].filter((mate) => mate !== killer),
    )
    alive[victim.side] = alive[victim.side].filter((fighter) => fighter !== victim)
    const [last, ...others] = alive[victim.side]
    const opponents = alive[killer.side].length
    if (last !== undefined && others.length === 0 && (opponents === 1 || opponents === 2 || opponents === 3)) {
      clutches.push({ fighter: last, opponents })
    }
    if (alive[attackers].length === 0) {
      if (!planted) return end(defenders)
      return random.chance(DEFUSED) ? defuse() : end(attackers)
    }
    if (alive[defenders].length === 0) return end(attackers)
    if (planted) {
      if (random.chance(EXPLODED)) return end(attackers)
    } else if (random.chance(PLANT)) {
      planted = true
      weighted(random, alive[attackers], ({ player }) => player.objective).counts.plants += 1
    } else if (random.chance(OUT_OF_TIME)) return end(defenders)
  }
}

const paceOf = ({ player }: Fighter): number => player.pace
