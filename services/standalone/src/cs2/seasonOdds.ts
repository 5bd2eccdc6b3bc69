/** Odds of invented matches that are announced: a line that has moved a few times, so that there is something to follow. Pure. */
import type { ArchivedMatch } from "@matchpoint/domain/cs2/archive/ArchivedMatch"
import { decimalOf } from "@matchpoint/domain/cs2/odds/market"
import { childSeed, Random } from "@matchpoint/simulator/random"
import type { QuotedMarket } from "@matchpoint/store/cs2/OddsRecorder"

const HOUR = 3_600_000
const MOVES = 8
/** Both prices together are this much above a fair line. */
const MARGIN = 0.05

/** `now`: epoch ms; the last move is before it. */
export const seasonOdds = (match: ArchivedMatch, matchNumber: number, now: number): QuotedMarket => {
  const random = new Random(childSeed(matchNumber, 1))
  let chance = random.between(0.3, 0.7)
  const quotes = Array.from({ length: MOVES }, (_, index) => {
    chance = Math.min(0.9, Math.max(0.1, chance + random.normal() * 0.02))
    const price = (share: number) => decimalOf(Math.min(0.99, share * (1 + MARGIN)))
    return { at: now - (MOVES - index) * HOUR, team1: price(chance), team2: price(1 - chance), state: "open" as const }
  })
  return {
    source: match.source,
    key: `${match.key}:series`,
    matchNumber,
    kind: "series_winner",
    title: `${match.teams[0].name} - ${match.teams[1].name}`,
    teams: [match.teams[0].name, match.teams[1].name],
    startsAt: match.startsAt,
    quotes,
  }
}
