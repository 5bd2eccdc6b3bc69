/**
 * Simulates two seasons of a league from a seed, up to a given day: a whole one, and the one in progress with its
 * schedule. The same seed and day always give the same rows. No side effects.
 */
import { FIRST_SIMULATED_MATCH } from "../../rules/archive/matchIds.ts"
import { tournamentIdOf } from "../../rules/archive/names.ts"
import type { ArchiveRows, MatchRecord, Tournament } from "../../rules/archive/rows.ts"
import { seasonOf } from "../../rules/archive/season.ts"
import { standingsOf } from "../../rules/archive/standings.ts"
import { type Pairing, type Placement, playBracket } from "./bracket.ts"
import { championshipStart, MATCH_DURATION, majorStart, matchStart, ROUNDS, roundStart, STAGES } from "./calendar.ts"
import { type LeagueTeam, leagueTeams, TEAM_SIZE } from "./leagueTeams.ts"
import { type Fixture, playMatch, scheduledMatch } from "./matchPlay.ts"
import { pairsOfRound } from "./pairings.ts"
import { CHAMPIONSHIP_PRIZES, MAJOR_PRIZES, majorPoints, POINTS_PER_WIN, playerPrize } from "./prizes.ts"

export interface LeagueOptions {
  readonly seed: number
  /** The present, in milliseconds since the Unix epoch. */
  readonly now: number
}

/** Teams that reach a major or the championship. */
const BRACKET_SIZE = 8
const DAY = 86_400_000

/** Yields the teams and players of each season, and then the rows of its tournaments one by one. */
export function* simulateLeague({ now, seed }: LeagueOptions): Generator<ArchiveRows> {
  const current = seasonOf(new Date(now).toISOString().slice(0, 10))
  for (const season of [current - 1, current]) yield* simulateSeason({ seed, now, season })
}

function* simulateSeason({ now, season, seed }: LeagueOptions & { readonly season: number }): Generator<ArchiveRows> {
  const teams = leagueTeams(seed, season)
  yield {
    teams: teams.map(({ players: _, ...team }) => team),
    players: teams.flatMap(({ players }) => players.map(({ aim: _, objective: __, pace: ___, ...player }) => player)),
    seasonTeams: teams.map(({ slug }) => ({ season, teamSlug: slug })),
  }
  let matches = 0
  const play = (fixture: Omit<Fixture, "matchId">): MatchRecord => {
    const matchId = String(FIRST_SIMULATED_MATCH + season * 1_000 + matches)
    matches += 1
    const whole = { ...fixture, matchId }
    return whole.startsAt + MATCH_DURATION <= now ? playMatch(seed, whole) : scheduledMatch(whole)
  }
  let areMajorsOver = true
  /** Points of each team so far, by slug. */
  const points = new Map(teams.map(({ slug }) => [slug, 0]))
  const add = (slug: string, more: number) => points.set(slug, (points.get(slug) ?? 0) + more)

  for (let stage = 0; stage < STAGES; stage += 1) {
    const qualifiers = tournamentOf(season, `Major ${stage + 1} Qualifiers`, { stage, pointsPerWin: POINTS_PER_WIN })
    const records = Array.from({ length: ROUNDS }, (_, round) =>
      pairsOfRound(teams.length, stage * ROUNDS + round).map((pair, index) =>
        play({
          tournament: qualifiers,
          round: `Week ${round + 1}`,
          // Two matches on each day of the weekend.
          startsAt: matchStart(roundStart(season, stage, round) + Math.floor(index / 2) * DAY, index % 2),
          isLan: false,
          teams: pairOf(teams, pair),
        }),
      ),
    ).flat()
    yield { tournaments: [qualifiers], matches: records }
    for (const { match } of records) if (match.winnerSlug !== null) add(match.winnerSlug, POINTS_PER_WIN)

    const isOver = records.every(({ match }) => match.status === "completed")
    const seeds = standingsOf(
      teams.map(({ slug }) => slug),
      records.map(({ match }) => ({ ...match, pointsPerWin: POINTS_PER_WIN })),
      [],
    ).map(({ teamSlug }) => teamSlug)
    const major = tournamentOf(season, `Major ${stage + 1}`, { stage, pointsPerWin: 0, prizePool: MAJOR_PRIZES })
    const played = playTournament(major, majorStart(season, stage), isOver ? teamsOf(teams, seeds) : [], play)
    areMajorsOver &&= played.places.length > 0
    for (const { placement, team } of played.places) add(team.slug, majorPoints[placement] ?? 0)
    yield { ...played.rows, results: played.places.map(resultOf(major, majorPoints)) }
  }

  const seeds = [...points].sort(([one, more], [other, fewer]) => fewer - more || (one < other ? -1 : 1)).map(([slug]) => slug)
  const championship = tournamentOf(season, "Championship", { prizePool: CHAMPIONSHIP_PRIZES })
  const played = playTournament(championship, championshipStart(season), areMajorsOver ? teamsOf(teams, seeds) : [], play)
  yield { ...played.rows, results: played.places.map(resultOf(championship, {})) }
}

interface Parts {
  /** Number of the stage, from 0. The championship is not part of a stage and does not count in the standings. */
  readonly stage?: number
  readonly pointsPerWin?: number
  readonly prizePool?: number
}

const tournamentOf = (season: number, title: string, { pointsPerWin, prizePool, stage }: Parts): Tournament => {
  const name = `${title} ${season} (simulated)`
  return {
    tournamentId: tournamentIdOf(season, `simulated ${title}`),
    season,
    name,
    stage: stage === undefined ? null : `stage-${stage + 1}`,
    isLeague: stage !== undefined,
    pointsPerWin: pointsPerWin ?? null,
    prizePool: prizePool ?? null,
    simulated: true,
  }
}

/** Plays a bracket as far as its days have come. Without seeds only the tournament is returned. */
const playTournament = (
  tournament: Tournament,
  startsOn: number,
  seeds: ReadonlyArray<LeagueTeam>,
  play: (fixture: Omit<Fixture, "matchId">) => MatchRecord,
): { readonly rows: ArchiveRows; readonly places: ReadonlyArray<Placement<LeagueTeam>> } => {
  const records: Array<MatchRecord> = []
  const perDay = new Map<number, number>()
  const places = playBracket(seeds.slice(0, BRACKET_SIZE), ({ day, round, teams }: Pairing<LeagueTeam>) => {
    const number = perDay.get(day) ?? 0
    perDay.set(day, number + 1)
    const record = play({
      tournament,
      round,
      startsAt: matchStart(startsOn + day * DAY, number),
      isLan: true,
      teams,
    })
    records.push(record)
    return teams.find(({ slug }) => slug === record.match.winnerSlug)
  })
  const earnings = places.flatMap(({ placement, team }) =>
    team.players.map(({ playerId }) => ({
      tournamentId: tournament.tournamentId,
      playerId,
      amount: playerPrize(tournament.prizePool ?? 0, placement, TEAM_SIZE),
      placement,
    })),
  )
  return { rows: { tournaments: [tournament], matches: records, earnings }, places }
}

const resultOf =
  ({ tournamentId }: Tournament, pointsByPlace: Readonly<Record<number, number>>) =>
  ({ placement, team }: Placement<LeagueTeam>) => ({
    tournamentId,
    teamSlug: team.slug,
    placement,
    cdlPoints: pointsByPlace[placement] ?? 0,
  })

const pairOf = (teams: ReadonlyArray<LeagueTeam>, [one, other]: readonly [number, number]): readonly [LeagueTeam, LeagueTeam] => {
  const [left, right] = [teams[one], teams[other]]
  if (left === undefined || right === undefined) throw new Error(`There is no pair ${one}, ${other}`)
  return [left, right]
}

const teamsOf = (teams: ReadonlyArray<LeagueTeam>, slugs: ReadonlyArray<string>): ReadonlyArray<LeagueTeam> =>
  slugs.flatMap((slug) => teams.filter((team) => team.slug === slug))
