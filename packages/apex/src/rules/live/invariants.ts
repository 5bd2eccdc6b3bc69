/**
 * Properties that every state of a lobby has, regardless of what its feeds report. An event whose result would violate
 * one of them is rejected. No side effects.
 *
 * - The placements of the teams that are out are the last ones, each once.
 * - `alive` counts the players of a team that are not dead. A team without such a player is out.
 * - The placements of a game that is over are 1 to the number of teams, each once.
 * - A game is in progress only while the series is live. A completed series has a winner.
 */
import type { Game, LobbyState } from "./state.ts"
import { placesOf, teamsLeft } from "./state.ts"

/** First violation, or undefined. Parts as in `before` are skipped. */
export const violationOf = (state: LobbyState, before?: LobbyState): string | undefined => {
  if (state.game !== null && state.status === "scheduled") return "a game is in progress before the start"
  if (state.status === "completed" && (state.winner === null || state.game !== null)) return "a completed series has a winner and no game"
  if (state.games !== before?.games) {
    for (const { number, results, status } of state.games) {
      if (status === "completed" && !isPermutation(results, state.lobby.teams.length))
        return `the placements of game ${number} are not unique`
    }
  }
  return state.game === null || state.game === before?.game ? undefined : violationIn(state.game)
}

const violationIn = (game: Game): string | undefined => {
  const left = teamsLeft(game)
  const taken = new Set<number>()
  for (const [index, { alive, placement }] of game.teams.entries()) {
    const [first, end] = placesOf(index + 1)
    let living = 0
    for (let place = first; place < end; place++) {
      const line = game.players[place]
      if (line !== null && line !== undefined && line.state !== "dead") living += 1
    }
    if (living !== alive) return `team ${index + 1} has ${living} living players, not ${alive}`
    if ((placement === null) !== living > 0) return `team ${index + 1} is out exactly if all its players are dead`
    if (placement === null) continue
    if (placement <= left || placement > game.teams.length || taken.has(placement)) return `placement ${placement} is not possible`
    taken.add(placement)
  }
  return undefined
}

const isPermutation = (results: ReadonlyArray<{ readonly placement: number }>, count: number): boolean =>
  results.length === count &&
  new Set(results.map(({ placement }) => placement)).size === count &&
  results.every(({ placement }) => placement >= 1 && placement <= count)
