import { groupBy } from "../legends.ts"
import type { ApexGame, ApexPlayerGame, ApexSeries, ApexTeamGame } from "../series.ts"
import { noStatistics } from "../series.ts"
import { sumStatistics } from "../totals.ts"
import type { BanLine, LobbyLine, PlayerLine } from "./lobbyLines.ts"
import { knownTournament, mapsOfRotation, matchupOf, slugOf, type TournamentFile } from "./tournamentFile.ts"

export interface LobbyFile {
  readonly tournamentId: string
  /** Name of the file without its ending, which the tournament's description refers to. */
  readonly lobby: string
  readonly tournament: TournamentFile | undefined
  /** Other spellings of maps. */
  readonly mapAliases: Readonly<Record<string, string>>
  readonly lines: ReadonlyArray<LobbyLine>
  /** Total points of each team as stated by another file. */
  readonly totals: ReadonlyMap<string, number>
  readonly players: ReadonlyArray<PlayerLine>
  /** `null` if there is no file of bans. */
  readonly bans: ReadonlyArray<BanLine> | null
  readonly raw: ApexSeries["raw"]
}

export const seriesOfLobby = (file: LobbyFile): ApexSeries => {
  const { lines, lobby, tournament, tournamentId } = file
  const matchup = matchupOf(tournament, lobby)
  const games = gamesOf(file, matchup?.maps)
  const ranks = new Map(lines.map(({ rank, teamName }) => [teamName, rank]))
  return {
    seriesId: `${tournamentId}-${slugOf(lobby)}`,
    tournamentId,
    tournamentName: tournament?.name ?? tournamentId,
    name: matchup?.title ?? lobby,
    stage: matchup?.day ?? null,
    region: knownTournament(tournamentId) === undefined ? null : "global",
    status: "completed",
    source: "import",
    matchPoint: null,
    day: knownTournament(tournamentId)?.startsOn ?? null,
    dateIsTournamentStart: knownTournament(tournamentId) !== undefined,
    startsAt: null,
    endedAt: null,
    teams: [...ranks].map(([teamName, rank]) => ({
      teamName,
      teamId: null,
      statedRank: rank,
      statedPoints: file.totals.get(teamName) ?? null,
    })),
    games,
    raw: file.raw,
  }
}

/** False if two teams share a placement: then placements and kills were not recorded but made up from the points. */
export const arePlacementsUsable = (placements: ReadonlyArray<number>): boolean => new Set(placements).size === placements.length

const gamesOf = ({ bans, lines, mapAliases, players }: LobbyFile, rotation: string | undefined): ReadonlyArray<ApexGame> => {
  const games = [...groupBy(lines, ({ gameNumber }) => String(gameNumber))].toSorted(([one], [other]) => Number(one) - Number(other))
  const maps = mapsOfRotation(rotation, games.length, mapAliases)
  const playersOf = groupBy(players, ({ gameNumber, teamName }) => `${gameNumber} ${teamName}`)
  return games.map(([number, results], index) => {
    const gameNumber = Number(number)
    const isUsable = arePlacementsUsable(results.map(({ placement }) => placement))
    return {
      gameNumber,
      map: maps[index] ?? null,
      status: "completed",
      startedAt: null,
      duration: null,
      bannedLegends: bans === null ? null : bans.filter((ban) => ban.gameNumber === gameNumber).map(({ legend }) => legend),
      placementGap: isUsable ? null : "contradictory_source",
      teams: results.map((result) =>
        teamGameOf(
          result,
          isUsable,
          (playersOf.get(`${gameNumber} ${result.teamName}`) ?? []).map(({ player }) => player),
        ),
      ),
    }
  })
}

const teamGameOf = (
  { kills, placement, points, teamName }: LobbyLine,
  isUsable: boolean,
  players: ReadonlyArray<ApexPlayerGame>,
): ApexTeamGame => ({
  teamName,
  placement: isUsable ? placement : null,
  kills: isUsable ? kills : null,
  points,
  statistics: players.length === 0 ? noStatistics : { ...sumStatistics(players.map(({ statistics }) => statistics)), survivalTime: null },
  players,
})
