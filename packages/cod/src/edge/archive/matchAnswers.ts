/** Builds the responses about one match from its stored form. Pure. */
import type { StoredMatch } from "../../archive/matches/StoredMatch.ts"
import type { CodMatchDetail } from "../../contract/http/data/matchModels.ts"
import type { CodMapPlayerStats, CodMatchPlayerStats } from "../../contract/http/data/playerModels.ts"
import { modeNames } from "../../rules/archive/modes.ts"
import { engagementsOf, killsPerDeath, totalsOf } from "../../rules/archive/playerTotals.ts"

type Line = StoredMatch["lines"][number]

const named = ({ mapName, mapNumber, mode }: StoredMatch["maps"][number]) => ({ mapNumber, mapName, gameMode: modeNames[mode] })

/** All lines are those of the player. */
const totals = ({ ign, teamSlug }: Line, lines: ReadonlyArray<Line>) => {
  const { rating, ...sums } = totalsOf(lines)
  return { playerName: ign, teamSlug, ...sums, kd: killsPerDeath(sums.kills, sums.deaths), ratings: { overall: rating } }
}

/** The players of team 1 first, and within a team those with the most kills. */
const byPlayer = ({ lines, team1 }: StoredMatch): ReadonlyArray<readonly [Line, ReadonlyArray<Line>]> => {
  const kills = (all: ReadonlyArray<Line>) => all.reduce((sum, line) => sum + (line.kills ?? 0), 0)
  return [...Map.groupBy(lines, ({ playerId, teamSlug }) => `${teamSlug} ${playerId}`).values()]
    .flatMap((all) => (all[0] === undefined ? [] : [[all[0], all] as const]))
    .toSorted(
      ([one, ones], [other, others]) =>
        Number(other.teamSlug === team1.slug) - Number(one.teamSlug === team1.slug) || kills(others) - kills(ones),
    )
}

export const detailAnswer = (match: StoredMatch): CodMatchDetail => {
  const { lines: _lines, maps, startsAt, ...rest } = match
  return {
    ...rest,
    id: match.matchId,
    matchDate: startsAt,
    maps: maps.map((map) => ({
      ...named(map),
      mapImageUrl: null,
      team1Score: map.team1Score,
      team2Score: map.team2Score,
      played: map.played,
      pickedBy: map.pickedBy,
    })),
    playerStats: byPlayer(match).map(([line, all]) => totals(line, all)),
  }
}

/** `mm:ss` */
const durationText = (seconds: number): string =>
  `${String(Math.floor(seconds / 60)).padStart(2, "0")}:${String(seconds % 60).padStart(2, "0")}`

export const mapsAnswer = (match: StoredMatch) => {
  const data = match.maps
    .filter(({ played }) => played)
    .map((map) => ({
      ...named(map),
      team1Score: map.team1Score,
      team2Score: map.team2Score,
      winner: map.winnerSlug,
      duration: map.durationSeconds === null ? null : durationText(map.durationSeconds),
    }))
  return { success: true as const, count: data.length, matchId: match.matchId, data }
}

/** Undefined if the match has no map with this number. */
export const mapPlayersAnswer = (match: StoredMatch, mapNumber: number): CodMapPlayerStats | undefined => {
  const map = match.maps.find((one) => one.mapNumber === mapNumber)
  if (map === undefined) return undefined
  const names = new Map([match.team1, match.team2].map(({ name, slug }) => [slug, name]))
  return {
    map: named(map),
    players: match.lines
      .filter((line) => line.mapNumber === mapNumber)
      .map((line) => ({
        ign: line.ign,
        team: names.get(line.teamSlug) ?? line.teamSlug,
        kills: line.kills,
        deaths: line.deaths,
        kd: killsPerDeath(line.kills, line.deaths),
        damage: line.damage,
        hillTime: line.hillTime,
        engagements: engagementsOf(line),
      })),
  }
}

export const playersAnswer = (match: StoredMatch, includeMaps: boolean): CodMatchPlayerStats => {
  const { bpMatchId, matchId, round, scoreReason, source, startsAt, status, team1, team1Score, team2, team2Score, winnerSlug } = match
  const maps = new Map(match.maps.map((map) => [map.mapNumber, named(map)]))
  const mapsOf = (lines: ReadonlyArray<Line>) =>
    lines.flatMap(({ damage, deaths, kills, mapNumber }) => {
      const map = maps.get(mapNumber)
      return map === undefined ? [] : [{ ...map, kills, deaths, damage }]
    })
  const players = byPlayer(match).map(([line, all]) => ({ ...totals(line, all), ...(includeMaps ? { maps: mapsOf(all) } : {}) }))
  return {
    match: { matchId, bpMatchId, status, round, matchDate: startsAt },
    teams: { team1: { slug: team1.slug, name: team1.name }, team2: { slug: team2.slug, name: team2.name } },
    score: {
      ...{ team1: team1Score, team2: team2Score, reason: scoreReason },
      formatted: team1Score === null || team2Score === null ? null : `${team1Score}-${team2Score}`,
    },
    winnerSlug,
    source,
    count: players.length,
    players,
  }
}
