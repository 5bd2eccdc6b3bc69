/** Parts of responses that show a series and its games in lists, and its bans. */
import type { ApexBans, ApexMatchRow, ApexSeriesRow, Reasons } from "../../contract/http/data/seriesModels.ts"
import { pointsOfGame } from "../../rules/archive/points.ts"
import type { ApexGame, ApexSeries } from "../../rules/archive/series.ts"
import { rankedTeams } from "./rankedTeams.ts"

export const matchIdOf = (seriesId: string, gameNumber: number): string => `${seriesId}-game-${gameNumber}`

export const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/** Start for sorting and for the history of plans: the epoch if nothing is known. */
export const sortTimeOf = ({ day, startsAt }: Pick<ApexSeries, "day" | "startsAt">, gameStart: number | null = null): string =>
  new Date(gameStart ?? startsAt ?? (day === null ? 0 : Date.parse(day))).toISOString()

export const isPlayed = ({ teams }: ApexGame): boolean => teams.length > 0

/** Reason for each field that is null in at least one of the rows, as `<name>.<field>`. */
export const missingIn = (name: string, rows: ReadonlyArray<object>): Reasons => {
  const fields = new Set(rows.flatMap((row) => Object.entries(row).flatMap(([field, value]) => (value === null ? [field] : []))))
  return Object.fromEntries([...fields].map((field) => [`${name}.${field}`, "not_recorded" as const]))
}

/** Fields that are null although the source could have them. */
export const missing = (fields: Readonly<Record<string, unknown>>): Reasons =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === null ? [[name, "not_recorded" as const]] : [])))

export const listingOf = (series: ApexSeries): ApexSeriesRow => {
  const { day, endedAt, games, region, stage, startsAt, teams } = series
  const [first] = rankedTeams(series)
  const isOver = series.status === "completed"
  const winner =
    isOver && first !== undefined && first.games.length > 0 ? { teamName: first.teamName, kills: first.kills, points: first.points } : null
  return {
    ...keysOf(series),
    name: series.name,
    stage,
    region,
    status: series.status,
    source: series.source,
    schedule: { ...scheduleOf(series, null), endedAt: timeOf(endedAt) },
    format: { type: series.matchPoint === null ? "points" : "match_point", threshold: series.matchPoint },
    maps: games.map(({ map }) => map),
    teamCount: teams.length,
    gameCount: games.length,
    gamesPlayed: games.filter(isPlayed).length,
    winner,
    reasons: {
      ...missing({
        stage,
        region,
        day,
        startsAt,
        ...(isOver ? { endedAt } : {}),
        ...(winner === null ? {} : { "winner.kills": winner.kills }),
      }),
      ...(winner === null ? { winner: "not_played" as const } : {}),
      ...(games.some(({ map }) => map === null) ? { maps: "not_recorded" as const } : {}),
    },
  }
}

export const matchesOf = (series: ApexSeries): ReadonlyArray<ApexMatchRow> =>
  series.games.map((game) => {
    const { duration, map } = game
    const winner = winnerOf(game)
    const schedule = scheduleOf(series, game.startedAt)
    return {
      matchId: matchIdOf(series.seriesId, game.gameNumber),
      ...keysOf(series),
      seriesName: series.name,
      stage: series.stage,
      gameNumber: game.gameNumber,
      map,
      region: series.region,
      status: game.status,
      source: series.source,
      schedule,
      duration,
      teamCount: game.teams.length,
      winner,
      reasons: {
        ...missing({
          stage: series.stage,
          region: series.region,
          map,
          day: schedule.day,
          startsAt: schedule.startsAt,
          ...(isPlayed(game) ? { duration } : {}),
        }),
        ...winnerReason(game),
      },
    }
  })

export const bansOf = (series: ApexSeries): ApexBans => {
  const games = series.games.map((game) => ({
    gameNumber: game.gameNumber,
    map: game.map,
    status: game.status,
    bannedLegends: game.bannedLegends ?? [],
    winner: winnerOf(game),
    reasons: {
      ...missing({ map: game.map, bannedLegends: game.bannedLegends }),
      ...winnerReason(game),
    },
  }))
  const isEmpty = series.games.every(({ bannedLegends }) => bannedLegends === null)
  return { seriesId: series.seriesId, games, reasons: isEmpty ? { bannedLegends: "not_recorded" } : {} }
}

const keysOf = ({ seriesId, tournamentId, tournamentName }: ApexSeries) => ({
  seriesId,
  eventId: tournamentId,
  tournament: { id: tournamentId, name: tournamentName },
})

/** A game without its own start has the day of its series, but no time. */
const scheduleOf = ({ dateIsTournamentStart, day, startsAt }: ApexSeries, gameStart: number | null) => ({
  day: gameStart === null ? day : new Date(gameStart).toISOString().slice(0, 10),
  dateIsTournamentStart: gameStart === null && dateIsTournamentStart,
  startsAt: timeOf(gameStart ?? startsAt),
})

const winnerOf = ({ teams }: ApexGame) => {
  const winner = teams.find(({ placement }) => placement === 1)
  return winner === undefined
    ? null
    : { teamName: winner.teamName, kills: winner.kills, points: winner.kills === null ? winner.points : pointsOfGame(1, winner.kills) }
}

const winnerReason = (game: ApexGame): Reasons => {
  if (!isPlayed(game)) return { winner: "not_played" }
  return winnerOf(game) === null ? { winner: game.placementGap ?? "not_recorded" } : {}
}
