/**
 * The way to the live channel, which comes back by itself: growing waits with jitter, at once when the browser is back online.
 * A browser can't see why a handshake was refused, so each attempt first reads the match list, and asks what the plan has when a
 * WebSocket did not open: a refused key or a month that is used up ends the attempts, a plan without WebSockets goes on over events.
 * It owns the channel and the rooms; what the frames say is the store's business.
 */
import { hasWebSockets, readMatches, readUsage } from "./api.js"
import { eventsChannel, socketChannel } from "./channels.js"

/** @import { StreamError, Ready } from "@matchpoint/contracts/stream/messages" */
/** @import { ServerMessage } from "@matchpoint/contracts/cs2/serverMessages" */
/** @import { LiveSnapshot, LiveUpdate } from "@matchpoint/contracts/cs2/frames" */
/** @import { LiveListItem } from "@matchpoint/contracts/http/cs2/liveModels" */
/** @import { Channel, End } from "./channels.js" */

/**
 * @typedef {{ readonly kind: "connecting", readonly attempt: number }
 *   | { readonly kind: "open", readonly delaySeconds: number, readonly plan: string, readonly over: "socket" | "events" }
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
const KEY_ENDED = 3504

export class LiveConnection {
  #apiRoot
  #key
  #listener
  /** @type {Channel | null} */
  #channel = null
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
    // Events begin with their room, so they know it before they are ready.
    if (this.#ready || this.#channel?.kind === "events") this.#channel?.follow(entered, left)
  }

  close() {
    this.#closed = true
    clearTimeout(this.#timer)
    removeEventListener("online", this.#now)
    document.removeEventListener("visibilitychange", this.#now)
    this.#channel?.close()
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
    if (matches.kind === "exhausted") return this.#stop({ kind: "stopped", message: matches.message })
    if (matches.kind !== "ok") return this.#wait(matches.message)
    this.#listener.onMatches(matches.data, matches.date)
    this.#open("socket")
  }

  /** @param {Channel["kind"]} kind */
  #open(kind) {
    this.#ready = false
    const ear = {
      hear: (/** @type {string} */ text) => {
        if (channel === this.#channel) this.#read(text)
      },
      ended: (/** @type {End} */ end) => {
        if (channel === this.#channel && !this.#closed) this.#ended(end)
      },
    }
    /** @type {Channel} */
    const channel =
      kind === "socket"
        ? socketChannel(this.#apiRoot, this.#key, ear)
        : eventsChannel(this.#apiRoot, this.#key, this.#rooms[0] ?? "all", ear)
    this.#channel = channel
    this.#timer = setTimeout(() => this.#lost("the server doesn't answer"), HANDSHAKE_MS)
  }

  /** @param {End} end */
  #ended({ code, why }) {
    if (code === KEY_ENDED) return this.#stop({ kind: "refused", message: why })
    if (code !== null && !comesBack(code)) return this.#stop({ kind: "stopped", message: why })
    if (this.#ready || this.#channel?.kind === "events") return this.#lost(why)
    void this.#unopened(why)
  }

  /** A WebSocket did not open. @param {string} why */
  async #unopened(why) {
    clearTimeout(this.#timer)
    this.#channel = null
    const usage = await readUsage(this.#apiRoot, this.#key)
    if (this.#closed) return
    if (usage.kind === "ok" && !hasWebSockets(usage.data)) this.#open("events")
    else this.#wait(why)
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
        this.#listener.onError(message)
        // Last words: no other attempt would fare better.
        if (message.code === "RATE_LIMIT_EXCEEDED") this.#stop({ kind: "stopped", message: message.message })
        if (message.code === "INVALID_API_KEY") this.#stop({ kind: "refused", message: message.message })
        return
      default:
        // Frames are whole matches and carry their cursor: nothing else has to be known to show the newest.
        return
    }
  }

  /** @param {Ready} ready */
  #welcome(ready) {
    const channel = this.#channel
    if (channel === null) return
    this.#ready = true
    this.#attempt = 0
    this.#listener.onState({ kind: "open", delaySeconds: ready.delay_seconds, plan: ready.plan, over: channel.kind })
    if (channel.kind === "socket") channel.follow(this.#rooms, [])
    this.#beat(ready.heartbeat_seconds * 1000)
  }

  /** A quiet channel is asked whether it lives: browsers don't show the protocol's own pings. @param {number} everyMs */
  #beat(everyMs) {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      const silence = performance.now() - this.#lastHeard
      if (silence > 2.5 * everyMs) return this.#lost("the server went silent")
      if (silence > everyMs / 2) this.#channel?.ping()
      this.#beat(everyMs)
    }, everyMs)
  }

  /** @param {string} why */
  #lost(why) {
    this.#drop()
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
    this.#drop()
    this.#listener.onState(state)
  }

  #drop() {
    clearTimeout(this.#timer)
    this.#channel?.close()
    this.#channel = null
    this.#ready = false
  }
}
