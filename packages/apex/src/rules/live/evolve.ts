/**
 * The state after a fact that `decideFact` accepts. Never fails; the same facts in the same order give the same state.
 */
import { newMatch } from "@matchpoint/game/rules/MatchState"
import { markOf } from "@matchpoint/game/rules/rejections"
import { evolveGame, newGame } from "./evolveGame.ts"
import type { Fact, FeedEventOf } from "./feedEvents.ts"
import { leaderOf, standingsNow } from "./standings.ts"
import { type Game, type LobbyState, type PastGame, STATE_FORMAT } from "./state.ts"

export const evolveFact = (state: LobbyState, event: Fact): LobbyState => {
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
      return { ...state, suspendedAt: event.observedAt, interruption: markOf(event) }
    case "Resumed":
      return { ...state, suspendedAt: null, interruption: markOf(event) }
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

/** A team that is still in the game has won it. */
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

/** Replaces results. Statistics of players are kept, because they count what was reported. */
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

export const create = (event: FeedEventOf<"MatchCreated">): LobbyState => {
  const empty = { lobby: event.payload, game: null, games: [] }
  return {
    ...newMatch(STATE_FORMAT, event),
    ...empty,
    readyFor: null,
    standings: standingsNow(empty),
    lastAction: null,
    countsEverything: true,
    winner: null,
    correction: null,
    interruption: null,
  }
}
