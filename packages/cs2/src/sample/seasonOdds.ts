/** Betting odds for simulated upcoming matches, several in succession, so that there is a history to show. */
import { childSeed, Random } from "@matchpoint/simulator/random"
import type { QuotedMarket } from "../archive/odds/QuotedMarket.ts"
import type { ArchivedMatch } from "../rules/archive/ArchivedMatch.ts"
import { decimalOf } from "../rules/odds/market.ts"

const HOUR = 3_600_000
const MOVES = 8
/** Margin of the bookmaker: the implied probabilities of a market add up to 1.05 instead of 1. */
const MARGIN = 0.05

/** Markets for the series and each possible map. The latest change of the odds is before `now` (epoch ms). */
export const seasonOdds = (match: ArchivedMatch, matchNumber: number, now: number): ReadonlyArray<QuotedMarket> => {
  const [team1, team2] = match.teams
  const market = (place: number, title: string): Omit<QuotedMarket, "key" | "kind" | "mapNumber"> => ({
    source: match.source,
    matchNumber,
    title,
    teams: [team1.name, team2.name],
    startsAt: match.startsAt,
    quotes: line(new Random(childSeed(matchNumber, place)), now),
  })
  const title = `${team1.name} - ${team2.name}`
  const maps = Array.from({ length: match.bestOf ?? 1 }, (_, index) => index + 1)
  return [
    { ...market(0, title), key: `${match.key}:series`, kind: "series_winner" },
    ...maps.map(
      (mapNumber): QuotedMarket => ({
        ...market(mapNumber, `${title}, map ${mapNumber}`),
        key: `${match.key}:map-${mapNumber}`,
        kind: "map_winner",
        mapNumber,
      }),
    ),
  ]
}

const line = (random: Random, now: number): QuotedMarket["quotes"] => {
  const price = (share: number) => decimalOf(Math.min(0.99, share * (1 + MARGIN)))
  let chance = random.between(0.3, 0.7)
  return Array.from({ length: MOVES }, (_, index) => {
    chance = Math.min(0.9, Math.max(0.1, chance + random.normal() * 0.02))
    return { at: now - (MOVES - index) * HOUR, team1: price(chance), team2: price(1 - chance), state: "open" as const }
  })
}
