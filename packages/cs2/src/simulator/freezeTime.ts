/** Freeze time before a round: purchases, events about new equipment, timeouts and, rarely, a lost connection. */
import type { Random } from "@matchpoint/simulator/random"
import type { MatchRules } from "../rules/live/rules.ts"
import type { Fighter } from "./fighter.ts"
import type { Script } from "./script.ts"
import { type BuyContext, decideBuy, shop } from "./shopping.ts"
import type { Squad } from "./squad.ts"

export interface FreezeTime {
  readonly script: Script
  readonly random: Random
  readonly rules: MatchRules
  readonly ct: Squad
  readonly t: Squad
  /** Consecutive lost rounds of each team. Losing streaks trigger most timeouts. */
  readonly streaks: readonly [number, number]
  readonly context: (squad: Squad) => BuyContext
}

/** Returns the player that carries the bomb. */
export const playFreezeTime = (freeze: FreezeTime): Fighter => {
  const { script, random, ct, t } = freeze
  const inRound = { mapNumber: script.mapNumber, round: script.round }
  for (const squad of [ct, t]) for (const fighter of squad.fighters) fighter.respawn()
  const startedAt = script.now
  const players = [...ct.fighters, ...t.fighters].map((fighter) => fighter.report())
  script.write({ type: "RoundStarted", payload: { ...inRound, ctTeamId: ct.id, players } })
  const carrier = t.choose(random, (fighter) => (fighter.role === "awper" ? 0.4 : fighter.role === "support" ? 3 : 1)) ?? t.fighters[0]
  script.pass(random.between(50, 250))
  script.write({ type: "BombPickedUp", payload: { ...inRound, playerId: carrier.id } })
  const paused = pause(freeze)
  const liveAt = startedAt + paused + freeze.rules.freezeSeconds * 1000
  goShopping(freeze, liveAt)
  script.pass(liveAt - script.now)
  script.write({ type: "RoundLive", payload: inRound })
  return carrier
}

const goShopping = ({ script, random, ct, t, context }: FreezeTime, liveAt: number): void => {
  const left = liveAt - script.now
  const visits: Array<{ readonly at: number; readonly fighter: Fighter }> = []
  for (const squad of [ct, t]) {
    const buy = decideBuy(random, squad, context(squad))
    for (const fighter of squad.fighters) {
      const bought = shop(random, fighter, buy)
      script.reportPurchases(fighter.id, fighter.purchases)
      if (bought) visits.push({ at: script.now + left * Math.min(0.9, 0.05 + random.next() ** 2), fighter })
    }
  }
  visits.sort((one, two) => one.at - two.at)
  for (const { at, fighter } of visits) {
    script.pass(at - script.now)
    const { mapNumber, round } = script
    script.write({ type: "PlayersReported", payload: { mapNumber, round, players: [fighter.report()] } })
  }
}

const TACTICAL_SECONDS = 30

/** A timeout or, rarely, a technical pause, if there is one. Returns the milliseconds for which it stopped freeze time. */
const pause = (freeze: FreezeTime): number => {
  const { random, ct, t, streaks } = freeze
  if (random.chance(0.002)) return technicalPause(freeze, random.chance(0.5) ? ct : t)
  for (const squad of [ct, t]) {
    const streak = streaks[squad.team]
    if (squad.timeouts > 0 && streak >= 3 && random.chance(0.1 + 0.05 * streak)) return tacticalPause(freeze, squad)
  }
  return 0
}

const tacticalPause = ({ script, random, rules }: FreezeTime, squad: Squad): number => {
  squad.timeouts -= 1
  const { mapNumber, round } = script
  const endsAt = script.now + rules.freezeSeconds * 1000
  script.pass(random.between(800, 2_500))
  const calledAt = script.now
  const secondsLeft = Math.max(0, endsAt - calledAt) / 1000
  script.write({ type: "TimeoutCalled", payload: { mapNumber, teamId: squad.id, kind: "tactical" } })
  script.write({ type: "ClockReported", payload: { mapNumber, round, phase: "timeout", secondsLeft: TACTICAL_SECONDS } })
  script.pass(TACTICAL_SECONDS * 1000)
  script.write({ type: "TimeoutEnded", payload: { mapNumber } })
  script.write({ type: "ClockReported", payload: { mapNumber, round, phase: "freezetime", secondsLeft } })
  return script.now - calledAt
}

/** A player disconnects and returns while the clock is stopped. */
const technicalPause = ({ script, random, rules }: FreezeTime, squad: Squad): number => {
  const { mapNumber, round } = script
  const fighter = squad.choose(random, () => 1) ?? squad.fighters[0]
  const { id, nickname, name } = fighter.player
  const endsAt = script.now + rules.freezeSeconds * 1000
  script.pass(random.between(500, 2_000))
  const calledAt = script.now
  const secondsLeft = Math.max(0, endsAt - calledAt) / 1000
  script.write({ type: "PlayerLeft", payload: { playerId: id } })
  script.write({ type: "TimeoutCalled", payload: { mapNumber, teamId: squad.id, kind: "technical" } })
  script.write({ type: "ClockReported", payload: { mapNumber, round, phase: "paused", secondsLeft } })
  script.pass(random.between(40_000, 120_000))
  script.write({ type: "PlayerJoined", payload: { playerId: id, teamId: squad.id, nickname, name } })
  script.write({ type: "PlayersReported", payload: { mapNumber, round, players: [fighter.report()] } })
  script.pass(random.between(3_000, 8_000))
  script.write({ type: "TimeoutEnded", payload: { mapNumber } })
  script.write({ type: "ClockReported", payload: { mapNumber, round, phase: "freezetime", secondsLeft } })
  return script.now - calledAt
}
