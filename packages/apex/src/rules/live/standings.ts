/**
 * Moving standings of a lobby. The points of a team in the game in progress are those of its kills and of its placement:
 * the final one if the team is out, and otherwise the worst one that is still possible, which is the number of teams
 * left. So points never decrease during a game, except for a team that officials correct. No side effects.
 */
import { pointsOfGame, type TeamGame, type TeamGames } from "../archive/points.ts"
import { standingsOf } from "../archive/standings.ts"
import { type LobbyState, type Standing, teamsLeft } from "./state.ts"

/** Results in the games that count. Teams are named by their number. */
export const gamesOfTeams = ({ game, games, lobby }: Pick<LobbyState, "game" | "games" | "lobby">): ReadonlyArray<TeamGames> => {
  const left = game === null ? 0 : teamsLeft(game)
  return lobby.teams.map((_, index) => {
    const played: Array<TeamGame> = []
    for (const { number, results } of games) {
      const result = results[index]
      if (result !== undefined) played.push({ gameNumber: number, ...result, points: pointsOfGame(result.placement, result.kills) })
    }
    const now = game?.teams[index]
    if (game !== null && now !== undefined) {
      const placement = now.placement ?? left
      played.push({ gameNumber: game.number, placement, kills: now.kills, points: pointsOfGame(placement, now.kills) })
    }
    return { teamName: String(index + 1), games: played }
  })
}

/** One row per team in the order of the teams. */
export const standingsNow = (state: Pick<LobbyState, "game" | "games" | "lobby">): ReadonlyArray<Standing> => {
  const { matchPoint } = state.lobby.format
  const rows: Array<Standing> = []
  const current = state.game?.number
  for (const row of standingsOf(gamesOfTeams(state), { matchPoint })) {
    const now = row.games.at(-1)
    const inProgress = current !== undefined && now?.gameNumber === current ? now : undefined
    const isOnMatchPoint = matchPoint !== null && row.points - (inProgress?.points ?? 0) >= matchPoint
    rows[Number(row.teamName) - 1] = {
      rank: row.rank,
      points: row.points,
      kills: row.kills ?? 0,
      hms: row.hms,
      // The game in progress is not won yet.
      wins: row.wins - (inProgress?.placement === 1 ? 1 : 0),
      isOnMatchPoint,
    }
  }
  return rows
}

/** Top team of the standings of the games that are over; null if none counts. */
export const leaderOf = (state: LobbyState): number | null => {
  if (!state.games.some(({ status }) => status === "completed")) return null
  const { matchPoint } = state.lobby.format
  const [first] = standingsOf(gamesOfTeams({ ...state, game: null }), { matchPoint })
  return first === undefined ? null : Number(first.teamName)
}
