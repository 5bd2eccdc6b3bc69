/** Reads the clock, timeouts and bomb possession from the posts of an observer (a spectating client). */
import { type PlayerId, playerIdOfSteamId64 } from "../../../rules/ids.ts"
import type { ClockPhase } from "../../../rules/live/feedEvents.ts"
import { otherTeam } from "../../../rules/live/rules.ts"
import { playerOf } from "../../../rules/live/state.ts"
import type { GamePost } from "./GamePost.ts"

/**
 * Milliseconds. Only larger deviations are reported: posts arrive ten times per second, and the clock of the match
 * state advances without reports.
 */
const CLOCK_TOLERANCE_MS = 1_000

const phases: ReadonlyMap<string, ClockPhase> = new Map([
  ["freezetime", "freezetime"],
  ["live", "live"],
  ["bomb", "live"],
  ["timeout_ct", "timeout"],
  ["timeout_t", "timeout"],
  ["paused", "paused"],
] as const)

export const readClock = (game: GamePost): void => {
  const { round } = game.state
  const map = game.liveMap
  const countdown = game.post.body.phase_countdowns
  if (map === undefined || round === null || countdown?.phase === undefined || round.number !== game.roundInPlay) return
  readTimeout(game, map.number, countdown.phase)
  const phase = phases.get(countdown.phase)
  const seconds = Number(countdown.phase_ends_in)
  if (phase === undefined || round.phase === "over" || !(seconds >= 0 && seconds <= 3_600)) return
  const { clockEndsAt, clockStoppedAt } = round
  const known = phase === "paused" ? clockStoppedAt === Math.ceil(seconds) : isNear(clockEndsAt, game.now + seconds * 1000)
  if (known) return
  const payload = { mapNumber: map.number, round: round.number, phase, secondsLeft: seconds }
  game.addObservation(`clock:${game.now.toString(36)}`, { type: "ClockReported", payload })
}

export const readTimeoutsLeft = (game: GamePost): void => {
  const map = game.liveMap
  const { timeouts } = game.post
  if (map === undefined || timeouts === undefined) return
  const { ctTeam } = game
  const [ct, t] = [game.state.teams[ctTeam], game.state.teams[otherTeam(ctTeam)]]
  if (ct.timeoutsRemaining === timeouts.ct && t.timeoutsRemaining === timeouts.t) return
  const remaining = [
    { teamId: ct.id, count: timeouts.ct },
    { teamId: t.id, count: timeouts.t },
  ]
  game.addObservation(`timeouts:${timeouts.ct}:${timeouts.t}`, { type: "TimeoutsReported", payload: { mapNumber: map.number, remaining } })
}

/** The bomb carrier, a dropped bomb and the start of a defuse. */
export const readBomb = (game: GamePost): void => {
  const { round } = game.state
  const map = game.liveMap
  const seen = game.post.body.bomb
  if (map === undefined || round === null || seen === undefined || round.number !== game.roundInPlay || round.phase === "over") return
  const where = { mapNumber: map.number, round: round.number }
  const known = round.bomb
  const loose = known === null || known.state === "carried" || known.state === "dropped"
  const id = holderOf(game, seen.player)
  if ((seen.state === "carried" || seen.state === "planting") && loose && id !== undefined) {
    if (known?.state === "carried" && known.playerId === id) return
    game.addObservation(`bomb:got:${id}`, { type: "BombPickedUp", payload: { ...where, playerId: id } })
  } else if (seen.state === "dropped" && known?.state === "carried" && known.playerId !== null) {
    game.addObservation(`bomb:dropped:${known.playerId}`, { type: "BombDropped", payload: { ...where, playerId: known.playerId } })
  } else if (seen.state === "defusing" && id !== undefined && known?.state === "planted") {
    const withKit = playerOf(game.state, id)?.defuseKit === true
    game.addObservation(`bomb:defusing:${id}`, { type: "BombDefuseStarted", payload: { ...where, playerId: id, withKit } })
  }
}

const readTimeout = (game: GamePost, mapNumber: number, phase: string): void => {
  const called = phase === "timeout_ct" || phase === "timeout_t"
  if (called && game.state.timeout === null) {
    const team = phase === "timeout_ct" ? game.ctTeam : otherTeam(game.ctTeam)
    const payload = { mapNumber, teamId: game.state.teams[team].id, kind: "tactical" as const }
    game.addObservation(`${phase}:${game.state.round?.number ?? 0}`, { type: "TimeoutCalled", payload })
  } else if (!called && phase !== "paused" && game.state.timeout?.kind === "tactical") {
    game.addObservation(`resumed:${game.state.timeout.since.toString(36)}`, { type: "TimeoutEnded", payload: { mapNumber } })
  }
}

const isNear = (known: number | null, seen: number): boolean => known !== null && Math.abs(known - seen) <= CLOCK_TOLERANCE_MS

const holderOf = (game: GamePost, steamId: string | undefined): PlayerId | undefined => {
  const id = steamId === undefined ? undefined : playerIdOfSteamId64(steamId)
  return id !== undefined && playerOf(game.state, id) !== undefined ? id : undefined
}
