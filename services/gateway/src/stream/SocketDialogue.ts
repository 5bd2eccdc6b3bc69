/** Answers the messages of a WebSocket client. Disconnects one that sends too many, or too many malformed ones. */
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { closeCodes } from "@matchpoint/contracts/stream/closeCodes"
import {
  type ClientMessage,
  decodeClientMessage,
  type StreamError,
  type StreamErrorCode,
  type Subscribe,
} from "@matchpoint/contracts/stream/messages"
import { parseRoom } from "@matchpoint/contracts/stream/rooms"
import { socketPathOf } from "@matchpoint/contracts/stream/streamPaths"
import { gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import { planTerms } from "@matchpoint/domain/plans"
import type { GatewaySettings } from "@matchpoint/game/edge/GatewayConfig"
import { TokenBucket } from "@matchpoint/realtime/TokenBuckets"
import { Result } from "effect"
import { paceOf } from "./handshake.ts"
import type { LiveClient } from "./LiveClient.ts"

/** The transport has already rejected invalid UTF-8. */
const text = new TextDecoder()

const expected = 'expected {"action":"subscribe","rooms":["match:<matchId>"]}, "unsubscribe", "resync" or "ping"'

/** Messages of a client that wait until the gateway reads the rooms of an earlier one. */
const MOST_WAITING = 100

/** Burst of messages, as seconds of the allowed rate. */
const BURST_SECONDS = 10

/** Messages that a client may send at once. */
export const messagesAtOnce = ({ messagesPerSecond }: Pick<GatewaySettings, "messagesPerSecond">): number =>
  messagesPerSecond * BURST_SECONDS

const whyNot = {
  UNKNOWN_ROOM: "unknown room; valid rooms are match:<matchId>, all, all:<game> and replay:<matchId>",
} as const

export class SocketDialogue {
  readonly #client: LiveClient
  readonly #now: () => number
  /** Created with the first message, because some clients never send one. */
  #messages: TokenBucket | undefined
  #badMessages = 0
  /** Messages behind a subscription to rooms that the gateway does not read yet. */
  #waiting: Array<ClientMessage> | undefined

  /** `now` returns monotonic milliseconds. */
  constructor(client: LiveClient, now: () => number) {
    this.#client = client
    this.#now = now
  }

  receive(data: ArrayBuffer, isBinary: boolean): void {
    const { settings } = this.#client
    const { messagesPerSecond } = settings
    const now = this.#now()
    const burst = messagesAtOnce(settings)
    this.#messages ??= new TokenBucket(burst, now)
    if (!this.#messages.take(now, messagesPerSecond, burst)) {
      this.#client.outlet.end(closeCodes.tooManyMessages)
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

  /** Subscribes once the gateway reads the rooms, usually at once. */
  subscribe(message: Subscribe): void {
    const isRead = this.#client.whenRead(message.rooms, () => {
      this.#enterRooms(message)
      this.#answerWaiting()
    })
    if (!isRead) this.#waiting = []
  }

  #enterRooms(message: Subscribe): void {
    const { key, session } = this.#client
    const { rooms: mostRooms } = planTerms[key.plan]
    const shape = message.shape ?? session.shape
    const pace = paceOf(message, session.pace)
    const added: Array<string> = []
    for (const room of message.rooms) {
      const parsed = parseRoom(room)
      const matchId = parsed?._tag === "Match" ? parsed.matchId : undefined
      const ofGame = parsed?._tag === "All" ? parsed.game : undefined
      // On a channel for one game, a client may enter `all:<game>` of that game only.
      const isOther = ofGame !== undefined && session.game !== undefined && ofGame !== session.game
      if (parsed === undefined || isOther) this.#sendError("UNKNOWN_ROOM", whyNot.UNKNOWN_ROOM, room)
      else if (matchId !== undefined && !session.mayFollow(matchId)) {
        this.#sendError("MATCH_NOT_FOUND", this.#whyNoMatch(matchId), room)
      } else if (this.#client.rooms >= mostRooms && !session.rooms.has(room)) {
        this.#sendError("TOO_MANY_ROOMS", `plan ${key.plan} allows at most ${mostRooms} rooms per connection`, room)
      } else if (parsed._tag === "Replay" && session.game !== undefined && gameOfMatch(parsed.matchId) !== session.game) {
        this.#sendError("MATCH_NOT_FOUND", this.#whyNoMatch(parsed.matchId), room)
      } else if (parsed._tag === "Replay") {
        this.#client.replays.start(parsed.matchId, shape, message.replay ?? {}, message.resume?.[room])
      } else {
        session.enter(room, matchId, shape, pace, message.resume?.[room], ofGame)
        added.push(room)
      }
    }
    if (added.length === 0) return
    session.sendControl({ type: "subscribed", rooms: added, shape, max_rate_ms: typeof pace === "number" ? pace : null })
    session.begin()
  }

  #answerInTurn(message: ClientMessage): void {
    if (this.#waiting === undefined) this.#answer(message)
    else if (this.#waiting.length < MOST_WAITING) this.#waiting.push(message)
    else this.#client.outlet.end(closeCodes.tooManyMessages)
  }

  #answerWaiting(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    for (const message of waiting) this.#answerInTurn(message)
  }

  #answer(message: ClientMessage): void {
    const client = this.#client
    const { session } = client
    switch (message.action) {
      case "subscribe":
        this.subscribe(message)
        break
      case "unsubscribe":
        session.sendControl({ type: "unsubscribed", rooms: message.rooms.filter((room) => client.leave(room)) })
        session.begin()
        break
      case "resync":
        for (const room of message.rooms) {
          if (!client.resync(room)) this.#sendError("UNKNOWN_ROOM", "you are not subscribed to this room", room)
        }
        session.begin()
        break
      case "ping":
        session.sendControl({ type: "pong" })
    }
  }

  /** This channel is for another game, or the match is not live. */
  #whyNoMatch(matchId: MatchId): string {
    const game = gameOfMatch(matchId)
    const { game: followed } = this.#client.session
    return followed === undefined || game === followed
      ? `no live match has this id; GET ${API_ROOT}/${game}/live lists the live matches`
      : `this channel has matches of ${followed} only; the match belongs to ${game}: connect to ${API_ROOT}${socketPathOf(game)}, or to ${API_ROOT}${socketPathOf(undefined)} for all games of your plan`
  }

  #sendError(code: StreamErrorCode, message: string, room?: string): void {
    const error: StreamError = room === undefined ? { type: "error", code, message } : { type: "error", code, message, room }
    this.#client.session.sendControl(error)
  }

  #rejectMessage(code: StreamErrorCode, message: string): void {
    this.#badMessages += 1
    if (this.#badMessages > this.#client.settings.maxBadMessages) {
      this.#client.outlet.end(closeCodes.tooManyBadMessages)
    } else this.#sendError(code, message)
  }
}
