/**
 * Validates a feed event against the state of its lobby: accepts the event or rejects it with a reason. Has no side
 * effects. A rejection is a return value, never an exception.
 */
import { MOST_TEAMS } from "../archive/points.ts"
import { decideInGame, type InGameEvent } from "./decideInGame.ts"
import type { FeedEvent, FeedEventOf } from "./feedEvents.ts"
import { MOST_GAMES } from "./lobby.ts"
import { type Rejection, reject } from "./rejections.ts"
import { type LobbyState, type Marked, nextGame, seenKey } from "./state.ts"

/** Maximum time by which the clock of a feed may be ahead of the server's clock, in milliseconds. */
export const MAX_CLOCK_LEAD_MS = 60_000

/** Returns the reason why an event is rejected, or undefined if it is accepted. */
export const decide = (state: LobbyState | undefined, event: FeedEvent): Rejection | undefined => {
  if (event.observedAt > event.receivedAt + MAX_CLOCK_LEAD_MS) {
    return reject("observed_in_future", `observedAt is ${event.observedAt - event.receivedAt} ms ahead of the server's clock`)
  }
  if (state === undefined) {
    return event.type === "MatchCreated" ? decideCreated(event) : reject("match_not_created", "the first event must be MatchCreated")
  }
  if (event.matchId !== state.matchId) return reject("wrong_match", `the event belongs to ${event.matchId}, not to ${state.matchId}`)
  if (event.type === "HistoryLost") {
    const { epoch } = event.payload
    return epoch > state.epoch ? undefined : reject("duplicate", `epoch ${epoch} does not follow ${state.epoch}`)
  }
  if (event.source === "backup" && state.source === "live") return reject("backup_standby", "the main feed is in use")
  if (event.type === "MatchCreated") return reject("match_exists", `${state.matchId} already exists`)
  if (state.seen.includes(seenKey(event))) return reject("duplicate", `fact ${event.id} was already accepted`)
  if (state.status === "completed" || state.status === "cancelled") return reject("match_over", `${state.matchId} is ${state.status}`)
  switch (event.type) {
    case "Cancelled":
      return undefined
    case "SourceChanged":
      return event.payload.source === state.source
        ? reject("outdated", "the match already uses this feed")
        : isCurrent(state, event.payload)
    case "LobbyReady":
    case "GameStarted":
      return decideStart(state, event)
  }
  if (state.status === "scheduled") return reject("match_not_started", "no GameStarted was accepted yet")
  switch (event.type) {
    case "FeedSilent":
      return isCurrent(state, event.payload)
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

/** Rejects a decision of the watchdog that is about an earlier state. The watchdog then decides again. */
const isCurrent = ({ seq }: LobbyState, { basedOn }: { readonly basedOn: number }): Rejection | undefined =>
  basedOn === seq ? undefined : reject("outdated", `the decision is based on change ${basedOn}; the match is at change ${seq}`)

/**
 * Rejects an event that its feed observed before an event of the same kind that was already applied: it is a repetition
 * or comes out of order. The clocks of two feeds are not compared.
 */
const isNotBefore = (marked: Marked | null, { id, observedAt, source }: FeedEvent): Rejection | undefined =>
  marked !== null && marked.source === source && observedAt < marked.at
    ? reject("late_fact", `fact ${id} was observed before one that was already applied`)
    : undefined

const decideCreated = ({ payload: { teams } }: FeedEventOf<"MatchCreated">): Rejection | undefined => {
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

/** Accepts a decision of the officials about the game in progress or an earlier one. */
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
