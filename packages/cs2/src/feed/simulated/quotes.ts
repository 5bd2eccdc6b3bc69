/** Quotes on a simulated match from its current state. The same state gives the same quotes. */
import type { LiveMatch } from "../../contract/LiveMatch.ts"
import type { MarketQuoted } from "../../contract/odds.ts"
import { mapChance, seriesChance } from "../../rules/odds/chances.ts"
import { decimalOf } from "../../rules/odds/market.ts"

/** Bookmaker margin: quotes use probabilities that are 4 % higher (a factor of 1.04) than the computed ones. */
const MARGIN = 0.04

/** Chance to win a round. Both teams are assumed to be equally strong. */
const EVEN = 0.5

/**
 * Quotes on the series and on every map that may be played. The market of a decided map or series is closed and has a
 * winner. `at` is in epoch milliseconds.
 */
export const quotesOf = (match: LiveMatch, at: number): ReadonlyArray<MarketQuoted> => {
  const [team1, team2] = match.teams
  const won = [match.seriesScore.team1, match.seriesScore.team2] as const
  const inPlay = match.maps.find(({ status }) => status === "live")
  const current = inPlay === undefined ? undefined : mapChance([inPlay.team1Score, inPlay.team2Score], match.rules.maxRounds, EVEN)
  const market = (key: string, title: string, chance: number, winnerId: string | null, mapNumber?: number): MarketQuoted => ({
    source: "simulated",
    key: `${match.matchId}-${key}`,
    matchId: match.matchId,
    kind: mapNumber === undefined ? "series_winner" : "map_winner",
    ...(mapNumber === undefined ? {} : { mapNumber }),
    title,
    teams: [team1.name, team2.name],
    ...(match.startedAt === null ? {} : { startsAt: Date.parse(match.startedAt) }),
    ...(winnerId === null ? {} : { winner: winnerId === team1.id ? 1 : 2 }),
    quote:
      winnerId === null
        ? { at, team1: withMargin(chance), team2: withMargin(1 - chance), state: "open" }
        : { at, team1: null, team2: null, state: "closed" },
  })
  const title = `${team1.name} - ${team2.name}`
  const isOver = match.status === "completed" || match.status === "cancelled"
  const maps = Array.from({ length: match.bestOf }, (_, index) => index + 1).flatMap((number) => {
    const map = match.maps.find(({ mapNumber }) => mapNumber === number)
    // If the match ends before this map is played, the map has no winner. It gets no further quotes, and `OddsWatch`
    // suspends its market.
    if (map === undefined && isOver) return []
    const chance = map === undefined ? EVEN : (current ?? EVEN)
    return [market(`map-${number}`, `${title}, map ${number}`, chance, map?.status === "completed" ? map.winnerTeamId : null, number)]
  })
  return [market("series", title, seriesChance(won, match.bestOf, current, EVEN), isOver ? match.winnerTeamId : null), ...maps]
}

const withMargin = (chance: number): number | null => decimalOf(Math.min(0.999, chance * (1 + MARGIN)))
