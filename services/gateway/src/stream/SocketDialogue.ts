/** What a WebSocket client may say and what it is answered. A client that talks nonsense, or too much, costs itself its connection. */
import { closeCodes } from "@matchpoint/contracts/stream/closeCodes"
import {
  type ClientMessage,
  decodeClientMessage,
  type StreamError,
  type StreamErrorCode,
  type Subscribe,
} from "@matchpoint/contracts/stream/messages"
import { parseRoom } from "@matchpoint/contracts/stream/rooms"
import { liveLimits } from "@matchpoint/domain/plans"
import { TokenBuckets } from "@matchpoint/realtime/TokenBuckets"
import type { ApiKey } from "@matchpoint/store/ApiKeys"
import { type Clock, Result } from "effect"
import type { GatewaySettings } from "../GatewayConfig.ts"
import type { SocketReplays } from "../replay/SocketReplays.ts"
import { paceOf } from "./handshake.ts"
import type { Session } from "./Session.ts"

/** What the dialogue needs of the socket besides the session's outlet. */
export interface Line {
  readonly end: (code: number, reason: string) => void
  readonly closed: boolean
}

/** The transport has checked that a text message is UTF-8. */
const text = new TextDecoder()

const expected = 'expected {"action":"subscribe","rooms":["match:<matchId>"]}, "unsubscribe", "resync" or "ping"'

/** A burst may be this many seconds' worth. */
const BURST_SECONDS = 10

const whyNot = {
  UNKNOWN_ROOM: "rooms are match:<matchId>, all and replay:<matchId>",
  MATCH_NOT_FOUND: "no live match has this id; GET /cs2/live lists them",
} as const

export class SocketDialogue {
  readonly session: Session
  readonly replays: SocketReplays
  readonly #key: ApiKey
  readonly #settings: GatewaySettings
  readonly #line: Line
  readonly #clock: Clock.Clock
  readonly #messages: TokenBuckets
  #badMessages = 0

  constructor(session: Session, replays: SocketReplays, key: ApiKey, settings: GatewaySettings, line: Line, clock: Clock.Clock) {
    this.session = session
    this.replays = replays
    this.#key = key
    this.#settings = settings
    this.#line = line
    this.#clock = clock
    const { messagesPerSecond } = settings
    this.#messages = new TokenBuckets({ perSecond: messagesPerSecond, burst: messagesPerSecond * BURST_SECONDS, capacity: 1 })
  }

  hear(data: ArrayBuffer, isBinary: boolean): void {
    if (!this.#messages.take("", this.#clock.currentTimeMillisUnsafe())) {
      this.#line.end(closeCodes.tooManyMessages.code, closeCodes.tooManyMessages.reason)
      return
    }
    if (isBinary) {
      this.#complain("BINARY_NOT_SUPPORTED", "send JSON text")
      return
    }
    const message = decodeClientMessage(text.decode(data))
    if (Result.isFailure(message)) this.#complain("MALFORMED_MESSAGE", expected)
    else this.#answer(message.success)
  }

  subscribe(asked: Subscribe): void {
    const { session } = this
    const shape = asked.shape ?? session.shape
    const pace = paceOf(asked, session.pace)
    const added: Array<string> = []
    for (const room of asked.rooms) {
      const parsed = parseRoom(room)
      const matchId = parsed?._tag === "Match" ? parsed.matchId : undefined
      if (parsed === undefined) this.#tell("UNKNOWN_ROOM", whyNot.UNKNOWN_ROOM, room)
      else if (matchId !== undefined && session.edge.rooms.get(matchId) === undefined) {
        this.#tell("MATCH_NOT_FOUND", whyNot.MATCH_NOT_FOUND, room)
      } else if (session.rooms.size + this.replays.size >= liveLimits[this.#key.plan].rooms && !session.rooms.has(room)) {
        this.#tell("TOO_MANY_ROOMS", `plan ${this.#key.plan} allows ${liveLimits[this.#key.plan].rooms} rooms on one connection`, room)
      } else if (parsed._tag === "Replay") {
        this.replays.start(parsed.matchId, shape, asked.replay ?? {}, asked.resume?.[room])
      } else {
        session.enter(room, matchId, shape, pace, asked.resume?.[room])
        added.push(room)
      }
    }
    if (added.length === 0) return
    session.say({ type: "subscribed", rooms: added, shape, max_rate_ms: typeof pace === "number" ? pace : null })
    session.begin()
  }

  close(): void {
    this.session.close()
    this.replays.close()
  }

  #answer(message: ClientMessage): void {
    switch (message.action) {
      case "subscribe":
        this.subscribe(message)
        break
      case "unsubscribe":
        this.session.say({ type: "unsubscribed", rooms: message.rooms.filter((room) => this.#leave(room)) })
        this.session.begin()
        break
      case "resync":
        for (const room of message.rooms) {
          if (!this.session.resync(room) && !this.replays.resync(room)) this.#tell("UNKNOWN_ROOM", "you do not follow this room", room)
        }
        this.session.begin()
        break
      case "ping":
        this.session.say({ type: "pong" })
    }
  }

  #leave(room: string): boolean {
    return this.session.unfollow(room) || this.replays.stop(room)
  }

  #tell(code: StreamErrorCode, message: string, room?: string): void {
    const error: StreamError = room === undefined ? { type: "error", code, message } : { type: "error", code, message, room }
    this.session.say(error)
  }

  #complain(code: StreamErrorCode, message: string): void {
    this.#badMessages += 1
    if (this.#badMessages > this.#settings.maxBadMessages) {
      this.#line.end(closeCodes.tooManyBadMessages.code, closeCodes.tooManyBadMessages.reason)
    } else this.#tell(code, message)
  }
}
