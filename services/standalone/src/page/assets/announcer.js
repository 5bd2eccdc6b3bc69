/** Tells those who listen instead of look what they would notice: round ends, bombs, the end of a match, a lost connection. */

/** @import { ConnectionState } from "./LiveConnection.js" */
/** @import { LiveSnapshot, LiveUpdate } from "@matchpoint/contracts/cs2/frames" */

/** @param {HTMLElement} region a polite live region */
export const announcer = (region) => {
  /** @type {ConnectionState["kind"]} */
  let before = "connecting"
  const say = (/** @type {string} */ words) => {
    region.textContent = words
  }
  return {
    /** @param {ConnectionState} state */
    connection(state) {
      if (state.kind === "waiting" && before !== "waiting" && before !== "connecting") say("The connection was lost. Reconnecting.")
      if (state.kind === "stopped") say("The connection has ended.")
      if (state.kind === "open" && region.textContent?.startsWith("The connection was lost")) say("Connected again.")
      before = state.kind
    },
    /** @param {LiveSnapshot | LiveUpdate} frame of the match being watched */
    frame({ data, event }) {
      if (event === null) return
      const [team1, team2] = data.teams
      const score = `${team1.name} ${team1.mapScore}, ${team2.name} ${team2.mapScore}`
      if (event.eventType === "RoundEnd")
        say(data.status === "completed" ? `The match is over. ${score}.` : `Round ${event.round} is over. ${score}.`)
      if (event.eventType === "BombPlanted") say(`Bomb planted${event.bombSite === null ? "" : ` on ${event.bombSite}`}.`)
      if (event.eventType === "BombDefused") say("Bomb defused.")
      if (event.eventType === "BombExploded") say("Bomb exploded.")
    },
  }
}
