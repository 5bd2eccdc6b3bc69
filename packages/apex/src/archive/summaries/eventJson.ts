/** The API's data about a tournament: leaders, teams, standings, legends, compositions. */
import type { Reasons } from "../../contract/http/data/seriesModels.ts"
import type { ApexEventLegends, ApexEventStanding, ApexEventStats, ApexPlayerTotals } from "../../contract/http/data/statsModels.ts"
import { averageOf, countCompositions, countLegends, groupBy } from "../../rules/archive/legends.ts"
import type { ApexSeries, ApexTournament } from "../../rules/archive/series.ts"
import { sumOrNull } from "../../rules/archive/standings.ts"
import { hasStatistics, type PlayerTotals, playerTotals } from "../../rules/archive/totals.ts"
import { rankedTeams } from "../series/rankedTeams.ts"
import { isPlayed, missing, missingIn } from "../series/seriesJson.ts"

/** A series without its raw content. */
export type CountedSeries = Omit<ApexSeries, "raw">

/** Series of a tournament that have each kind of data. */
export interface EventContents {
  readonly series: number
  readonly games: number
  readonly standings: number
  readonly placements: number
  readonly kills: number
  readonly teamStatistics: number
  readonly playerStatistics: number
  readonly legends: number
  readonly bans: number
}

export interface EventSummary {
  readonly stats: ApexEventStats
  readonly legends: ApexEventLegends
  readonly players: ReadonlyArray<ApexPlayerTotals>
  readonly contents: EventContents
  readonly teamNames: ReadonlyArray<string>
}

/** Leaders in each list, rows of standings, and legends and compositions in the summary. */
const LEADERS = 5
const STANDINGS = 20
const TOP = 10

/** The series must be in the order in which they were played. */
export const eventSummaryOf = (
  tournament: Pick<ApexTournament, "tournamentId" | "name" | "region" | "source" | "startsOn" | "endsOn" | "location">,
  series: ReadonlyArray<CountedSeries>,
): EventSummary => {
  const games = series.flatMap((one) => one.games.filter(isPlayed))
  const players = playersOf(series)
  const standings = standingsOf(series)
  const legends = countLegends(games)
  const compositions = countCompositions(games)
  const legendReasons = {
    ...missingIn("legends", legends),
    ...missingIn("compositions", compositions),
    ...emptyReasons({ legends, compositions }),
  }
  const { location, name, region, source, tournamentId } = tournament
  const { endsOn, startsOn } = datesOf(tournament, series)
  return {
    players,
    contents: contentsOf(series),
    teamNames: [...new Set(series.flatMap(({ teams }) => teams.map(({ teamName }) => teamName)))],
    legends: { eventId: tournamentId, games: games.length, legends, compositions, reasons: legendReasons },
    stats: {
      eventId: tournamentId,
      name,
      region,
      source,
      startsOn,
      endsOn,
      location,
      series: series.length,
      games: games.length,
      teamCount: standings.length,
      playerCount: players.length,
      leaders: {
        kills: leadersOf(players, ({ kills }) => kills),
        damage: leadersOf(players, ({ damage }) => damage),
        assists: leadersOf(players, ({ assists }) => assists),
        knockdowns: leadersOf(players, ({ knockdowns }) => knockdowns),
      },
      teams: {
        points: teamLeadersOf(standings, ({ points }) => points),
        kills: teamLeadersOf(standings, ({ kills }) => kills),
        wins: teamLeadersOf(standings, ({ wins }) => wins),
        hms: teamLeadersOf(standings, ({ hms }) => hms),
      },
      standings: standings.slice(0, STANDINGS),
      legends: legends.slice(0, TOP),
      compositions: compositions.slice(0, TOP),
      reasons: {
        ...missing({ region, startsOn, endsOn, location }),
        ...emptyReasons({ leaders: players, standings }),
        ...legendReasons,
        ...(standings.length > 0 && standings.every(({ kills }) => kills === null) ? { "teams.kills": killGapOf(series) } : {}),
        ...(standings.length > 0 && standings.every(({ wins }) => wins === null) ? { "teams.wins": killGapOf(series) } : {}),
      },
    },
  }
}

/** Stated dates of a tournament, or those of its series. */
const datesOf = ({ endsOn, startsOn }: Pick<ApexTournament, "endsOn" | "startsOn">, series: ReadonlyArray<CountedSeries>) => {
  const days = series.flatMap(({ day }) => day ?? []).toSorted()
  const areDaysExact = days.length === series.length && series.every(({ dateIsTournamentStart }) => !dateIsTournamentStart)
  return { startsOn: startsOn ?? days[0] ?? null, endsOn: endsOn ?? (areDaysExact ? (days.at(-1) ?? null) : null) }
}

/** Results of each team in all series, most points first. */
const standingsOf = (series: ReadonlyArray<CountedSeries>): ReadonlyArray<ApexEventStanding> => {
  const rows = series.flatMap((one) => rankedTeams(one).filter(({ games }) => games.length > 0))
  return [...groupBy(rows, ({ teamName }) => teamName)]
    .map(([teamName, played]) => {
      const placements = played.flatMap(({ games }) => games.map(({ placement }) => placement))
      return {
        teamName,
        points: played.reduce((sum, { points }) => sum + points, 0),
        kills: sumOrNull(played.map(({ kills }) => kills)),
        hms: Math.max(...played.map(({ hms }) => hms ?? 0)),
        wins: placements.includes(null) ? null : placements.filter((placement) => placement === 1).length,
        series: played.length,
        games: placements.length,
        averagePlacement: averageOf(placements),
      }
    })
    .toSorted((one, other) => other.points - one.points || other.hms - one.hms || (one.teamName < other.teamName ? -1 : 1))
    .map((row, index) => ({ rank: index + 1, ...row }))
}

const playersOf = (series: ReadonlyArray<CountedSeries>): ReadonlyArray<ApexPlayerTotals> => {
  const seriesOf = new Map<string, number>()
  for (const { games } of series) {
    const ids = new Set(games.flatMap(({ teams }) => teams.flatMap(({ players }) => players.map(({ playerId }) => playerId))))
    for (const id of ids) seriesOf.set(id, (seriesOf.get(id) ?? 0) + 1)
  }
  return playerTotals(series.flatMap(({ games }) => games)).map((totals) => totalsRowOf(totals, seriesOf.get(totals.playerId) ?? 0))
}

const totalsRowOf = ({ games, kills, legends, playerId, playerName, statistics, teamName }: PlayerTotals, series: number) => ({
  playerId,
  playerName,
  teamName,
  series,
  games,
  kills,
  ...statistics,
  killsPerGame: perGame(kills, games),
  damagePerGame: perGame(statistics.damage, games),
  legends,
  reasons: missing({ kills, ...statistics }),
})

const perGame = (sum: number | null, games: number): number | null =>
  sum === null || games === 0 ? null : Math.round((sum / games) * 100) / 100

/** Players with equal values have the same rank. */
const leadersOf = (players: ReadonlyArray<ApexPlayerTotals>, numberOf: (player: ApexPlayerTotals) => number | null) =>
  ranked(players, numberOf).map(({ of: { playerId, playerName, teamName }, rank, value }) => ({
    rank,
    playerId,
    playerName,
    teamName,
    value,
  }))

const teamLeadersOf = (teams: ReadonlyArray<ApexEventStanding>, numberOf: (team: ApexEventStanding) => number | null) =>
  ranked(teams, numberOf).map(({ of: { teamName }, rank, value }) => ({ rank, teamName, value }))

const ranked = <A>(rows: ReadonlyArray<A>, numberOf: (row: A) => number | null) => {
  const sorted = rows
    .flatMap((of) => {
      const value = numberOf(of)
      return value === null ? [] : [{ of, value }]
    })
    .toSorted((one, other) => other.value - one.value)
  return sorted.slice(0, LEADERS).map((row) => ({ ...row, rank: sorted.findIndex(({ value }) => value === row.value) + 1 }))
}

const contentsOf = (series: ReadonlyArray<CountedSeries>): EventContents => {
  const count = (has: (one: CountedSeries) => boolean) => series.filter(has).length
  const teamGames = ({ games }: CountedSeries) => games.flatMap(({ teams }) => teams)
  return {
    series: series.length,
    games: series.reduce((sum, { games }) => sum + games.filter(isPlayed).length, 0),
    standings: count((one) => teamGames(one).length > 0),
    placements: count((one) => teamGames(one).some(({ placement }) => placement !== null)),
    kills: count((one) => teamGames(one).some(({ kills }) => kills !== null)),
    teamStatistics: count((one) => teamGames(one).some(({ statistics }) => hasStatistics(statistics))),
    playerStatistics: count((one) => teamGames(one).some(({ players }) => players.length > 0)),
    legends: count((one) => teamGames(one).some(({ players }) => players.some(({ legend }) => legend !== null))),
    bans: count(({ games }) => games.some(({ bannedLegends }) => bannedLegends !== null)),
  }
}

const killGapOf = (series: ReadonlyArray<CountedSeries>) =>
  series.some(({ games }) => games.some(({ placementGap }) => placementGap === "contradictory_source"))
    ? ("contradictory_source" as const)
    : ("not_recorded" as const)

const emptyReasons = (lists: Readonly<Record<string, ReadonlyArray<unknown>>>): Reasons =>
  Object.fromEntries(Object.entries(lists).flatMap(([name, list]) => (list.length === 0 ? [[name, "not_recorded" as const]] : [])))
