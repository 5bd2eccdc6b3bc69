/**
 * Computes the state of a lobby after an accepted feed event. Has no side effects and never fails: every event that
 * `decide` accepts can be applied, and the same events in the same order always give the same state.
 */
import { decide } from "./decide.ts"
import { evolveGame, newGame } from "./evolveGame.ts"
import type { FeedEvent, FeedEventOf } from "./feedEvents.ts"
import { leaderOf, standingsNow } from "./standings.ts"
import { type Game, type LobbyState, MAX_SEEN, type PastGame, STATE_FORMAT, seenKey } from "./state.ts"

export const evolve = (state: LobbyState | undefined, event: FeedEvent): LobbyState => {
  if (event.type === "MatchCreated") return create(event)
  if (state === undefined) throw new Error(`${event.type} was accepted without a match`)
  return change(stamp(state, event), event)
}

const change = (state: LobbyState, event: Exclude<FeedEvent, FeedEventOf<"MatchCreated">>): LobbyState => {
  switch (event.type) {
    case "LobbyReady":
      return { ...state, readyFor: event.payload.game }
    case "GameStarted":
      return ranked({
        ...state,
        status: "live",
        readyFor: null,
        game: newGame(state.lobby, event),
        startedAt: state.startedAt ?? event.observedAt,
        countsEverything: true,
      })
    case "GameEnded":
      return state.game === null ? state : archived(state, completed(state, state.game, event.observedAt))
    case "GameCorrected":
      return corrected(state, event)
    case "GameCancelled":
      return cancelledGame(state, event)
    case "SeriesEnded":
      return { ...state, status: "completed", suspendedAt: null, readyFor: null, winner: leaderOf(state), endedAt: event.observedAt }
    case "Cancelled":
      return { ...state, status: "cancelled", suspendedAt: null, readyFor: null, endedAt: event.observedAt }
    case "Suspended":
      return { ...state, suspendedAt: event.observedAt, interruption: { source: event.source, at: event.observedAt } }
    case "Resumed":
      return { ...state, suspendedAt: null, interruption: { source: event.source, at: event.observedAt } }
    case "SourceChanged":
      return changedSource(state, event.payload)
    case "FeedSilent":
      return { ...state, silence: { status: event.payload.status, since: event.payload.lastReportAt } }
    case "HistoryLost":
      return { ...state, epoch: event.payload.epoch, seq: 1, countsEverything: false }
    default: {
      if (state.game === null) return state
      const { game, lastAction } = evolveGame(state.game, event)
      const next = { ...state, game, lastAction: lastAction ?? state.lastAction }
      return game.teams === state.game.teams ? next : ranked(next)
    }
  }
}

const ranked = (state: LobbyState): LobbyState => ({ ...state, standings: standingsNow(state) })

const archived = (state: LobbyState, game: PastGame): LobbyState =>
  ranked({ ...state, game: null, games: [...state.games, game], countsEverything: true })

/** Returns the game as it ended. A team that is still in the game has won it. */
const completed = (state: LobbyState, game: Game, endedAt: number): PastGame => ({
  ...over(state, game, endedAt),
  results: game.teams.map(({ kills, placement }) => ({ placement: placement ?? 1, kills })),
  players: game.players,
})

const over = ({ countsEverything }: LobbyState, { bannedLegends, map, number, startedAt }: Game, endedAt: number): PastGame => ({
  number,
  status: "completed",
  map,
  bannedLegends,
  startedAt,
  endedAt: Math.max(startedAt, endedAt),
  isCorrected: false,
  results: [],
  players: [],
  countsEverything,
})

/** Replaces the results of a game. Statistics of players are kept, because they count what was reported. */
const corrected = (state: LobbyState, { observedAt, payload, source }: FeedEventOf<"GameCorrected">): LobbyState => {
  const results = state.lobby.teams.map((_, index) => {
    const { kills = 0, placement = 1 } = payload.results.find(({ team }) => team === index + 1) ?? {}
    return { placement, kills }
  })
  return decided(state, payload.game, { source, at: observedAt }, (game) => ({ ...game, isCorrected: true, results }))
}

const cancelledGame = (state: LobbyState, { observedAt, payload, source }: FeedEventOf<"GameCancelled">): LobbyState =>
  decided(state, payload.game, { source, at: observedAt }, (game) => ({ ...game, status: "cancelled", results: [], players: [] }))

/** Applies a decision about a game. A game in progress ends with it. */
const decided = (
  state: LobbyState,
  number: number,
  correction: NonNullable<LobbyState["correction"]>,
  decision: (game: PastGame) => PastGame,
): LobbyState => {
  const next = { ...state, correction }
  if (state.game?.number === number) return archived(next, decision(completed(state, state.game, correction.at)))
  return ranked({ ...next, games: state.games.map((game) => (game.number === number ? decision(game) : game)) })
}

/**
 * Uses another feed. The reports of the backup feed on standby are applied if they are possible, as one change of the
 * match.
 */
const changedSource = (state: LobbyState, { reports, source }: FeedEventOf<"SourceChanged">["payload"]): LobbyState => {
  let next: LobbyState = { ...state, source }
  for (const report of reports) {
    if (report.type !== "MatchCreated" && decide(next, report) === undefined) next = change(stamp(next, report), report)
  }
  return { ...next, seq: state.seq }
}

/**
 * Increments `seq`, stores the id of the event, and advances the times of the match, which never go back. A report of a
 * feed ends its silence. Events about a silence or a loss are no reports and keep the times of the last report.
 */
const stamp = (state: LobbyState, event: FeedEvent): LobbyState => {
  const isReport = event.type !== "HistoryLost" && event.type !== "FeedSilent"
  return {
    ...state,
    seq: state.seq + 1,
    seen: [...state.seen.slice(1 - MAX_SEEN), seenKey(event)],
    silence: isReport ? null : state.silence,
    observedAt: isReport ? Math.max(state.observedAt, event.observedAt) : state.observedAt,
    receivedAt: isReport ? Math.max(state.receivedAt, event.receivedAt) : state.receivedAt,
  }
}

const create = ({ id, matchId, observedAt, payload, receivedAt, source }: FeedEventOf<"MatchCreated">): LobbyState => {
  const empty = { lobby: payload, game: null, games: [] }
  return {
    format: STATE_FORMAT,
    matchId,
    epoch: 1,
    seq: 1,
    status: "scheduled",
    source: "live",
    silence: null,
    ...empty,
    readyFor: null,
    standings: standingsNow(empty),
    lastAction: null,
    countsEverything: true,
    winner: null,
    suspendedAt: null,
    correction: null,
    interruption: null,
    seen: [seenKey({ id, source })],
    startedAt: null,
    endedAt: null,
    observedAt,
    receivedAt,
  }
}
