/**
 * One WebSocket to the live channel that comes back by itself: growing waits with jitter, at once when the browser is back online.
 * A browser can't see why a handshake was refused, so each attempt first reads the match list: a refused key ends the attempts.
 * It owns the socket and the rooms; what the frames say is the store's business.
 */
import { readMatches } from "./api.js"

/** @import { ServerMessage, StreamError, Ready } from "@matchpoint/contracts/stream/messages" */
/** @import { LiveSnapshot, LiveUpdate } from "@matchpoint/contracts/stream/frames" */
/** @import { LiveListItem } from "@matchpoint/contracts/http/cs2/liveModels" */

/**
 * @typedef {{ readonly kind: "connecting", readonly attempt: number }
 *   | { readonly kind: "open", readonly delaySeconds: number, readonly plan: string }
 *   | { readonly kind: "waiting", readonly attempt: number, readonly until: number, readonly why: string }
 *   | { readonly kind: "refused", readonly message: string }
 *   | { readonly kind: "stopped", readonly message: string }} ConnectionState
 * `until`: when the next attempt starts, by `performance.now()`.
 *
 * @typedef {object} Listener
 * @property {(state: ConnectionState) => void} onState
 * @property {(frame: LiveSnapshot | LiveUpdate) => void} onFrame
 * @property {(items: ReadonlyArray<LiveListItem>, serverTime: number | null) => void} onMatches
 * @property {(error: StreamError) => void} onError
 */

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000
const HANDSHAKE_MS = 10_000

/** As the contract says it: which close codes invite to come back. @param {number} code */
const comesBack = (code) => code === 1000 || (code >= 1001 && code <= 1015 && code !== 1009) || (code >= 3000 && code < 3500)

export class LiveConnection {
  #apiRoot
  #key
  #listener
  /** @type {WebSocket | null} */
  #socket = null
  /** @type {ReadonlyArray<string>} */
  #rooms = []
  #attempt = 0
  #ready = false
  #closed = false
  /** Of the next attempt, or of the heartbeat. @type {ReturnType<typeof setTimeout> | undefined} */
  #timer
  #waiting = false
  #lastHeard = 0

  /**
   * @param {string} apiRoot
   * @param {string} key
   * @param {Listener} listener
   */
  constructor(apiRoot, key, listener) {
    this.#apiRoot = apiRoot
    this.#key = key
    this.#listener = listener
    addEventListener("online", this.#now)
    document.addEventListener("visibilitychange", this.#now)
    void this.#connect()
  }

  /** Leaves the rooms followed so far and follows these, now and after every reconnect. @param {ReadonlyArray<string>} rooms */
  follow(rooms) {
    const left = this.#rooms.filter((room) => !rooms.includes(room))
    const entered = rooms.filter((room) => !this.#rooms.includes(room))
    this.#rooms = rooms
    if (!this.#ready) return
    if (left.length > 0) this.#send({ action: "unsubscribe", rooms: left })
    if (entered.length > 0) this.#send({ action: "subscribe", rooms: entered })
  }

  close() {
    this.#closed = true
    clearTimeout(this.#timer)
    removeEventListener("online", this.#now)
    document.removeEventListener("visibilitychange", this.#now)
    this.#socket?.close(1000)
  }

  #now = () => {
    if (!this.#waiting || document.hidden) return
    clearTimeout(this.#timer)
    void this.#connect()
  }

  async #connect() {
    this.#waiting = false
    this.#listener.onState({ kind: "connecting", attempt: this.#attempt })
    const matches = await readMatches(this.#apiRoot, this.#key)
    if (this.#closed) return
    if (matches.kind === "refused") return this.#stop({ kind: "refused", message: matches.message })
    if (matches.kind !== "ok") return this.#wait(matches.message)
    this.#listener.onMatches(matches.data, matches.date)
    this.#open()
  }

  #open() {
    const url = new URL(`${this.#apiRoot}/cs2/live/ws?apiKey=${encodeURIComponent(this.#key)}`, location.href)
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:"
    const socket = new WebSocket(url)
    this.#socket = socket
    this.#ready = false
    this.#timer = setTimeout(() => this.#lost(socket, "the server doesn't answer"), HANDSHAKE_MS)
    socket.onmessage = (message) => {
      if (socket === this.#socket) this.#read(message.data)
    }
    socket.onclose = ({ code, reason }) => {
      if (socket !== this.#socket || this.#closed) return
      if (comesBack(code)) this.#lost(socket, reason || "the connection was lost")
      else this.#stop({ kind: "stopped", message: reason || `the server closed the connection (${code})` })
    }
  }

  /** @param {string} text */
  #read(text) {
    this.#lastHeard = performance.now()
    /** @type {ServerMessage} */
    const message = JSON.parse(text)
    switch (message.type) {
      case "ready":
        return this.#welcome(message)
      case "cs2.live.snapshot":
      case "cs2.live.update":
        // Shape v2 comes only to those who ask for it.
        if (!("shape" in message)) this.#listener.onFrame(message)
        return
      case "error":
        return this.#listener.onError(message)
      default:
        // Frames are whole matches and carry their cursor: nothing else has to be known to show the newest.
        return
    }
  }

  /** @param {Ready} ready */
  #welcome(ready) {
    this.#ready = true
    this.#attempt = 0
    this.#listener.onState({ kind: "open", delaySeconds: ready.delay_seconds, plan: ready.plan })
    if (this.#rooms.length > 0) this.#send({ action: "subscribe", rooms: this.#rooms })
    this.#beat(ready.heartbeat_seconds * 1000)
  }

  /** A quiet channel is asked whether it lives: browsers don't show the protocol's own pings. @param {number} everyMs */
  #beat(everyMs) {
    clearTimeout(this.#timer)
    const socket = this.#socket
    this.#timer = setTimeout(() => {
      const silence = performance.now() - this.#lastHeard
      if (socket !== null && silence > 2.5 * everyMs) return this.#lost(socket, "the server went silent")
      if (silence > everyMs / 2) this.#send({ action: "ping" })
      this.#beat(everyMs)
    }, everyMs)
  }

  /** @param {WebSocket} socket @param {string} why */
  #lost(socket, why) {
    clearTimeout(this.#timer)
    this.#socket = null
    this.#ready = false
    socket.close()
    this.#wait(why)
  }

  /** Half of the wait is fixed and half by chance, so that a restarted server isn't met by everyone at once. @param {string} why */
  #wait(why) {
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#attempt)
    const wait = longest / 2 + (Math.random() * longest) / 2
    this.#attempt += 1
    this.#waiting = true
    this.#listener.onState({ kind: "waiting", attempt: this.#attempt, until: performance.now() + wait, why })
    this.#timer = setTimeout(() => void this.#connect(), wait)
  }

  /** @param {Extract<ConnectionState, { kind: "refused" | "stopped" }>} state */
  #stop(state) {
    clearTimeout(this.#timer)
    this.#socket = null
    this.#ready = false
    this.#listener.onState(state)
  }

  /** @param {import("@matchpoint/contracts/stream/messages").ClientMessage} message */
  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }
}
