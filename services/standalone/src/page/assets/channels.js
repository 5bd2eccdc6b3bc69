/**
 * The two ways to the live channel: a WebSocket, and server-sent events for plans that have no WebSockets. Both hand over what the server
 * says as text and tell once how they ended; whether to come back is not their business.
 */

/** @import { ClientMessage } from "@matchpoint/contracts/stream/messages" */

/**
 * @typedef {object} End
 * @property {string} why
 * @property {number | null} code of the WebSocket; null: there is none
 *
 * @typedef {object} Channel
 * @property {"socket" | "events"} kind
 * @property {(rooms: ReadonlyArray<string>, left: ReadonlyArray<string>) => void} follow on an open channel: enters rooms and leaves others
 * @property {() => void} ping asks for a sign of life, where one can ask
 * @property {() => void} close without a word to the listener
 *
 * @typedef {object} Ear
 * @property {(text: string) => void} hear
 * @property {(end: End) => void} ended
 */

/** Names of the events, as the contract has them. "error" is told apart from the browser's own by its data. */
const EVENTS = [
  "ready",
  "resumed",
  "caught_up",
  "cs2.live.snapshot",
  "cs2.live.update",
  "cs2.live.delta",
  "gap",
  "ping",
  "reconnect",
  "replay_ended",
]

/** @param {string} apiRoot @param {string} key @param {Ear} ear @returns {Channel} */
export const socketChannel = (apiRoot, key, ear) => {
  const url = new URL(`${apiRoot}/cs2/live/ws?apiKey=${encodeURIComponent(key)}`, location.href)
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:"
  const socket = new WebSocket(url)
  let closed = false
  socket.onmessage = ({ data }) => {
    if (!closed) ear.hear(data)
  }
  socket.onclose = ({ code, reason }) => {
    if (!closed) ear.ended({ code, why: reason || "the connection was lost" })
  }
  const send = (/** @type {ClientMessage} */ message) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }
  return {
    kind: "socket",
    follow(rooms, left) {
      if (left.length > 0) send({ action: "unsubscribe", rooms: left })
      if (rooms.length > 0) send({ action: "subscribe", rooms })
    },
    ping: () => send({ action: "ping" }),
    close() {
      closed = true
      socket.close(1000)
    },
  }
}

/** Follows one room: `all` or `match:<id>`. @param {string} apiRoot @param {string} key @param {string} room @param {Ear} ear @returns {Channel} */
export const eventsChannel = (apiRoot, key, room, ear) => {
  const url = new URL(`${apiRoot}/cs2/live/stream?apiKey=${encodeURIComponent(key)}`, location.href)
  if (room.startsWith("match:")) url.searchParams.set("matchId", room.slice("match:".length))
  const hear = (/** @type {Event} */ event) => {
    if (event instanceof MessageEvent) ear.hear(event.data)
  }
  /** @type {EventSource | null} */
  let source = null
  const open = () => {
    const opened = new EventSource(url)
    source = opened
    for (const name of EVENTS) opened.addEventListener(name, hear)
    opened.addEventListener("error", (event) => {
      if (event instanceof MessageEvent) return hear(event)
      // It would come back by itself, also where it is not welcome any more.
      opened.close()
      if (source === opened) ear.ended({ code: null, why: "the connection was lost" })
    })
  }
  const close = () => {
    source?.close()
    source = null
  }
  open()
  return {
    kind: "events",
    follow([other]) {
      if (other === undefined) return
      if (other.startsWith("match:")) url.searchParams.set("matchId", other.slice("match:".length))
      else url.searchParams.delete("matchId")
      close()
      open()
    },
    ping() {},
    close,
  }
}
