/** The state of the wire, in the masthead: connected or not and why, how old the data is, where in the log we are. */
import { h, setAttribute, setText, show } from "./dom.js"
import { ageText } from "./format.js"

/** @import { ConnectionState } from "./LiveConnection.js" */
/** @import { Known } from "./LiveStore.js" */

/** Older data is marked while a round is played, when a feed has something to say every few seconds. */
const OLD_MS = 20_000

/** @param {HTMLElement} place */
export const wire = (place) => {
  const state = h("span", { class: "wire-state" })
  const age = h("span", { class: "wire-age", title: "Time since the newest change of this match was observed" })
  const cursor = h("code", { class: "wire-cursor", title: "Cursor of this match: epoch and sequence number" })
  place.append(state, age, cursor)
  return {
    /** @param {ConnectionState} connection @param {Known | undefined} known @param {number} now epoch ms by the stream's clock */
    tick(connection, known, now) {
      setAttribute(place, "data-state", connection.kind)
      setText(state, stateWords(connection))
      setAttribute(state, "title", explanation(connection))
      show(age, known !== undefined)
      show(cursor, known !== undefined)
      if (known === undefined) return
      const old = now - Date.parse(known.match.updatedAt)
      setText(age, `${ageText(old)} old`)
      setAttribute(age, "data-old", known.match.game?.phase === "live" && old > OLD_MS ? "" : null)
      setText(cursor, `${known.epoch}:${known.seq}`)
    },
  }
}

/** @param {ConnectionState} connection */
const stateWords = (connection) => {
  switch (connection.kind) {
    case "connecting":
      return connection.attempt === 0 ? "Connecting" : "Reconnecting"
    case "open": {
      const live = connection.over === "events" ? "Live over SSE" : "Live"
      return connection.delaySeconds > 0 ? `${live}, ${connection.delaySeconds} s delayed` : live
    }
    case "waiting":
      return `Reconnecting in ${Math.max(0, Math.ceil((connection.until - performance.now()) / 1000))} s`
    case "refused":
      return "Key refused"
    case "stopped":
      return "Disconnected"
  }
}

/** @param {ConnectionState} connection */
const explanation = (connection) => {
  switch (connection.kind) {
    case "open":
      return connection.over === "events" ? `Server-sent events: plan ${connection.plan} has no WebSockets` : null
    case "waiting":
      return connection.why
    case "stopped":
      return connection.message
    default:
      return null
  }
}
