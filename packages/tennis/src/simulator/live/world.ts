/**
 * An endless sequence of live matches of the simulated tours: schedule, formats and seeds, not when they are played.
 */
import { childSeed, Random } from "@matchpoint/simulator/random"
import { bestOfThree, type MatchFormat } from "../../rules/live/format.ts"
import { editionId, playerId, type Surface, type Tour } from "../../rules/live/registry.ts"
import { PLAYERS, type TourPlayer, tourPlayers } from "../season/tourPlayers.ts"
import type { MatchOptions, SimulatedSide } from "./simulateMatch.ts"

export type ScheduledMatch = Omit<MatchOptions, "matchId">

/** Code of the exhibition to which all live matches belong. The archive has no competition with it. */
const CODE = 99_900

const surfaces = ["Hard", "Clay", "Grass"] as const satisfies ReadonlyArray<Surface>

/** Matches per round of the schedule. No player plays twice in a round. */
const ROUND = 16

/** Half of the players of both tours then play, so that a match between free players is found soon. */
export const MOST_MATCHES = PLAYERS / 2

/** Format by place in a round. Matches at even places belong to the ATP, others to the WTA. */
const formatAt = (place: number): MatchFormat => {
  if (place === 4) return { ...bestOfThree, bestOf: 5, finalSet: "tie_break_10" }
  if (place === 6 || place === 7) return { ...bestOfThree, doubles: true, noAd: true, finalSet: "match_tie_break" }
  return place === 12 ? { ...bestOfThree, bestOf: 5, finalSet: "advantage" } : bestOfThree
}

/** The n-th match of a world, n >= 1. `year` is the year of its tournament. */
export const scheduledMatch = (seed: number, n: number, year: number): ScheduledMatch => {
  const place = (n - 1) % ROUND
  const round = Math.floor((n - 1) / ROUND)
  const tour: Tour = place % 2 === 0 ? "atp" : "wta"
  const format = formatAt(place)
  const surface = new Random(childSeed(seed, SURFACES + round)).pick(surfaces)
  const order = new Random(childSeed(seed, ORDERS + round)).shuffle(tourPlayers(seed, tour))
  const own = order.slice(4 * Math.floor(place / 2))
  const players = format.doubles ? 2 : 1
  return {
    seed: childSeed(seed, MATCHES + n),
    tour,
    tournament: {
      name: "Daylight Exhibition (simulated)",
      editionId: editionId(tour, `${year}-${CODE}`),
      surface,
      level: null,
      drawSize: null,
      round: "RR",
    },
    format,
    sides: [sideOf(own.slice(0, players), surface), sideOf(own.slice(players, 2 * players), surface)],
  }
}

const [SURFACES, ORDERS, MATCHES] = [0x5a_0000, 0x6b_0000, 0x7c_0000] as const

const sideOf = (players: ReadonlyArray<TourPlayer>, surface: (typeof surfaces)[number]): SimulatedSide => {
  const mean = (of: (player: TourPlayer) => number) => players.reduce((sum, player) => sum + of(player), 0) / players.length
  return {
    players: players.map(({ firstName, lastName, number, tour }) => ({ id: playerId(tour, number), name: `${firstName} ${lastName}` })),
    serve: mean(({ serve, surfaces: on }) => serve + on[surface]),
    return: mean((player) => player.return + player.surfaces[surface]),
    aceFactor: mean(({ aceFactor }) => aceFactor),
  }
}
