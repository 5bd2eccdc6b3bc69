/**
 * Points of a team in one game, and the match point rule. Source: scoring of the Apex Legends Global Series (ALGS),
 * official rules of years 4 and 5. Points of a game = placement points + 1 per kill.
 */

/** Teams in a lobby, and players in a team, at most. */
export const MOST_TEAMS = 20
export const TEAM_SIZE = 3

/** Points by placement, from the first place. */
const placementPoints: ReadonlyArray<number> = [12, 9, 7, 5, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0]

export const POINTS_PER_KILL = 1

/** `placement` is 1 to 20. Any other number has no points. */
export const pointsOfPlacement = (placement: number): number => placementPoints[placement - 1] ?? 0

export const pointsOfGame = (placement: number, kills: number): number => pointsOfPlacement(placement) + kills * POINTS_PER_KILL

/** Points from which a team may win a match point series by winning a game. */
export const MATCH_POINT_THRESHOLD = 50

/** `placement` and `kills` are null if the source has no usable value. */
export interface TeamGame {
  readonly gameNumber: number
  readonly placement: number | null
  readonly kills: number | null
  readonly points: number
}

/** All games that the team has played, in order. */
export interface TeamGames {
  readonly teamName: string
  readonly games: ReadonlyArray<TeamGame>
}

/** The first team that wins a game after it had reached the threshold in earlier games. */
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
