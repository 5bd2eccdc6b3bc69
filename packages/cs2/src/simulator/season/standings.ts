/**
 * Global and regional rankings in an invented season: after each finished tournament, by the prize money won so far.
 * The region of a team depends only on its number.
 */
import { homeOf } from "./profiles.ts"
import { prizeOf, type SeasonEvent } from "./season.ts"

export interface SeasonPlace {
  readonly region: "global" | (typeof regions)[number]
  /** YYYY-MM-DD. */
  readonly rankedOn: string
  readonly rank: number
  readonly teamNumber: number
  readonly points: number
  /** Nicknames in the team's latest match. */
  readonly roster: ReadonlyArray<string>
}

const regions = ["europe", "americas", "asia"] as const

/** One per finished tournament. `tournaments` must be in chronological order. */
export const seasonStandings = (tournaments: ReadonlyArray<SeasonEvent>): ReadonlyArray<SeasonPlace> => {
  const teams = new Map<number, { points: number; roster: ReadonlyArray<string> }>()
  return tournaments
    .filter(({ standings }) => standings.length > 0)
    .flatMap(({ endsAt, matches, prizePool, standings }) => {
      for (const { place, team } of standings) {
        if (team.teamNumber === undefined) continue
        const won = prizeOf(place, prizePool) / DOLLARS_PER_POINT
        const before = teams.get(team.teamNumber)
        teams.set(team.teamNumber, { points: (before?.points ?? FIRST_POINTS) + won, roster: before?.roster ?? [] })
      }
      for (const match of matches) {
        for (const slot of [0, 1] as const) {
          const team = teams.get(match.teams[slot].teamNumber ?? 0)
          if (team !== undefined) team.roster = match.lineups[slot].map(({ nickname }) => nickname)
        }
      }
      const places = [...teams]
        .map(([teamNumber, { points, roster }]) => ({ teamNumber, points: Math.round(points * 10) / 10, roster }))
        .sort((a, b) => b.points - a.points || a.teamNumber - b.teamNumber)
      const rankedOn = new Date(endsAt).toISOString().slice(0, 10)
      return (["global", ...regions] as const).flatMap((region) =>
        places
          .filter(({ teamNumber }) => region === "global" || homeOf(teamNumber) === region)
          .map((place, index) => ({ region, rankedOn, rank: index + 1, ...place })),
      )
    })
}

/** Points with which every team starts. */
const FIRST_POINTS = 400
const DOLLARS_PER_POINT = 1_000
