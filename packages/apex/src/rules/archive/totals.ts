/** Sums of teams and players over any number of games. A sum is null if a game does not state the value. */
import { groupBy } from "./legends.ts"
import { type ApexGame, type ApexPlayerGame, type ApexTeamGame, type GameStatistics, noStatistics } from "./series.ts"
import { sumOrNull } from "./standings.ts"

interface Played<A> {
  readonly gameNumber: number
  readonly result: A
}

export interface PlayerTotals {
  readonly playerId: string
  readonly playerName: string
  /** Team of the last game. */
  readonly teamName: string
  readonly kills: number | null
  readonly statistics: GameStatistics
  readonly games: number
  readonly legends: ReadonlyArray<{ readonly legend: string; readonly games: number }>
}

/** Games of each team, in order. */
export const gamesOfTeams = (games: ReadonlyArray<ApexGame>): ReadonlyMap<string, ReadonlyArray<Played<ApexTeamGame>>> =>
  groupBy(
    games.flatMap(({ gameNumber, teams }) => teams.map((result) => ({ gameNumber, result }))),
    ({ result }) => result.teamName,
  )

/** Sums of the players, most kills first. */
export const playerTotals = (games: ReadonlyArray<ApexGame>): ReadonlyArray<PlayerTotals> => {
  const lines = games.flatMap(({ teams }) =>
    teams.flatMap(({ players, teamName }) => players.map((player): PlayerLine => ({ ...player, teamName }))),
  )
  return [...groupBy(lines, ({ playerId }) => playerId).values()]
    .flatMap((played) => {
      const last = played.at(-1)
      return last === undefined ? [] : [totalsOf(last, played)]
    })
    .toSorted((one, other) => (other.kills ?? -1) - (one.kills ?? -1) || (one.playerId < other.playerId ? -1 : 1))
}

/** All statistics are null if there is no game. */
export const sumStatistics = (games: ReadonlyArray<GameStatistics>): GameStatistics => {
  if (games.length === 0) return noStatistics
  const sum = (of: (game: GameStatistics) => number | null) => sumOrNull(games.map(of))
  return {
    assists: sum(({ assists }) => assists),
    damage: sum(({ damage }) => damage),
    damageTaken: sum(({ damageTaken }) => damageTaken),
    knockdowns: sum(({ knockdowns }) => knockdowns),
    revives: sum(({ revives }) => revives),
    respawns: sum(({ respawns }) => respawns),
    ringDamage: sum(({ ringDamage }) => ringDamage),
    survivalTime: sum(({ survivalTime }) => survivalTime),
  }
}

export const hasStatistics = (statistics: GameStatistics): boolean => Object.values(statistics).some((value) => value !== null)

interface PlayerLine extends ApexPlayerGame {
  readonly teamName: string
}

const totalsOf = (last: PlayerLine, played: ReadonlyArray<PlayerLine>): PlayerTotals => ({
  playerId: last.playerId,
  playerName: last.playerName,
  teamName: last.teamName,
  kills: sumOrNull(played.map(({ kills }) => kills)),
  statistics: sumStatistics(played.map(({ statistics }) => statistics)),
  games: played.length,
  legends: [
    ...groupBy(
      played.flatMap(({ legend }) => legend ?? []),
      (legend) => legend,
    ),
  ]
    .map(([legend, { length }]) => ({ legend, games: length }))
    .toSorted((one, other) => other.games - one.games || (one.legend < other.legend ? -1 : 1)),
})
