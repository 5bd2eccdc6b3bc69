/** Plays maps of the modes in which players respawn: hardpoint and control. Has no side effects other than on the tally. */
import type { Random } from "@matchpoint/simulator/random"
import { type Fighter, meanAim, otherSide, probability, type Side, type Tally, weighted } from "./tally.ts"

/** Result of a map. */
export interface MapOutcome {
  readonly scores: readonly [number, number]
  readonly durationSeconds: number
}

/** Hardpoint: points that win, seconds that a hill is active, and the time limit in hills. */
export const HARDPOINT_TARGET = 250
const HILL_SECONDS = 60
const HILLS = 10
/** Kills of both sides per second. */
const PACE = 0.31
/** Log-odds that one unit of the teams' mean aim is worth in holding a hill. */
const HOLD = 2.5

/** Control: rounds that win, most kills of a side in a round, and segments of both zones. */
export const CONTROL_TARGET = 3
const ROUND_LIVES = 30
const SEGMENTS = 6

export const playHardpoint = (random: Random, tally: Tally): MapOutcome => {
  const scores: [number, number] = [0, 0]
  let seconds = 0
  const form = 0.25 * random.normal()
  for (let hill = 0; hill < HILLS && Math.max(...scores) < HARDPOINT_TARGET; hill += 1) {
    const share = probability(HOLD * edgeOf(tally) + form + 0.9 * random.normal())
    const held = Math.round(HILL_SECONDS * random.between(0.72, 0.95))
    const points: [number, number] = [Math.round(held * share), 0]
    points[1] = held - points[0]
    const part = lastPart(scores, points)
    for (const side of [0, 1] as const) {
      // Without the small number, a rounding error could take the last point.
      const won = Math.floor(points[side] * part + 1e-9)
      scores[side] += won
      holdHill(random, tally.fighters[side], won + random.int(0, 5))
    }
    const lasted = Math.ceil(HILL_SECONDS * part)
    seconds += lasted
    fight(random, tally, Math.round(PACE * lasted * random.between(0.8, 1.2)))
  }
  // The side that is ahead wins if the time runs out. Nobody wins a tie, so one more second is played.
  if (scores[0] === scores[1]) {
    const side: Side = random.chance(0.5) ? 0 : 1
    scores[side] += 1
    seconds += 1
    holdHill(random, tally.fighters[side], 1)
  }
  return { scores, durationSeconds: seconds }
}

/** Part of a hill, up to 1, after which a side has the points to win. */
const lastPart = (scores: readonly [number, number], points: readonly [number, number]): number =>
  Math.min(1, ...([0, 1] as const).map((side) => (points[side] === 0 ? 1 : (HARDPOINT_TARGET - scores[side]) / points[side])))

/** Distributes seconds on the hill among the players of a side. */
const holdHill = (random: Random, fighters: ReadonlyArray<Fighter>, seconds: number): void => {
  let left = seconds
  while (left > 0) {
    const stay = Math.min(left, random.int(4, 15))
    weighted(random, fighters, ({ player }) => player.objective).counts.hillTime += stay
    left -= stay
  }
}

export const playControl = (random: Random, tally: Tally): MapOutcome => {
  const scores: [number, number] = [0, 0]
  let seconds = 0
  let attackers: Side = random.chance(0.5) ? 0 : 1
  while (Math.max(...scores) < CONTROL_TARGET) {
    const winner: Side = random.chance(probability(HOLD * edgeOf(tally) + 0.5 * random.normal())) ? 0 : 1
    const lasted = random.int(60, 100)
    const segments = winner === attackers ? SEGMENTS : random.int(0, SEGMENTS - 1)
    for (let taken = 0; taken < segments; taken += 1) {
      weighted(random, tally.fighters[attackers], ({ player }) => player.objective).counts.captures += 1
    }
    fight(random, tally, Math.min(2 * ROUND_LIVES - 1, Math.round(PACE * lasted * random.between(0.9, 1.3))))
    scores[winner] += 1
    seconds += lasted
    attackers = otherSide(attackers)
    tally.endRound()
  }
  return { scores, durationSeconds: seconds }
}

/** Returns how much better side 0 aims than side 1. */
const edgeOf = ({ fighters }: Tally): number => meanAim(fighters[0]) - meanAim(fighters[1])

/** Lets the sides fight until there were so many kills. */
const fight = (random: Random, tally: Tally, kills: number): void => {
  for (let count = 0; count < kills; count += 1) {
    const [one, two] = [weighted(random, tally.fighters[0], paceOf), weighted(random, tally.fighters[1], paceOf)]
    const [killer, victim] = random.chance(probability(one.player.aim - two.player.aim)) ? [one, two] : [two, one]
    tally.kill(
      killer,
      victim,
      tally.fighters[killer.side].filter((mate) => mate !== killer),
    )
  }
}

const paceOf = ({ player }: Fighter): number => player.pace
