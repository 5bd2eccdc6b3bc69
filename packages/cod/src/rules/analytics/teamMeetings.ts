/** A completed match between the two teams, in any order. */
export interface TeamMeeting {
  readonly season: number
  /** ISO 8601 in UTC. */
  readonly startsAt: string
  readonly team1Slug: string
  /** Maps won. Null if the source lacks maps of the match. */
  readonly team1Score: number | null
  readonly team2Score: number | null
  readonly winnerSlug: string | null
}

export interface TeamWins {
  readonly team1Wins: number
  readonly team2Wins: number
}

/** Wins from the view of `team1`. Matches without a winner count for neither team. */
const winsOf = (team1: string, meetings: ReadonlyArray<TeamMeeting>): TeamWins => {
  const decided = meetings.filter(({ winnerSlug }) => winnerSlug !== null)
  const team1Wins = decided.filter(({ winnerSlug }) => winnerSlug === team1).length
  return { team1Wins, team2Wins: decided.length - team1Wins }
}

/** `meetings` must be sorted by start, newest first. `season` is the current season. */
export const countTeamMeetings = (team1: string, meetings: ReadonlyArray<TeamMeeting>, season: number | null) => {
  /** Undefined if the score is unknown. */
  const scores = ({ team1Score, team1Slug, team2Score }: TeamMeeting): readonly [number, number] | undefined => {
    if (team1Score === null || team2Score === null) return undefined
    return team1Slug === team1 ? [team1Score, team2Score] : [team2Score, team1Score]
  }
  const known = meetings.flatMap((meeting) => {
    const score = scores(meeting)
    return score === undefined ? [] : [score]
  })
  const current = meetings.filter((meeting) => meeting.season === season)
  const [last] = current
  return {
    allTime: {
      ...winsOf(team1, meetings),
      mapRecord: {
        team1: known.reduce((total, [maps]) => total + maps, 0),
        team2: known.reduce((total, [, maps]) => total + maps, 0),
        unknownScores: meetings.length - known.length,
      },
    },
    currentSeason: {
      season,
      ...winsOf(team1, current),
      lastMatch: last === undefined ? null : { date: last.startsAt, winner: last.winnerSlug, score: scores(last)?.join("-") ?? null },
    },
  }
}
