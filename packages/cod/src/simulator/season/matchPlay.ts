/** Plays a whole match of the simulated league and returns its rows. Has no side effects. */
import { childSeed, Random } from "@matchpoint/simulator/random"
import type { MapResult, Match, MatchRecord, PlayerMapLine } from "../../rules/archive/rows.ts"
import type { LeagueTeam } from "./leagueTeams.ts"
import { BEST_OF, type ChosenMap, chooseMaps, type LeagueMode, MAPS_TO_WIN } from "./mapPool.ts"
import { type MapOutcome, playControl, playHardpoint } from "./respawnModes.ts"
import { playSearchAndDestroy } from "./searchAndDestroy.ts"
import { type ModeFields, Tally } from "./tally.ts"

/** A match before it is played. */
export interface Fixture {
  readonly matchId: string
  readonly tournamentId: string
  readonly round: string
  /** Start, in milliseconds since the Unix epoch. */
  readonly startsAt: number
  /** Position among the matches with the same start. */
  readonly startOrder: number
  readonly isLan: boolean
  readonly teams: readonly [LeagueTeam, LeagueTeam]
}

/** Returns the rows of a match that is not played yet. */
export const scheduledMatch = (fixture: Fixture): MatchRecord => ({
  match: { ...matchOf(fixture), status: "scheduled" },
  maps: [],
  lines: [],
})

const matchOf = ({ isLan, matchId, round, startOrder, startsAt, teams: [team1, team2], tournamentId }: Fixture): Match => ({
  matchId,
  tournamentId,
  round,
  status: "completed",
  startsAt: new Date(startsAt).toISOString(),
  startTimeKnown: true,
  startOrder,
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

const modes: Readonly<Record<LeagueMode, { readonly play: (random: Random, tally: Tally) => MapOutcome; readonly fields: ModeFields }>> = {
  hardpoint: { play: playHardpoint, fields: ["hillTime"] },
  snd: {
    play: playSearchAndDestroy,
    fields: [
      "firstBloods",
      "firstDeaths",
      "plants",
      "defuses",
      "clutch1v1Attempts",
      "clutch1v1Wins",
      "clutch1v2Attempts",
      "clutch1v2Wins",
      "clutch1v3Attempts",
      "clutch1v3Wins",
    ],
  },
  control: { play: playControl, fields: ["captures"] },
}

/** Returns the rows of a played match. The same seed and match id always give the same rows. */
export const playMatch = (seed: number, fixture: Fixture): MatchRecord => {
  const random = new Random(childSeed(seed, Number(fixture.matchId)))
  const { matchId, teams } = fixture
  const slugs = [teams[0].slug, teams[1].slug] as const
  const maps: Array<MapResult> = []
  const lines: Array<PlayerMapLine> = []
  const wins: [number, number] = [0, 0]
  for (const [index, chosen] of chooseMaps(random, [favoriteOf(slugs[0]), favoriteOf(slugs[1])]).entries()) {
    const map = { matchId, mapNumber: index + 1 }
    if (Math.max(...wins) === MAPS_TO_WIN) {
      maps.push(unplayedMap(map, chosen, slugs))
      continue
    }
    const tally = new Tally(random, [teams[0].players, teams[1].players])
    const { fields, play } = modes[chosen.mode]
    const { durationSeconds, scores } = play(random, tally)
    const winner = scores[0] > scores[1] ? 0 : 1
    wins[winner] += 1
    maps.push({
      ...unplayedMap(map, chosen, slugs),
      team1Score: scores[0],
      team2Score: scores[1],
      winnerSlug: slugs[winner],
      played: true,
      durationSeconds,
    })
    lines.push(...tally.lines(map, slugs, fields))
  }
  const match = { ...matchOf(fixture), team1Score: wins[0], team2Score: wins[1], winnerSlug: slugs[wins[0] > wins[1] ? 0 : 1] }
  return { match, maps, lines }
}

const unplayedMap = (
  map: Pick<MapResult, "mapNumber" | "matchId">,
  { mapName, mode, pickedBy }: ChosenMap,
  slugs: readonly [string, string],
): MapResult => ({
  ...map,
  mapName,
  mode,
  team1Score: null,
  team2Score: null,
  winnerSlug: null,
  played: false,
  pickedBy: slugs[pickedBy],
  durationSeconds: null,
})

/** Returns a number that is always the same for a team. */
const favoriteOf = (slug: string): number => slug.charCodeAt(0)
