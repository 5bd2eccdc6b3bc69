/**
 * Generates complete lobbies fight by fight from a seed. Reads no outside state and gives the same facts for the same
 * options. It is lazy: a fight is simulated only when its facts are requested. The rules keep the state.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { Random } from "@matchpoint/simulator/random"
import { matchPointWinner } from "../../rules/archive/points.ts"
import { type LobbySheet, MOST_GAMES } from "../../rules/live/lobby.ts"
import { gamesOfTeams } from "../../rules/live/standings.ts"
import type { LobbyState } from "../../rules/live/state.ts"
import type { ApexSquad } from "../apexTeams.ts"
import { LobbyPlay } from "./LobbyPlay.ts"
import { simulateGame } from "./simulateGame.ts"
import type { TimedFact } from "./timedFact.ts"

/**
 * Increase with every change of the facts from a seed; a test enforces it. Else stored lobbies continue differently.
 */
export const GENERATOR_VERSION = 2

export interface LobbyOptions {
  /** Any safe integer. */
  readonly seed: number
  readonly matchId: MatchId
  readonly lobby: LobbySheet
  /** Squads in the order of the lobby's teams. */
  readonly squads: ReadonlyArray<ApexSquad>
}

/** Probabilities per game. */
const PAUSE = 0.08
const CORRECTION = 0.06

/**
 * Facts in order. The n-th fact has the id `sim:<n>`, and the first fact is `MatchCreated` at offset 0. To resume after
 * the n-th fact, skip the first n facts. Returns the final state, in which times are offsets.
 */
export function* simulateLobby(options: LobbyOptions): Generator<TimedFact, LobbyState, undefined> {
  const { lobby, matchId, seed, squads } = options
  const random = new Random(seed)
  const play = new LobbyPlay(matchId)
  yield play.add({ type: "MatchCreated", payload: lobby })
  for (let game = 1; game <= MOST_GAMES; game += 1) {
    // The first game starts at once, so that a new server soon has a game in progress.
    const pace = game === 1 ? 0.1 : 1
    play.pass(pace * random.between(20_000, 40_000))
    yield play.add({ type: "LobbyReady", payload: { game } })
    if (random.chance(PAUSE)) yield* pause(random, play)
    play.pass(pace * random.between(60_000, 90_000))
    yield* simulateGame(random, play, squads, game)
    if (random.chance(CORRECTION)) {
      play.pass(45_000)
      yield play.add({ type: "GameCorrected", payload: { game, results: withPenalty(random, play, game) } })
    }
    if (isDecided(play, lobby)) break
  }
  play.pass(15_000)
  yield play.add({ type: "SeriesEnded", payload: {} })
  return play.live
}

function* pause(random: Random, play: LobbyPlay): Generator<TimedFact, void, undefined> {
  if (play.live.status !== "live") return
  yield play.add({ type: "Suspended", payload: { reason: "technical fault" } })
  play.pass(random.between(60_000, 180_000))
  yield play.add({ type: "Resumed", payload: {} })
}

/** A random team loses a kill, as a penalty. */
const withPenalty = (random: Random, { live }: LobbyPlay, game: number) => {
  const results = live.games[game - 1]?.results ?? []
  const punished = random.int(0, results.length - 1)
  return results.map(({ kills, placement }, index) => ({
    team: index + 1,
    placement,
    kills: index === punished ? Math.max(0, kills - 1) : kills,
  }))
}

/** The planned games are over, or a team has won the match point series. */
const isDecided = ({ live }: LobbyPlay, { format }: LobbySheet): boolean =>
  format.matchPoint === null ? live.games.length >= format.games : matchPointWinner(gamesOfTeams(live), format.matchPoint) !== undefined
