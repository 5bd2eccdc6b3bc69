/**
 * Derives the format of a recorded match from its tournament, tour and draw, never from the score. The recordings are
 * from 2010 to 2015, when the Australian Open, the French Open, Wimbledon, Davis Cup and Fed Cup had no tie-break in the
 * final set. The third sets of doubles are written as sets, even where a match tie-break was played.
 */
import { isLowerDavisCupGroup } from "../../rules/archive/teamCups.ts"
import { bestOfThree, type MatchFormat } from "../../rules/live/format.ts"
import type { PointRow } from "./pointRows.ts"

const bestOfFive: MatchFormat = { ...bestOfThree, bestOf: 5 }

/** Names of the Grand Slam singles with spaces and punctuation removed, in lower case. */
const grandSlam = /^(?:gentlemens|ladies)wimbledon|^(?:wo)?mens(?:australian|french|us)open/

export const formatOf = ({ draw, tour, tournament }: PointRow): MatchFormat => {
  const name = tournament.toLowerCase().replace(/[^a-z]/g, "")
  if (name.includes("daviscup")) return isLowerDavisCupGroup(tournament) ? bestOfThree : { ...bestOfFive, finalSet: "advantage" }
  if (name.includes("fedcup")) return { ...bestOfThree, finalSet: "advantage" }
  if (!grandSlam.test(name)) return bestOfThree
  // The last qualifying round of Wimbledon and the wild card play-off of the Australian Open are best of five.
  const isFive = tour === "ATP" && (draw === "Main" || name.includes("finalround"))
  return { ...(isFive ? bestOfFive : bestOfThree), finalSet: name.includes("usopen") ? "tie_break" : "advantage" }
}
