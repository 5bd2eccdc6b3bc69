/** Rows of the archive, from the result of a live match. Pure. */
import { slugOf } from "../archive/names.ts"
import {
  emptyLine,
  type MapResult,
  type MatchRecord,
  type Player,
  type PlayerMapLine,
  type Team,
  type Tournament,
} from "../archive/rows.ts"
import { seasonOf } from "../archive/season.ts"
import { tournamentNamed } from "../archive/tournaments.ts"
import type { LiveMode, SideIndex } from "./format.ts"
import { type PlayerLine, unpackLine } from "./lines.ts"
import type { CodResult } from "./result.ts"

/** Rows of one match, with all rows to which they refer. */
export interface ArchivedMatch {
  readonly season: number
  readonly tournaments: readonly [Tournament]
  readonly teams: ReadonlyArray<Team>
  readonly players: ReadonlyArray<Player>
  readonly matches: readonly [MatchRecord]
}

/** The rows, or the reason why the match cannot be archived. `id` is the id in the archive. */
export const archivedMatch = (id: string, result: CodResult): ArchivedMatch | string => {
  const { teams, winner } = result
  if (winner === null) return "the match has no winner"
  const slugs = [slugOfTeam(teams[0]), slugOfTeam(teams[1])] as const
  if (slugs[0] === "" || slugs[1] === "" || slugs[0] === slugs[1]) return "a team cannot be identified by its name"
  const simulated = result.tournament.name.endsWith(SIMULATED)
  const startsAt = new Date(result.startedAt ?? result.endedAt).toISOString()
  const tournament = { ...tournamentOf(result, startsAt), simulated }
  return {
    season: tournament.season,
    tournaments: [tournament],
    teams: teams.map(({ name }, side) => ({ slug: slugs[side === 0 ? 0 : 1], name, shortName: null, logoUrl: null, simulated })),
    players: teams.flatMap(({ players }) =>
      players.map((player) => ({ playerId: player.id, ign: player.ign, realName: null, imageUrl: null, simulated })),
    ),
    matches: [
      {
        match: {
          matchId: id,
          tournamentId: tournament.tournamentId,
          round: result.tournament.round,
          status: "completed",
          startsAt,
          startTimeKnown: true,
          startOrder: 0,
          bestOf: result.bestOf,
          team1Slug: slugs[0],
          team2Slug: slugs[1],
          team1Score: result.mapsWon[0],
          team2Score: result.mapsWon[1],
          scoreGap: null,
          winnerSlug: slugs[winner],
          isLan: result.tournament.isLan,
          broadcasted: null,
          source: "live",
          simulated,
        },
        maps: result.maps.map((map, index) => mapRow(id, index + 1, map, slugs)),
        lines: result.maps.flatMap((map, index) => lineRows(id, index + 1, map, result, slugs)),
      },
    ],
  }
}

/** End of the names of simulated tournaments. */
const SIMULATED = "(simulated)"

type Slugs = readonly [string, string]
type ResultMap = CodResult["maps"][number]

const slugOfTeam = ({ name, slug }: CodResult["teams"][number]): string => slug ?? slugOf(name)

const tournamentOf = ({ tournament: { id, name } }: CodResult, startsAt: string): Tournament => {
  const season = id === null ? seasonOf(startsAt.slice(0, 10)) : Number(id.slice(0, 4))
  const named = tournamentNamed(season, name)
  return id === null ? named : { ...named, tournamentId: id }
}

const slugAt = (slugs: Slugs, side: SideIndex | null): string | null => (side === null ? null : slugs[side])

const mapRow = (matchId: string, mapNumber: number, map: ResultMap, slugs: Slugs): MapResult => {
  const played = map.winner !== null
  return {
    matchId,
    mapNumber,
    mapName: map.name,
    mode: map.mode,
    team1Score: map.startedAt === null ? null : map.scores[0],
    team2Score: map.startedAt === null ? null : map.scores[1],
    winnerSlug: slugAt(slugs, map.winner),
    played,
    pickedBy: slugAt(slugs, map.pickedBy),
    durationSeconds:
      played && map.startedAt !== null && map.endedAt !== null ? Math.round((map.endedAt - map.startedAt - map.pausedMs) / 1_000) : null,
  }
}

const lineRows = (matchId: string, mapNumber: number, map: ResultMap, result: CodResult, slugs: Slugs): ReadonlyArray<PlayerMapLine> => {
  const { lines } = map
  if (map.winner === null || lines === null) return []
  return ([0, 1] as const).flatMap((side) =>
    result.teams[side].players.flatMap(({ id }, position) => {
      const packed = lines[side][position]
      if (packed === undefined || packed.length === 0) return []
      const line = unpackLine(packed)
      return [
        { ...emptyLine, ...statisticsOf(line, map.mode, result.countsEverything), matchId, mapNumber, playerId: id, teamSlug: slugs[side] },
      ]
    }),
  )
}

/** Statistics that the mode has. If facts are missing, only values that the game itself reported are known. */
const statisticsOf = (line: PlayerLine, mode: LiveMode, isComplete: boolean): Partial<PlayerMapLine> => {
  const { damage, hillTime, kills, deaths, assists, highestStreak, tradeKills, tradedDeaths, captures, ...search } = line
  const { firstBloods, firstDeaths, plants, defuses, ...clutches } = search
  if (!isComplete) return { damage }
  return {
    damage,
    kills,
    deaths,
    assists,
    highestStreak,
    tradeKills,
    tradedDeaths,
    ...(mode === "hardpoint" ? { hillTime } : {}),
    ...(mode === "control" ? { captures } : {}),
    ...(mode === "snd" ? { firstBloods, firstDeaths, plants, defuses, ...clutches } : {}),
  }
}
