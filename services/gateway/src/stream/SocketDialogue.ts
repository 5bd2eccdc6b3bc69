/**
 * Handles the messages of a WebSocket client and sends the responses. A client that sends too many messages, or too
 * many malformed ones, is disconnected.
 */
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { closeCodes } from "@matchpoint/contracts/stream/closeCodes"
import {
  type ClientMessage,
  decodeClientMessage,
  type Reconnect,
  type StreamError,
  type StreamErrorCode,
  type Subscribe,
} from "@matchpoint/contracts/stream/messages"
import { parseRoom } from "@matchpoint/contracts/stream/rooms"
import { socketPathOf } from "@matchpoint/contracts/stream/streamPaths"
import type { Customer } from "@matchpoint/domain/accounts"
import { gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { planTerms } from "@matchpoint/domain/plans"
import type { GatewaySettings } from "@matchpoint/game/edge/GatewayConfig"
import type { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import type { ClientSession } from "@matchpoint/realtime/ClientSession"
import type { SessionConnection } from "@matchpoint/realtime/SessionConnection"
import { TokenBucket } from "@matchpoint/realtime/TokenBuckets"
import { type Clock, Result } from "effect"
import type { Replays } from "../replay/Replays.ts"
import { SocketReplays } from "../replay/SocketReplays.ts"
import { paceOf, reconnectAfterMs } from "./handshake.ts"
import { ReadProgress } from "./ReadProgress.ts"
import { closeOf, finalErrorOf, type StreamEnd } from "./streamEnds.ts"

/**
 * The functions of the socket that the dialogue calls directly. To send messages, it uses the outlet of the client's
 * session instead.
 */
export interface SocketControl {
  readonly end: (code: number, reason: string) => void
  readonly closed: boolean
}

/** Services shared by all dialogues. */
export interface DialogueHost {
  readonly settings: GatewaySettings
  readonly replays: Replays["Service"]
  readonly clock: Clock.Clock
  readonly random: { readonly nextDoubleUnsafe: () => number }
  readonly whenRead: LiveHub["Service"]["whenRead"]
  /** Runs code of one client. If it fails unexpectedly, only this client's connection ends. */
  readonly isolated: (line: SocketControl, work: () => void) => void
}

/** Decoder of client messages. It does not check for invalid UTF-8, because the transport has already done so. */
const text = new TextDecoder()

const expected = 'expected {"action":"subscribe","rooms":["match:<matchId>"]}, "unsubscribe", "resync" or "ping"'

/** Maximum number of messages of a client that wait until the gateway reads the rooms of an earlier one. */
const MOST_WAITING = 100

/** How many messages a client may send in a burst, expressed as seconds of the allowed rate. */
const BURST_SECONDS = 10

/** Number of messages that a client may send at once. */
export const messagesAtOnce = ({ messagesPerSecond }: Pick<GatewaySettings, "messagesPerSecond">): number =>
  messagesPerSecond * BURST_SECONDS

const whyNot = {
  UNKNOWN_ROOM: "unknown room; valid rooms are match:<matchId>, all, all:<game> and replay:<matchId>",
} as const

export class SocketDialogue {
  readonly session: ClientSession
  /** Whether the client reads what is published to it. */
  readonly reading = new ReadProgress()
  readonly #host: DialogueHost
  readonly #now: () => number
  readonly #outlet: SessionConnection
  readonly #key: Customer
  readonly #line: SocketControl
  /** Limits the message rate. Created when the first message arrives, because many clients never send one. */
  #messages: TokenBucket | undefined
  /** Replays on this socket. Created when the first replay starts, because few clients start one. */
  #replays: SocketReplays | undefined
  #badMessages = 0
  /** Messages that wait behind a subscription to rooms that the gateway does not read yet; undefined if there is none. */
  #waiting: Array<ClientMessage> | undefined
  #stopWaiting: (() => void) | undefined

  constructor(host: DialogueHost, session: ClientSession, outlet: SessionConnection, key: Customer, line: SocketControl) {
    this.session = session
    this.#host = host
    this.#now = monotonicOf(host.clock)
    this.#outlet = outlet
    this.#key = key
    this.#line = line
  }

  receive(data: ArrayBuffer, isBinary: boolean): void {
    const { settings } = this.#host
    const { messagesPerSecond } = settings
    const now = this.#now()
    const burst = messagesAtOnce(settings)
    this.#messages ??= new TokenBucket(burst, now)
    if (!this.#messages.take(now, messagesPerSecond, burst)) {
      this.#line.end(closeCodes.tooManyMessages.code, closeCodes.tooManyMessages.reason)
      return
    }
    if (isBinary) {
      this.#rejectMessage("BINARY_NOT_SUPPORTED", "binary messages are not supported; send JSON text")
      return
    }
    const message = decodeClientMessage(text.decode(data))
    if (Result.isFailure(message)) this.#rejectMessage("MALFORMED_MESSAGE", expected)
    else this.#answerInTurn(message.success)
  }

  /** Subscribes to rooms as soon as the gateway reads them, which is usually at once. */
  subscribe(message: Subscribe): void {
    let isRead = false
    const cancel = this.#host.whenRead(this.session.edge, message.rooms, () => {
      isRead = true
      this.#host.isolated(this.#line, () => {
        this.#enterRooms(message)
        this.#answerWaiting()
      })
    })
    if (isRead) return
    this.#waiting = []
    this.#stopWaiting = cancel
  }

  #enterRooms(message: Subscribe): void {
    const { session } = this
    const shape = message.shape ?? session.shape
    const pace = paceOf(message, session.pace)
    const added: Array<string> = []
    for (const room of message.rooms) {
      const parsed = parseRoom(room)
      const matchId = parsed?._tag === "Match" ? parsed.matchId : undefined
      const ofGame = parsed?._tag === "All" ? parsed.game : undefined
      // On a channel for one game, a client may enter the room `all:<game>` of that game, but not that of another game.
      const isOther = ofGame !== undefined && session.game !== undefined && ofGame !== session.game
      if (parsed === undefined || isOther) this.#sendError("UNKNOWN_ROOM", whyNot.UNKNOWN_ROOM, room)
      else if (matchId !== undefined && !session.mayFollow(matchId)) {
        this.#sendError("MATCH_NOT_FOUND", this.#whyNoMatch(matchId), room)
      } else if (session.rooms.size + (this.#replays?.size ?? 0) >= planTerms[this.#key.plan].rooms && !session.rooms.has(room)) {
        this.#sendError(
          "TOO_MANY_ROOMS",
          `plan ${this.#key.plan} allows at most ${planTerms[this.#key.plan].rooms} rooms per connection`,
          room,
        )
      } else if (parsed._tag === "Replay" && session.game !== undefined && gameOfMatch(parsed.matchId) !== session.game) {
        this.#sendError("MATCH_NOT_FOUND", this.#whyNoMatch(parsed.matchId), room)
      } else if (parsed._tag === "Replay") {
        this.#replaying().start(parsed.matchId, shape, message.replay ?? {}, message.resume?.[room])
      } else {
        session.enter(room, matchId, shape, pace, message.resume?.[room], ofGame)
        added.push(room)
      }
    }
    if (added.length === 0) return
    session.sendControl({ type: "subscribed", rooms: added, shape, max_rate_ms: typeof pace === "number" ? pace : null })
    session.begin()
  }

  /** Called when the socket has sent its buffered bytes, so that the session and its replays can send more. */
  drained(): void {
    this.session.drained()
    this.#replays?.drained()
  }

  /**
   * Asks the client to reconnect, and sends it the cursors from which it can resume. `clients` is the number of clients that are
   * asked at the same time.
   */
  requestReconnect(reason: Reconnect["reason"], clients?: number): void {
    this.session.requestReconnect(reason, reconnectAfterMs(this.#host.random, clients), this.#replays?.cursors)
    this.#replays?.close()
  }

  /** Sends the reason to the client and ends the connection. */
  end(ending: StreamEnd): void {
    if (this.#line.closed) return
    const finalError = finalErrorOf(ending)
    if (finalError === undefined) this.requestReconnect("plan_changed")
    else this.session.sendControl(finalError)
    const { code, reason } = closeOf(ending)
    this.#line.end(code, reason)
  }

  close(): void {
    this.#stopWaiting?.()
    this.session.close()
    this.#replays?.close()
  }

  #answerInTurn(message: ClientMessage): void {
    if (this.#waiting === undefined) this.#answer(message)
    else if (this.#waiting.length < MOST_WAITING) this.#waiting.push(message)
    else this.#line.end(closeCodes.tooManyMessages.code, closeCodes.tooManyMessages.reason)
  }

  #answerWaiting(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    this.#stopWaiting = undefined
    for (const message of waiting) this.#answerInTurn(message)
  }

  #replaying(): SocketReplays {
    this.#replays ??= new SocketReplays({
      replays: this.#host.replays,
      key: this.#key,
      watermark: this.session.edge,
      outlet: this.#outlet,
      end: (code, reason) => this.#line.end(code, reason),
    })
    return this.#replays
  }

  #answer(message: ClientMessage): void {
    switch (message.action) {
      case "subscribe":
        this.subscribe(message)
        break
      case "unsubscribe":
        this.session.sendControl({ type: "unsubscribed", rooms: message.rooms.filter((room) => this.#leave(room)) })
        this.session.begin()
        break
      case "resync":
        for (const room of message.rooms) {
          if (!this.session.resync(room) && this.#replays?.resync(room) !== true)
            this.#sendError("UNKNOWN_ROOM", "you are not subscribed to this room", room)
        }
        this.session.begin()
        break
      case "ping":
        this.session.sendControl({ type: "pong" })
    }
  }

  #leave(room: string): boolean {
    return this.session.unfollow(room) || this.#replays?.stop(room) === true
  }

  /** Returns why the client may not follow the match: this channel is for another game, or the match is not live. */
  #whyNoMatch(matchId: MatchId): string {
    const game = gameOfMatch(matchId)
    const { game: followed } = this.session
    return followed === undefined || game === followed
      ? `no live match has this id; GET ${API_ROOT}/${game}/live lists the live matches`
      : `this channel has matches of ${followed} only; the match belongs to ${game}: connect to ${API_ROOT}${socketPathOf(game)}, or to ${API_ROOT}${socketPathOf(undefined)} for all games of your plan`
  }

  #sendError(code: StreamErrorCode, message: string, room?: string): void {
    const error: StreamError = room === undefined ? { type: "error", code, message } : { type: "error", code, message, room }
    this.session.sendControl(error)
  }

  #rejectMessage(code: StreamErrorCode, message: string): void {
    this.#badMessages += 1
    if (this.#badMessages > this.#host.settings.maxBadMessages) {
      this.#line.end(closeCodes.tooManyBadMessages.code, closeCodes.tooManyBadMessages.reason)
    } else this.#sendError(code, message)
  }
}
