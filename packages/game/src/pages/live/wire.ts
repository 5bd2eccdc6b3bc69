/** Status in the page header: the connection, the reason if it is lost, the age of the data, and the cursor of the match. */
import { h, setAttribute, setText, show } from "../parts/dom.ts"
import { ageText } from "../parts/format.ts"
import type { ConnectionState } from "./Connection.ts"

/** Age from which data is marked as old, while the feed of the match normally reports every few seconds. */
const OLD_MS = 20_000

/** The match that the page shows. `updatedAt` is an ISO 8601 time. */
export interface WireMatch {
  readonly epoch: number
  readonly seq: number
  readonly updatedAt: string
  readonly isInPlay: boolean
}

export const wire = (place: HTMLElement) => {
  const state = h("span", { class: "wire-state" })
  const age = h("span", { class: "wire-age", title: "Time since the newest change of this match was observed" })
  const cursor = h("code", { class: "wire-cursor", title: "Cursor of this match: epoch and sequence number" })
  place.append(state, age, cursor)
  return {
    tick(connection: ConnectionState, known: WireMatch | undefined, now: number) {
      setAttribute(place, "data-state", connection.kind)
      setText(state, stateWords(connection))
      setAttribute(state, "title", explanation(connection))
      show(age, known !== undefined)
      show(cursor, known !== undefined)
      if (known === undefined) return
      const old = now - Date.parse(known.updatedAt)
      setText(age, `${ageText(old)} old`)
      setAttribute(age, "data-old", known.isInPlay && old > OLD_MS ? "" : null)
      setText(cursor, `${known.epoch}:${known.seq}`)
    },
  }
}

const stateWords = (connection: ConnectionState) => {
  switch (connection.kind) {
    case "connecting":
      return "Connecting"
    case "open": {
      const live = connection.over === "sse" ? "Live over SSE" : "Live"
      return connection.delaySeconds > 0 ? `${live}, ${connection.delaySeconds} s delayed` : live
    }
    case "waiting":
      return waitingWords(Math.ceil((connection.until - performance.now()) / 1000))
    case "ended":
      return "Ended"
    case "refused":
      return "Key refused"
    case "stopped":
      return "Disconnected"
  }
}

const waitingWords = (seconds: number) => (seconds > 0 ? `Reconnecting in ${seconds} s` : "Reconnecting")

const explanation = (connection: ConnectionState) => {
  switch (connection.kind) {
    case "open":
      return connection.over === "sse" ? `Server-sent events: plan ${connection.plan} has no WebSockets` : null
    case "waiting":
      return connection.why
    case "stopped":
      return connection.message
    default:
      return null
  }
}
