/** The current round: freeze time, the live phase, the end, and the clock. */
import { creditKast } from "./evolveDuel.ts"
import { applyReports, freshRound, sumOfTeam } from "./evolvePlayers.ts"
import { endMap } from "./evolveSeries.ts"
import type { FeedEvent, FeedEventOf } from "./feedEvents.ts"
import { correctedRules, halfOfRound, mapOutcome, onStartingSides, otherTeam, type TeamIndex } from "./rules.ts"
import { settled } from "./scores.ts"
import { currentMap, type GameMap, type MatchState, type Round, type RoundResult, teamIndexOf } from "./state.ts"

/** Opens the round of an event if its start was not received. The sides are then derived from the rules. */
export const openRoundIfMissed = (state: MatchState, event: FeedEvent): MatchState => {
  const map = currentMap(state)
  if (map === undefined || event.type === "RoundStarted" || !("round" in event.payload)) return state
  if (event.payload.round <= (state.round?.number ?? 0)) return state
  const ctTeam = onStartingSides(event.payload.round, state.rules) ? map.startingCtTeam : otherTeam(map.startingCtTeam)
  const opened = openRound(state, event.payload.round, ctTeam)
  return opened.round === null || event.type === "RoundLive" || event.type === "ClockReported"
    ? opened
    : { ...opened, round: { ...opened.round, phase: "live" } }
}

export const evolveRoundStarted = (state: MatchState, event: FeedEventOf<"RoundStarted">): MatchState => {
  const { round: number, ctTeamId, players } = event.payload
  const ctTeam = teamIndexOf(state, ctTeamId) ?? 0
  // If other events of the round arrived first, it is already open, and only the new values are added.
  const known = state.round?.number === number ? state : openRound(state, number, ctTeam)
  const opened = { ...known, rules: correctedRules(known.rules, event.payload) }
  if (opened.round === null) return opened
  const { freezeSeconds } = state.rules
  const round: Round = {
    ...opened.round,
    ctTeam,
    startedAt: event.observedAt,
    clockEndsAt:
      opened.round.phase === "freezetime" && freezeSeconds > 0 ? event.observedAt + freezeSeconds * 1000 : opened.round.clockEndsAt,
  }
  const map = currentMap(opened)
  const first = number === 1 && map !== undefined ? { maps: [...opened.maps.slice(0, -1), { ...map, startingCtTeam: ctTeam }] } : {}
  return applyReports({ ...opened, ...first, round, status: "live", startedAt: opened.startedAt ?? event.observedAt }, players ?? [])
}

export const evolveRoundLive = (state: MatchState, event: FeedEventOf<"RoundLive">): MatchState => {
  if (state.round === null) return state
  const round: Round = {
    ...state.round,
    phase: "live",
    liveAt: event.observedAt,
    clockEndsAt: event.observedAt + state.rules.roundSeconds * 1000,
    clockStoppedAt: null,
    ...equipment(state, state.round.ctTeam),
  }
  return { ...state, timeout: null, round }
}

export const evolveClock = (state: MatchState, event: FeedEventOf<"ClockReported">): MatchState => {
  if (state.round === null) return state
  const { phase, secondsLeft } = event.payload
  const stands = phase === "paused" || phase === "over" || phase === "warmup"
  return {
    ...state,
    round: {
      ...state.round,
      clockEndsAt: stands ? null : event.observedAt + Math.round(secondsLeft * 1000),
      clockStoppedAt: stands ? Math.ceil(secondsLeft) : null,
    },
  }
}

export const evolveRoundEnded = (state: MatchState, event: FeedEventOf<"RoundEnded">): MatchState => {
  const map = currentMap(state)
  const round = state.round
  if (map === undefined || round === null) return state
  const { winner, winType } = event.payload
  const { ctTeam, map: before, score, winnerTeam } = settled(map, round, winner, event.payload.score, state.rules)
  const result: RoundResult = {
    round: round.number,
    factId: event.id,
    winner,
    winnerTeam,
    winType,
    ctScore: score[ctTeam],
    tScore: score[otherTeam(ctTeam)],
    ctEquipment: round.ctEquipment,
    ctMoney: round.ctMoney ?? null,
    tMoney: round.tMoney ?? null,
    tEquipment: round.tEquipment,
    endedAt: event.observedAt,
  }
  const playedMap: GameMap = {
    ...before,
    score,
    halves: countHalf(before.halves, halfOfRound(round.number, state.rules), before.score, score),
    roundsPlayed: Math.max(round.number, score[0] + score[1]),
    rounds: [...before.rounds, result],
  }
  const played = withClutchResults(
    creditKast({
      ...state,
      maps: [...state.maps.slice(0, -1), playedMap],
      round: { ...round, ctTeam, phase: "over", clockEndsAt: null, clockStoppedAt: 0, bomb: bombAfter(round, event) },
      lastEvent: {
        id: event.id,
        type: "RoundEnd",
        round: round.number,
        clockSeconds: 0,
        killerPlayerId: null,
        victimPlayerId: null,
        weapon: null,
        headshot: null,
        throughSmoke: null,
      },
    }),
    winnerTeam,
  )
  const outcome = mapOutcome(score, state.rules)
  return outcome === undefined ? played : endMap(played, event.observedAt, { winner: outcome, reason: "score" })
}

export const openRound = (state: MatchState, number: number, ctTeam: TeamIndex): MatchState => ({
  ...state,
  status: "live",
  timeout: null,
  round: {
    number,
    phase: "freezetime",
    ctTeam,
    startedAt: null,
    liveAt: null,
    clockEndsAt: null,
    clockStoppedAt: null,
    bomb: null,
    duels: [],
    openingDone: false,
    clutches: [],
    ctEquipment: null,
    tEquipment: null,
  },
  players: state.players.map((player) => ({ ...player, alive: player.connected, hp: player.connected ? 100 : 0, round: freshRound })),
  seen: { match: state.seen.match, round: [] },
})

const equipment = (state: MatchState, ctTeam: TeamIndex) => ({
  ctEquipment: sumOfTeam(state, ctTeam, (player) => player.equipmentValue),
  tEquipment: sumOfTeam(state, otherTeam(ctTeam), (player) => player.equipmentValue),
  ctMoney: sumOfTeam(state, ctTeam, (player) => player.money),
  tMoney: sumOfTeam(state, otherTeam(ctTeam), (player) => player.money),
})

/** The score difference counts for the half in which the round was played. It may include rounds that were not reported. */
const countHalf = (
  halves: GameMap["halves"],
  half: number,
  before: readonly [number, number],
  after: readonly [number, number],
): GameMap["halves"] => {
  const filled: Array<readonly [number, number]> = [...halves]
  while (filled.length < half) filled.push([0, 0])
  const [a, b] = filled[half - 1] ?? [0, 0]
  filled[half - 1] = [a + after[0] - before[0], b + after[1] - before[1]]
  return filled
}

const withClutchResults = (state: MatchState, winner: TeamIndex): MatchState => {
  const clutches = state.round?.clutches ?? []
  if (clutches.length === 0) return state
  return {
    ...state,
    players: state.players.map((player) => {
      const clutch = clutches.find((entry) => entry.playerId === player.id)
      if (clutch === undefined) return player
      const { clutchAttempts, clutchesWon } = player.tally
      const won = clutch.team === winner ? 1 : 0
      return { ...player, tally: { ...player.tally, clutchAttempts: clutchAttempts + 1, clutchesWon: clutchesWon + won } }
    }),
  }
}

/** Some feeds report an explosion or a defuse only through the win type of the round. */
const bombAfter = (round: Round, event: FeedEventOf<"RoundEnded">): Round["bomb"] => {
  if (round.bomb === null || (round.bomb.state !== "planted" && round.bomb.state !== "defusing")) return round.bomb
  if (event.payload.winType === "bomb_exploded") return { ...round.bomb, state: "exploded", explodesAt: null }
  return event.payload.winType === "bomb_defused"
    ? { ...round.bomb, state: "defused", explodesAt: null }
    : { ...round.bomb, explodesAt: null }
}
