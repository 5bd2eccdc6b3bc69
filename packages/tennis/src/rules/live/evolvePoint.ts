/** Applies a point: counts it, and ends the game, the set and the match if the point wins them. */
import type { FeedEventOf } from "./feedEvents.ts"
import { otherSide, type Pair, type SideIndex, setsToWin, tieBreakDue, winsGame, winsSet, winsTieBreak } from "./format.ts"
import { momentumAfter } from "./momentum.ts"
import { importanceOf, stakeOf } from "./stakes.ts"
import { type Game, isBreakPoint, type LastPoint, type MatchState, type SetScore, serverOf, type Tally } from "./state.ts"

export const evolvePoint = (state: MatchState, event: FeedEventOf<"PointPlayed">): MatchState => {
  const { game } = state
  const server = serverOf(state)
  if (game === null || server === undefined) return state
  const { winner } = event.payload
  const points = plusOne(game.points, winner)
  const stake = stakeOf(state, winner)
  const lastPoint: LastPoint = { ...event.payload, server, won: stake === null ? "point" : stake === "break" ? "game" : stake }
  const counted: MatchState = {
    ...state,
    tallies: talliesAfter(state, server, event.payload, stake !== null && game.tieBreakTo === null),
    momentum: momentumAfter(state.momentum, winner, importanceOf(state)),
    lastPoint,
  }
  const isWon =
    game.tieBreakTo === null
      ? winsGame(points[winner], points[otherSide(winner)], state.rules.noAd)
      : winsTieBreak(points[winner], points[otherSide(winner)], game.tieBreakTo)
  return isWon ? gameWon(counted, { ...game, points }, winner, event.observedAt) : { ...counted, game: { ...game, points } }
}

const plusOne = ([one, two]: Pair, side: SideIndex): Pair => (side === 0 ? [one + 1, two] : [one, two + 1])

const gameWon = (state: MatchState, game: Game, winner: SideIndex, at: number): MatchState => {
  const number = state.sets.length
  const set = state.sets[number - 1]
  if (set === undefined) return state
  const games = plusOne(set.games, winner)
  const isSetWon = game.tieBreakTo !== null || winsSet(games[winner], games[otherSide(winner)])
  const tieBreak = game.tieBreakTo === null ? null : game.points
  const sets = [...state.sets.slice(0, -1), { games, tieBreak, winner: isSetWon ? winner : null, endedAt: isSetWon ? at : null }]
  // Service alternates game by game, also into the next set. A tie-break counts as one game of its first server.
  const server = otherSide(game.firstServer)
  if (!isSetWon) return { ...state, sets, game: gameAt(games, number, server, state) }
  const setsWon = plusOne(state.setsWon, winner)
  const next: MatchState = { ...state, sets, setsWon }
  return setsWon[winner] === setsToWin(state.rules)
    ? { ...next, game: null, status: "completed", winner, endReason: "completed", endedAt: at }
    : openSet(next, server)
}

const emptySet: SetScore = { games: [0, 0], tieBreak: null, winner: null, endedAt: null }

export const openSet = (state: MatchState, server: SideIndex): MatchState => ({
  ...state,
  sets: [...state.sets, emptySet],
  setServer: server,
  // Pairs may choose a new order before each set. ServeOrderChosen reports it.
  firstServers: [0, 0],
  game: gameAt([0, 0], state.sets.length + 1, server, state),
})

/** The game or tie-break that begins at this score of the set. */
export const gameAt = (games: Pair, set: number, firstServer: SideIndex, { rules }: MatchState): Game => ({
  points: [0, 0],
  tieBreakTo: tieBreakDue(games, set, rules) ?? null,
  firstServer,
})

/** `endsGame` is true if the point ends an ordinary game. */
const talliesAfter = (
  state: MatchState,
  server: SideIndex,
  { kind, winner }: FeedEventOf<"PointPlayed">["payload"],
  endsGame: boolean,
): readonly [Tally, Tally] => {
  const faced = isBreakPoint(state) ? 1 : 0
  const served = endsGame ? 1 : 0
  const tally = (side: SideIndex): Tally => {
    const own = state.tallies[side]
    const won = winner === side ? 1 : 0
    if (side !== server) return won === 1 ? { ...own, pointsWon: own.pointsWon + 1 } : own
    return {
      pointsWon: own.pointsWon + won,
      aces: own.aces + (kind === "ace" ? 1 : 0),
      doubleFaults: own.doubleFaults + (kind === "double_fault" ? 1 : 0),
      servePoints: own.servePoints + 1,
      servePointsWon: own.servePointsWon + won,
      serviceGames: own.serviceGames + served,
      serviceGamesWon: own.serviceGamesWon + served * won,
      breakPointsFaced: own.breakPointsFaced + faced,
      breakPointsSaved: own.breakPointsSaved + faced * won,
    }
  }
  return [tally(0), tally(1)]
}
