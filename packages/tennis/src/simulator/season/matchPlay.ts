/**
 * Plays a whole match of the simulated tours point by point, and counts its statistics as the archive does: a tie-break
 * is no service game, but its points count as serve points. No side effects.
 */
import type { Random } from "@matchpoint/simulator/random"

/** Probabilities against a certain opponent on a certain surface. */
export interface ServeChances {
  readonly firstIn: number
  readonly firstWon: number
  /** Probability of winning a point whose second serve is in. */
  readonly secondWon: number
  /** Probability that a first serve that is in is an ace. At most `firstWon`. */
  readonly ace: number
  /** Probability that a second serve is a fault. */
  readonly doubleFault: number
}

export interface ServeCounts {
  aces: number
  doubleFaults: number
  servePoints: number
  firstIn: number
  firstWon: number
  secondWon: number
  serveGames: number
  breakPointsSaved: number
  breakPointsFaced: number
}

type Side = 0 | 1

export interface PlayedSet {
  readonly games: readonly [number, number]
  /** Points of the player that lost the tie-break, or `null` if there was none. */
  readonly tieBreak: number | null
}

export interface PlayedMatch {
  readonly winner: Side
  readonly ending: "completed" | "retired" | "walkover"
  readonly sets: ReadonlyArray<PlayedSet>
  readonly serve: readonly [ServeCounts, ServeCounts]
}

const WALKOVERS = 0.006
const RETIREMENTS = 0.025

/** `chances` belong to the side that serves. */
export const playMatch = (random: Random, chances: readonly [ServeChances, ServeChances], bestOf: 3 | 5): PlayedMatch => {
  const serve: [ServeCounts, ServeCounts] = [noCounts(), noCounts()]
  if (random.chance(WALKOVERS)) return { winner: sideOf(random), ending: "walkover", sets: [], serve }
  // A retirement comes after this many games, unless the match is over before.
  const lastGame = random.chance(RETIREMENTS) ? random.int(1, 22) : Number.POSITIVE_INFINITY
  const play = new Play(random, chances, serve, lastGame)
  const needed = (bestOf + 1) / 2
  const won: [number, number] = [0, 0]
  while (won[0] < needed && won[1] < needed) {
    const winner = play.set()
    if (winner !== undefined) won[winner] += 1
    const isOver = winner !== undefined && won[winner] === needed
    if (!isOver && play.isRetired) return { winner: sideOf(random), ending: "retired", sets: play.sets, serve }
  }
  return { winner: won[0] === needed ? 0 : 1, ending: "completed", sets: play.sets, serve }
}

class Play {
  readonly sets: Array<PlayedSet> = []
  readonly #random: Random
  readonly #chances: readonly [ServeChances, ServeChances]
  readonly #serve: readonly [ServeCounts, ServeCounts]
  readonly #lastGame: number
  #server: Side
  #games = 0

  constructor(
    random: Random,
    chances: readonly [ServeChances, ServeChances],
    serve: readonly [ServeCounts, ServeCounts],
    lastGame: number,
  ) {
    this.#random = random
    this.#chances = chances
    this.#serve = serve
    this.#lastGame = lastGame
    this.#server = sideOf(random)
  }

  get isRetired(): boolean {
    return this.#games >= this.#lastGame
  }

  /** Undefined if a player retires before the set ends. */
  set(): Side | undefined {
    const games: [number, number] = [0, 0]
    let tieBreak: number | null = null
    let winner: Side | undefined
    while (winner === undefined) {
      let side: Side
      if (games[0] === 6 && games[1] === 6) {
        const points = this.#tieBreak()
        side = points[0] > points[1] ? 0 : 1
        tieBreak = Math.min(...points)
      } else side = this.#game()
      games[side] += 1
      this.#games += 1
      this.#server = other(this.#server)
      if (games[side] === 7 || (games[side] === 6 && games[other(side)] <= 4)) winner = side
      else if (this.isRetired) break
    }
    this.sets.push({ games, tieBreak })
    return winner
  }

  #game(): Side {
    const server = this.#server
    const counts = this.#serve[server]
    counts.serveGames += 1
    let [served, returned] = [0, 0]
    for (;;) {
      const isBreakPoint = returned >= 3 && returned > served
      if (isBreakPoint) counts.breakPointsFaced += 1
      if (this.#point(server)) {
        served += 1
        if (isBreakPoint) counts.breakPointsSaved += 1
      } else returned += 1
      if (served >= 4 && served >= returned + 2) return server
      if (returned >= 4 && returned >= served + 2) return other(server)
    }
  }

  #tieBreak(): readonly [number, number] {
    const points: [number, number] = [0, 0]
    let server = this.#server
    while (Math.max(...points) < 7 || Math.abs(points[0] - points[1]) < 2) {
      points[this.#point(server) ? server : other(server)] += 1
      if ((points[0] + points[1]) % 2 === 1) server = other(server)
    }
    return points
  }

  #point(server: Side): boolean {
    const { ace, doubleFault, firstIn, firstWon, secondWon } = this.#chances[server]
    const counts = this.#serve[server]
    counts.servePoints += 1
    if (this.#random.next() < firstIn) {
      counts.firstIn += 1
      const rally = this.#random.next()
      if (rally < ace) counts.aces += 1
      if (rally < firstWon) counts.firstWon += 1
      return rally < firstWon
    }
    if (this.#random.next() < doubleFault) {
      counts.doubleFaults += 1
      return false
    }
    const isWon = this.#random.next() < secondWon
    if (isWon) counts.secondWon += 1
    return isWon
  }
}

const other = (side: Side): Side => (side === 0 ? 1 : 0)

const sideOf = (random: Random): Side => (random.chance(0.5) ? 0 : 1)

const noCounts = (): ServeCounts => ({
  aces: 0,
  doubleFaults: 0,
  servePoints: 0,
  firstIn: 0,
  firstWon: 0,
  secondWon: 0,
  serveGames: 0,
  breakPointsSaved: 0,
  breakPointsFaced: 0,
})
