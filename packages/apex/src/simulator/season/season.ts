/**
 * A simulated season: two splits with series in every region, a championship with a match point final, a third split
 * that is still to come, players and transactions. The same seed and day always give the same season. No side effects.
 */
import { matchIdOf } from "@matchpoint/domain/ids"
import { finalStateOf } from "@matchpoint/simulator/Play"
import { childSeed, Random } from "@matchpoint/simulator/random"
import { MATCH_POINT_THRESHOLD } from "../../rules/archive/points.ts"
import type { ApexPlayer, ApexSeries, ApexTeamGame, ApexTournament, ApexTransaction, Region } from "../../rules/archive/series.ts"
import { SIMULATED } from "../../rules/archive/simulated.ts"
import { APEX } from "../../rules/game.ts"
import { archivedSeries } from "../../rules/live/archivedSeries.ts"
import { resultOf } from "../../rules/live/result.ts"
import { type ApexSquad, apexTeams, type LeagueRegion, leagueRegions, strengthOf } from "../apexTeams.ts"
import { simulateLobby } from "../live/simulateLobby.ts"
import { teamSheets } from "../live/world.ts"
import { formerSquads, rostersAfter } from "./transfers.ts"

/** Rows of the archive, in the order in which they are written. */
export interface SeasonRows {
  readonly tournaments: ReadonlyArray<ApexTournament>
  readonly series: ReadonlyArray<ApexSeries>
  readonly players: ReadonlyArray<ApexPlayer>
  readonly transactions: ReadonlyArray<ApexTransaction>
}

export interface SeasonOptions {
  readonly seed: number
  /** Noon of the day on which the season is simulated, in epoch milliseconds. */
  readonly now: number
}

const DAY = 86_400_000
/** First days of the two splits and of the championship, in days before the day of the simulation. */
const SPLITS = [150, 80] as const
const CHAMPIONSHIP = 20
/** Series of each region and split. The last one is a match point final. */
const WEEKS = 3
const GAMES = 6

/** Yields the season in parts, so that each can be written while the next one is simulated. */
export function* simulateSeason({ now, seed }: SeasonOptions): Generator<SeasonRows, void, undefined> {
  const year = new Date(now).getUTCFullYear()
  const squads = new Map(leagueRegions.map((region) => [region, apexTeams(seed, region)]))
  for (const [index, before] of SPLITS.entries()) {
    const startsAt = now - before * DAY
    for (const region of leagueRegions) {
      const random = new Random(childSeed(seed, SEASON + index * 10 + leagueRegions.indexOf(region)))
      const own = squads.get(region) ?? []
      const { squads: moved, transactions } =
        index === 0
          ? { squads: formerSquads(own), transactions: [] }
          : rostersAfter(random, own, apexTeams(seed, region), startsAt - 7 * DAY)
      squads.set(region, moved)
      const tournament = regional(year, index + 1, region, startsAt)
      const series = Array.from({ length: WEEKS }, (_, week) => {
        const isFinal = week === WEEKS - 1
        const plan = { matchPoint: isFinal ? MATCH_POINT_THRESHOLD : null, startsAt: startsAt + week * 7 * DAY }
        const stage = isFinal ? "Regional Final" : `Week ${week + 1}`
        return played(random, tournament, moved, plan, { stage, region, suffix: `week-${week + 1}` })
      })
      yield { tournaments: [tournament], series, players: [], transactions }
    }
  }
  yield championship(new Random(childSeed(seed, SEASON + 100)), year, now - CHAMPIONSHIP * DAY, squads)
  yield { tournaments: [], series: [], players: [...squads.values()].flat().flatMap(playersOf), transactions: [] }
  yield upcoming(year, now + 10 * DAY, squads)
}

const SEASON = 0xaf_0000

/** `location` is null for tournaments that are played online. */
const tournamentOf = (
  id: string,
  name: string,
  region: Region,
  startsAt: number,
  days: number,
  location: string | null = null,
): ApexTournament => ({
  tournamentId: id,
  name: `${name} (simulated)`,
  description: null,
  region,
  source: SIMULATED,
  startsOn: dayOf(startsAt),
  endsOn: dayOf(startsAt + (days - 1) * DAY),
  location,
})

const regional = (year: number, split: number, region: LeagueRegion, startsAt: number): ApexTournament =>
  tournamentOf(`sim-${year}-split-${split}-${region}`, `Daylight League ${year} Split ${split} ${region}`, region, startsAt, 7 * WEEKS - 6)

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

interface SeriesPlan {
  readonly matchPoint: number | null
  /** Epoch milliseconds. */
  readonly startsAt: number
}

interface SeriesName {
  readonly stage: string
  readonly region: Region
  /** Last part of the id, unique in the tournament. */
  readonly suffix: string
}

/** A series that has not been played. */
const planned = (
  { name, tournamentId }: ApexTournament,
  squads: ReadonlyArray<ApexSquad>,
  { matchPoint, startsAt }: SeriesPlan,
  { region, stage, suffix }: SeriesName,
): ApexSeries => ({
  seriesId: `${tournamentId}-${suffix}`,
  tournamentId,
  tournamentName: name,
  name: stage,
  stage,
  region,
  status: "scheduled",
  source: SIMULATED,
  matchPoint,
  day: dayOf(startsAt),
  dateIsTournamentStart: false,
  startsAt,
  endedAt: null,
  teams: squads.map(({ id, name: teamName }) => ({ teamName, teamId: id, statedRank: null, statedPoints: null })),
  games: [],
  raw: null,
})

const played = (
  random: Random,
  tournament: ApexTournament,
  squads: ReadonlyArray<ApexSquad>,
  plan: SeriesPlan,
  name: SeriesName,
): ApexSeries => {
  const series = planned(tournament, squads, plan, name)
  const lobby = {
    name: series.name,
    stage: series.stage,
    region: series.region,
    tournament: { id: tournament.tournamentId, name: tournament.name },
    format: { games: GAMES, matchPoint: plan.matchPoint },
    teams: teamSheets(squads),
  }
  const state = finalStateOf(simulateLobby({ seed: random.int(0, 0xffff_ffff), matchId: matchIdOf(APEX, 1), lobby, squads }))
  const archived = archivedSeries(series.seriesId, resultOf(state))
  if (typeof archived === "string") throw new Error(`${series.seriesId} is not archived: ${archived}`)
  return {
    ...series,
    status: archived.status,
    endedAt: plan.startsAt + (archived.endedAt ?? 0),
    games: archived.games.map((game) => ({
      ...game,
      startedAt: plan.startsAt + (game.startedAt ?? 0),
      teams: game.teams.map(withSurvivalTime),
    })),
  }
}

/** A team survives until its last player is out. */
const withSurvivalTime = (team: ApexTeamGame): ApexTeamGame => ({
  ...team,
  statistics: { ...team.statistics, survivalTime: Math.max(...team.players.map(({ statistics }) => statistics.survivalTime ?? 0)) },
})

/** The five strongest teams of each region meet in two semi-finals. The best ten of each play the final. */
const championship = (
  random: Random,
  year: number,
  startsAt: number,
  squads: ReadonlyMap<LeagueRegion, ReadonlyArray<ApexSquad>>,
): SeasonRows => {
  const tournament = tournamentOf(`sim-${year}-championship`, `Daylight Championship ${year}`, "global", startsAt, 3, "Daylight Arena")
  const best = [...squads.values()].flatMap((own) => own.toSorted((one, other) => strengthOf(other) - strengthOf(one)).slice(0, 10))
  const groups = [best.filter((_, index) => index % 2 === 0), best.filter((_, index) => index % 2 === 1)]
  const semiFinals = groups.map((group, index) =>
    played(
      random,
      tournament,
      group,
      { matchPoint: null, startsAt: startsAt + index * 4 * 3_600_000 },
      {
        stage: `Semi-final ${index + 1}`,
        region: "global",
        suffix: `semi-final-${index + 1}`,
      },
    ),
  )
  const finalists = groups.flatMap((group) => group.toSorted((one, other) => strengthOf(other) - strengthOf(one)).slice(0, 10))
  const plan = { matchPoint: MATCH_POINT_THRESHOLD, startsAt: startsAt + 2 * DAY }
  const final = played(random, tournament, finalists, plan, { stage: "Final", region: "global", suffix: "final" })
  return { tournaments: [tournament], series: [...semiFinals, final], players: [], transactions: [] }
}

const upcoming = (year: number, startsAt: number, squads: ReadonlyMap<LeagueRegion, ReadonlyArray<ApexSquad>>): SeasonRows => {
  const tournaments = leagueRegions.map((region) => regional(year, SPLITS.length + 1, region, startsAt))
  const series = leagueRegions.flatMap((region, index) => {
    const tournament = tournaments[index]
    const name = { stage: "Week 1", region, suffix: "week-1" }
    return tournament === undefined ? [] : [planned(tournament, squads.get(region) ?? [], { matchPoint: null, startsAt }, name)]
  })
  return { tournaments, series, players: [], transactions: [] }
}

const playersOf = ({ name: teamName, players, region }: ApexSquad): ReadonlyArray<ApexPlayer> =>
  players.map(({ id, name, role }) => ({ playerId: id, name, teamName, role, regions: [region], source: SIMULATED }))
