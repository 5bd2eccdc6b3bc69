/**
 * Derives the format of a recorded match from its tournament, tour and draw. The score is never used. The recordings are
 * from 2010 to 2015, when the Australian Open, the French Open and Wimbledon had no tie-break in the final set.
 */
import { bestOfThree, type MatchFormat } from "@matchpoint/domain/tennis/live/format"
import type { PointRow } from "./pointRows.ts"

const bestOfFive: MatchFormat = { ...bestOfThree, bestOf: 5 }

/** Names of the Grand Slam singles with spaces and punctuation removed, in lower case. */
const grandSlam = /^(?:gentlemens|ladies)wimbledon|^(?:wo)?mens(?:australian|french|us)open/

export const formatOf = ({ draw, sides, tour, tournament }: PointRow): MatchFormat => {
  const name = tournament.toLowerCase().replace(/[^a-z]/g, "")
  // Doubles below the main tours: a match tie-break replaces the third set, and the point at deuce decides the game.
  if (sides.some((side) => side.includes("/"))) return bestOfThree
  if (name.includes("daviscup")) return { ...bestOfFive, finalSet: "advantage" }
  if (name.includes("fedcup")) return { ...bestOfThree, finalSet: "advantage" }
  if (!grandSlam.test(name)) return bestOfThree
  // The last qualifying round of Wimbledon and the wild card play-off of the Australian Open are best of five.
  const isFive = tour === "ATP" && (draw === "Main" || name.includes("finalround"))
  return { ...(isFive ? bestOfFive : bestOfThree), finalSet: name.includes("usopen") ? "tie_break" : "advantage" }
}
