/** Simulates a map of hardpoint second by second. No side effects other than on the match in progress. */
import { HILL_MS, otherSide, type SideIndex, targetOf } from "../../rules/live/format.ts"
import type { MatchPlay } from "./play.ts"
import type { TimedFact } from "./timedFact.ts"

/** Time limit of a map: the tenth hill is the last. */
const MAP_MS = 600_000
/** Between two steps of the simulation. The holder scores a point per second. */
const STEP_MS = 2_000
/** Probability per step that a player is killed, that the hill changes its holder, and that it is contested. */
const [KILL, TAKEN, CONTESTED] = [0.6, 0.16, 0.06]
/** Time before a hill is held for the first time. */
const WALK_MS = 4_000

export function* playHardpoint(play: MatchPlay, map: number, edge: number): Generator<TimedFact, void, undefined> {
  const { random } = play
  const startedAt = play.offsetMs
  let hill = 1
  let holder: SideIndex | null = null
  let isContested = false
  const strength = 1 / (1 + Math.exp(-edge))
  const changed = () => play.add({ type: "HillChanged", payload: { map, hill, holder, isContested } })
  while (true) {
    play.pass(STEP_MS)
    const elapsed = play.offsetMs - startedAt
    const opened = 1 + Math.floor(elapsed / HILL_MS)
    if (opened > hill) {
      hill = opened
      holder = null
      isContested = false
      yield changed()
    }
    if (random.chance(KILL)) {
      const fact = play.kill(map, undefined, play.lineups)
      if (fact !== undefined) yield fact
    }
    if (elapsed % HILL_MS < WALK_MS) continue
    const taker: SideIndex = random.chance(strength) ? 0 : 1
    if (holder === null ? !isContested || random.chance(0.6) : taker !== holder && random.chance(TAKEN)) {
      holder = taker
      isContested = false
      yield changed()
    } else if (holder !== null && random.chance(CONTESTED)) {
      holder = null
      isContested = true
      yield changed()
    }
    if (holder !== null) {
      const score: number = Math.min(targetOf.hardpoint, play.map.scores[holder] + STEP_MS / 1_000)
      const players = play.takers(play.lineups[holder], random.chance(0.25) ? 2 : 1)
      yield play.add({ type: "HillScored", payload: { map, side: holder, score, players: players.map(({ id }) => id) } })
    }
    const [one, two] = play.map.scores
    if (Math.max(one, two) >= targetOf.hardpoint) return
    if (elapsed >= MAP_MS && one !== two) return
  }
}

export const leaderOf = ([one, two]: readonly [number, number]): SideIndex => (one > two ? 0 : otherSide(0))
