/** Counts the matches between two teams. Pure. */

/** A completed match between the two teams, in any order. */
export interface TeamMeeting {
  readonly season: number
  /** Start, ISO 8601 in UTC. */
  readonly startsAt: string
  readonly team1Slug: string
  /** Maps won. */
  readonly team1Score: number
  readonly team2Score: number
  readonly winnerSlug: string | null
}

export interface TeamWins {
  readonly team1Wins: number
  readonly team2Wins: number
}

/** Returns the wins from the view of `team1`. Matches without a winner count for neither team. */
const winsOf = (team1: string, meetings: ReadonlyArray<TeamMeeting>): TeamWins => {
  const decided = meetings.filter(({ winnerSlug }) => winnerSlug !== null)
  const team1Wins = decided.filter(({ winnerSlug }) => winnerSlug === team1).length
  return { team1Wins, team2Wins: decided.length - team1Wins }
}

/** Counts meetings, which must be sorted by start, newest first. `season` is the current season. */
export const countTeamMeetings = (team1: string, meetings: ReadonlyArray<TeamMeeting>, season: number | null) => {
  const scores = (meeting: TeamMeeting): readonly [number, number] =>
    meeting.team1Slug === team1 ? [meeting.team1Score, meeting.team2Score] : [meeting.team2Score, meeting.team1Score]
  const current = meetings.filter((meeting) => meeting.season === season)
  const [last] = current
  return {
    allTime: {
      ...winsOf(team1, meetings),
      mapRecord: {
        team1: meetings.reduce((total, meeting) => total + scores(meeting)[0], 0),
        team2: meetings.reduce((total, meeting) => total + scores(meeting)[1], 0),
      },
    },
    currentSeason: {
      season,
      ...winsOf(team1, current),
      lastMatch: last === undefined ? null : { date: last.startsAt, winner: last.winnerSlug, score: scores(last).join("-") },
    },
  }
}
