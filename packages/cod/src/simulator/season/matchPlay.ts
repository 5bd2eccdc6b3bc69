/** Plays a whole match of the simulated league with the live simulator and returns its rows. No side effects. */
import { matchIdOf } from "@matchpoint/domain/ids"
import { finalStateOf } from "@matchpoint/simulator/Play"
import { childSeed, Random } from "@matchpoint/simulator/random"
import type { Match, MatchRecord, PlayerMapLine, Tournament } from "../../rules/archive/rows.ts"
import { COD } from "../../rules/game.ts"
import { archivedMatch } from "../../rules/live/archivedMatch.ts"
import { TournamentId } from "../../rules/live/registry.ts"
import { resultOf } from "../../rules/live/result.ts"
import { simulateMatch } from "../live/simulateMatch.ts"
import { simulatedTeam } from "../live/world.ts"
import type { LeagueTeam } from "./leagueTeams.ts"
import { BEST_OF, chooseMaps } from "./mapPool.ts"

/** A match before it is played. */
export interface Fixture {
  readonly matchId: string
  readonly tournament: Tournament
  readonly round: string
  /** Start in milliseconds since the Unix epoch. */
  readonly startsAt: number
  readonly isLan: boolean
  readonly teams: readonly [LeagueTeam, LeagueTeam]
}

export const scheduledMatch = (fixture: Fixture): MatchRecord => ({ match: scheduled(fixture), maps: [], lines: [] })

const scheduled = ({ isLan, matchId, round, startsAt, teams: [team1, team2], tournament }: Fixture): Match => ({
  matchId,
  tournamentId: tournament.tournamentId,
  round,
  status: "scheduled",
  startsAt: new Date(startsAt).toISOString(),
  startTimeKnown: true,
  startOrder: 0,
  bestOf: BEST_OF,
  team1Slug: team1.slug,
  team2Slug: team2.slug,
  team1Score: 0,
  team2Score: 0,
  scoreGap: null,
  winnerSlug: null,
  isLan,
  broadcasted: true,
  source: "simulator",
  simulated: true,
})

/** The same seed and match id always give the same rows. */
export const playMatch = (seed: number, fixture: Fixture): MatchRecord => {
  const { isLan, matchId, round, teams, tournament } = fixture
  const random = new Random(childSeed(seed, Number(matchId)))
  const state = finalStateOf(
    simulateMatch({
      seed: random.int(0, 0xffff_ffff),
      matchId: matchIdOf(COD, Number(matchId)),
      tournament: { id: TournamentId.make(tournament.tournamentId), name: tournament.name, round, isLan },
      bestOf: BEST_OF,
      teams: [simulatedTeam(teams[0]), simulatedTeam(teams[1])],
      maps: chooseMaps(random, [favoriteOf(teams[0]), favoriteOf(teams[1])]),
    }),
  )
  const archived = archivedMatch(matchId, resultOf(state))
  if (typeof archived === "string") throw new Error(`${matchId} is not archived: ${archived}`)
  const [{ lines, maps, match }] = archived.matches
  const { status, team1Score, team2Score, winnerSlug } = match
  return {
    match: { ...scheduled(fixture), status, team1Score, team2Score, winnerSlug },
    maps,
    lines: lines.map((line) => ({ ...line, rating: ratingOf(line) })),
  }
}

/** Kills and a quarter of the assists per death, rounded to two decimals. */
const ratingOf = ({ assists, deaths, kills }: PlayerMapLine): number =>
  Math.round((((kills ?? 0) + (assists ?? 0) / 4) / Math.max(1, deaths ?? 0)) * 100) / 100

/** Always the same for a team. */
const favoriteOf = ({ slug }: LeagueTeam): number => slug.charCodeAt(0)
