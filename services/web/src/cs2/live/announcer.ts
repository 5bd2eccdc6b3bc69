/**
 * Announces to screen readers what sighted visitors see: ends of rounds, bomb events, the end of a match and a lost
 * connection.
 */

import type { Happening, LiveMatch } from "../types.ts"
import type { ConnectionState } from "./Connection.ts"

export const announcer = (region: HTMLElement) => {
  let before: ConnectionState["kind"] = "connecting"
  const announce = (words: string) => {
    region.textContent = words
  }
  return {
    connection(state: ConnectionState) {
      if (state.kind === "waiting" && before !== "waiting" && before !== "connecting") announce("The connection was lost. Reconnecting.")
      if (state.kind === "stopped") announce("The connection has ended.")
      if (state.kind === "open" && region.textContent?.startsWith("The connection was lost")) announce("Connected again.")
      before = state.kind
    },
    event(match: LiveMatch, event: Happening) {
      const [team1, team2] = match.teams
      const score = `${team1.name} ${team1.mapScore}, ${team2.name} ${team2.mapScore}`
      if (event.eventType === "RoundEnd")
        announce(match.status === "completed" ? `The match is over. ${score}.` : `Round ${event.round} is over. ${score}.`)
      if (event.eventType === "BombPlanted") announce(`Bomb planted${event.bombSite === null ? "" : ` on ${event.bombSite}`}.`)
      if (event.eventType === "BombDefused") announce("Bomb defused.")
      if (event.eventType === "BombExploded") announce("Bomb exploded.")
    },
  }
}
