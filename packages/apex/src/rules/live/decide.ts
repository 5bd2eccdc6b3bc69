/**
 * Accepts a fact or rejects it with a reason: a return value, never an exception. Pure. `matchFold` has shared checks.
 */
import { isNotBefore, reject } from "@matchpoint/game/rules/rejections"
import { MOST_TEAMS } from "../archive/points.ts"
import { decideInGame, type InGameEvent } from "./decideInGame.ts"
import type { Fact, FeedEventOf } from "./feedEvents.ts"
import { MOST_GAMES } from "./lobby.ts"
import type { Rejection } from "./rejections.ts"
import { type LobbyState, nextGame } from "./state.ts"

/** Undefined if the fact is accepted. */
export const decideFact = (state: LobbyState, event: Exclude<Fact, FeedEventOf<"Cancelled">>): Rejection | undefined => {
  if (event.type === "LobbyReady" || event.type === "GameStarted") return decideStart(state, event)
  if (state.status === "scheduled") return reject("match_not_started", "no GameStarted was accepted yet")
  switch (event.type) {
    case "Suspended":
      return state.suspendedAt === null ? isNotBefore(state.interruption, event) : reject("suspended", "play is already suspended")
    case "Resumed":
      return state.suspendedAt === null ? reject("not_suspended", "play is not suspended") : isNotBefore(state.interruption, event)
    case "GameCorrected":
    case "GameCancelled":
      return decideOfficial(state, event)
    case "SeriesEnded":
      return decideSeriesEnded(state)
    default:
      return decidePlay(state, event)
  }
}

export const decideCreated = ({ payload: { teams } }: FeedEventOf<"MatchCreated">): Rejection | undefined => {
  if (new Set(teams.map(({ name }) => name)).size < teams.length) return reject("wrong_teams", "two teams have the same name")
  const ids = teams.flatMap(({ players }) => players.flatMap(({ id }) => id ?? []))
  return new Set(ids).size < ids.length ? reject("wrong_teams", "a player is listed twice") : undefined
}

const decideStart = (state: LobbyState, event: FeedEventOf<"LobbyReady"> | FeedEventOf<"GameStarted">): Rejection | undefined => {
  const { game } = event.payload
  const next = nextGame(state)
  if (game < next || game === state.game?.number) return reject("late_fact", `game ${game} has already started`)
  if (state.game !== null) return reject("game_in_progress", `game ${state.game.number} is in progress; send GameEnded first`)
  if (game > next) return reject("early_fact", `the next game is ${next}, not ${game}`)
  if (game > MOST_GAMES) return reject("early_fact", `a lobby has at most ${MOST_GAMES} games`)
  if (event.type === "LobbyReady") return state.readyFor === game ? reject("late_fact", `the lobby of game ${game} is ready`) : undefined
  if (state.suspendedAt !== null) return suspended
  const { legends } = event.payload
  if (legends === undefined) return undefined
  const { teams } = state.lobby
  const isComplete =
    legends.length === teams.length && legends.every((picks, index) => picks.length === (teams[index]?.players.length ?? MOST_TEAMS))
  return isComplete ? undefined : reject("wrong_legends", "`legends` must have a list per team, with one legend or null per player")
}

const suspended = reject("suspended", "play is suspended; send Resumed first")

/** The officials have decided about the game in progress or an earlier one. */
const decideOfficial = (state: LobbyState, event: FeedEventOf<"GameCorrected"> | FeedEventOf<"GameCancelled">): Rejection | undefined => {
  const { game } = event.payload
  const past = state.games[game - 1]
  if (past === undefined && state.game?.number !== game) return reject("early_fact", `game ${game} has not started`)
  if (past?.status === "cancelled") return reject("game_cancelled", `game ${game} was cancelled`)
  const late = isNotBefore(state.correction, event)
  if (late !== undefined || event.type === "GameCancelled") return late
  const { results } = event.payload
  const count = state.lobby.teams.length
  const isWhole = (of: (result: (typeof results)[number]) => number) => new Set(results.map(of)).size === count
  return results.length === count &&
    isWhole(({ team }) => team) &&
    isWhole(({ placement }) => placement) &&
    results.every(({ placement, team }) => placement <= count && team <= count)
    ? undefined
    : reject("wrong_results", `\`results\` must have each team and each placement from 1 to ${count} once`)
}

const decideSeriesEnded = (state: LobbyState): Rejection | undefined => {
  if (state.game !== null) return reject("game_in_progress", `game ${state.game.number} is in progress; send GameEnded first`)
  return state.games.some(({ status }) => status === "completed")
    ? undefined
    : reject("not_decided", "no game counts; send Cancelled if the series has no result")
}

const decidePlay = (state: LobbyState, event: InGameEvent): Rejection | undefined => {
  const number = event.payload.game
  if (state.game === null || number !== state.game.number) {
    const next = state.game?.number ?? nextGame(state)
    return number < next
      ? reject("late_fact", `game ${number} is over`)
      : reject("early_fact", `game ${number} has not started; the ${state.game === null ? "next" : "current"} game is ${next}`)
  }
  if (state.suspendedAt !== null) return suspended
  return decideInGame(state.lobby, state.game, event)
}
