/** Simulates the rounds of search and destroy and of control. No side effects other than on the match in progress. */
import type { RoundReason } from "../../rules/live/feedEvents.ts"
import { otherSide, type SideIndex, ZONE_TICKS } from "../../rules/live/format.ts"
import { attackerOf, type MatchState } from "../../rules/live/state.ts"
import type { Lineups, MatchPlay } from "./play.ts"
import type { TimedFact } from "./timedFact.ts"

interface Outcome {
  readonly winner: SideIndex
  readonly reason: RoundReason
}

/** A guard against endless loops. */
const MAX_ROUNDS = 20

/** Plays rounds until a side has won the map. */
export function* playRounds(
  play: MatchPlay,
  map: number,
  target: number,
  round: (play: MatchPlay, map: number, number: number) => Generator<TimedFact, Outcome, undefined>,
): Generator<TimedFact, void, undefined> {
  for (let number = 1; number <= MAX_ROUNDS && Math.max(...play.map.scores) < target; number += 1) {
    play.pass(play.random.between(8_000, 14_000))
    yield play.add({ type: "RoundStarted", payload: { map, round: number } })
    const outcome = yield* round(play, map, number)
    play.pass(play.random.between(300, 1_200))
    yield play.add({ type: "RoundEnded", payload: { map, round: number, ...outcome } })
  }
}

const attackers = ({ current }: MatchState): SideIndex => (current === null ? 0 : (attackerOf(current) ?? 0))

const [BOMB_TIMER_MS, ROUND_MS] = [45_000, 90_000]

export function* playSearchRound(play: MatchPlay, map: number, round: number): Generator<TimedFact, Outcome, undefined> {
  const { random } = play
  const attacker = attackers(play.live)
  const defender = otherSide(attacker)
  const endsAt = play.offsetMs + ROUND_MS
  let plantedAt: number | undefined
  while (true) {
    play.pass(random.between(2_500, 14_000))
    const alive = livingOf(play)
    if (plantedAt !== undefined && play.offsetMs >= plantedAt + BOMB_TIMER_MS) {
      yield play.add({ type: "BombDetonated", payload: { map, round } })
      return { winner: attacker, reason: "detonation" }
    }
    if (alive[defender].length === 0) return { winner: attacker, reason: "elimination" }
    if (alive[attacker].length === 0) {
      if (plantedAt === undefined) return { winner: defender, reason: "elimination" }
      const [defuser] = play.takers(alive[defender], 1)
      if (defuser !== undefined) {
        yield play.add({ type: "BombDefused", payload: { map, round, player: defuser.id } })
        return { winner: defender, reason: "defuse" }
      }
    }
    if (plantedAt === undefined && play.offsetMs >= endsAt) return { winner: defender, reason: "time" }
    if (plantedAt === undefined && random.chance(0.22)) {
      const [planter] = play.takers(alive[attacker], 1)
      if (planter !== undefined) {
        plantedAt = play.offsetMs
        yield play.add({ type: "BombPlanted", payload: { map, round, player: planter.id, site: random.chance(0.55) ? "a" : "b" } })
        continue
      }
    }
    const fact = play.kill(map, round, alive)
    if (fact !== undefined) yield fact
  }
}

/** Living players of both sides in a round of search and destroy. */
const livingOf = ({ live, lineups }: MatchPlay): Lineups => {
  const bits = live.current?.round?.alive ?? [0, 0]
  const living = (side: SideIndex) => lineups[side].filter((_, position) => ((bits[side] >> position) & 1) === 1)
  return [living(0), living(1)]
}

const CONTROL_MS = 90_000

export function* playControlRound(play: MatchPlay, map: number, round: number): Generator<TimedFact, Outcome, undefined> {
  const { random } = play
  const attacker = attackers(play.live)
  const endsAt = play.offsetMs + CONTROL_MS
  const zones = { a: 0, b: 0 }
  while (true) {
    play.pass(random.between(700, 2_300))
    const lives = play.live.current?.round?.lives ?? [0, 0]
    for (const side of [0, 1] as const) if (lives[side] === 0) return { winner: otherSide(side), reason: "elimination" }
    if (play.offsetMs >= endsAt) return { winner: otherSide(attacker), reason: "time" }
    const fact = play.kill(map, round, play.lineups)
    if (fact !== undefined) yield fact
    if (!random.chance(0.13)) continue
    const zone = zones.a < ZONE_TICKS ? "a" : "b"
    zones[zone] += 1
    const players = play.takers(play.lineups[attacker], random.int(1, 2))
    yield play.add({ type: "ZoneTicked", payload: { map, round, zone, tick: zones[zone], players: players.map(({ id }) => id) } })
    if (zones.a + zones.b === 2 * ZONE_TICKS) return { winner: attacker, reason: "zones" }
  }
}
