/**
 * Points of a team in one game, and the match point rule. Source: scoring of the Apex Legends Global Series (ALGS),
 * official rules of years 4 and 5. Points of a game = placement points + 1 per kill.
 */

/** Maximum number of teams in a lobby, and of players in a team. */
export const MOST_TEAMS = 20
export const TEAM_SIZE = 3

/** Placement points by placement, from the first place. */
const placementPoints: ReadonlyArray<number> = [12, 9, 7, 5, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0]

/** Points of one kill. */
export const POINTS_PER_KILL = 1

/** Returns the points of a placement, 1 to 20. Any other number has no points. */
export const pointsOfPlacement = (placement: number): number => placementPoints[placement - 1] ?? 0

/** Returns the points of a team in one game. */
export const pointsOfGame = (placement: number, kills: number): number => pointsOfPlacement(placement) + kills * POINTS_PER_KILL

/** Points from which a team may win a match point series by winning a game. */
export const MATCH_POINT_THRESHOLD = 50

/** A team's result in one game. `placement` and `kills` are null if the source has no usable value. */
export interface TeamGame {
  readonly gameNumber: number
  readonly placement: number | null
  readonly kills: number | null
  readonly points: number
}

/** A team's results in all games that it has played, in the order of the games. */
export interface TeamGames {
  readonly teamName: string
  readonly games: ReadonlyArray<TeamGame>
}

/**
 * Returns the name of the team that has won a match point series, or undefined. The winner is the first team that wins
 * a game after it had reached the threshold in earlier games.
 */
export const matchPointWinner = (teams: ReadonlyArray<TeamGames>, threshold = MATCH_POINT_THRESHOLD): string | undefined => {
  let first: { readonly teamName: string; readonly gameNumber: number } | undefined
  for (const { games, teamName } of teams) {
    let points = 0
    for (const game of games) {
      if (game.placement === 1 && points >= threshold) {
        if (first === undefined || game.gameNumber < first.gameNumber) first = { teamName, gameNumber: game.gameNumber }
        break
      }
      points += game.points
    }
  }
  return first?.teamName
}
