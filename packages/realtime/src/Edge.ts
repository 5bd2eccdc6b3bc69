/**
 * An edge is one gateway's copy of the live matches at one tier, real time or delayed as the plans require. It owns the
 * rooms and channels of its tier and delivers frames to their clients. A frame is visible to the clients of this tier
 * only after the tier has accepted it. All tiers run this code on the same frames.
 */
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { controlEvents, type Gap, type Heartbeat, type Resumed } from "@matchpoint/contracts/stream/messages"
import { ALL, allOf, matchRoom, parseRoom } from "@matchpoint/contracts/stream/rooms"
import { HEARTBEAT } from "@matchpoint/contracts/stream/wire"
import { gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import { Channel, type Pace } from "./Channel.ts"
import { Conflation } from "./Conflation.ts"
import type { Frame } from "./Frame.ts"
import type { FrameViews } from "./FrameViews.ts"
import type { LiveRooms } from "./LiveRooms.ts"
import type { MatchRoom } from "./MatchRoom.ts"
import { type FrameKind, frameEvent, joined, sseEvent } from "./sseEvents.ts"

/** The publishing functions of the WebSocket and SSE server that an edge uses: a subset of `UwsServer`. */
export interface Publisher {
  readonly publish: (topic: string, bytes: string | Uint8Array) => boolean
  readonly publishSse: (topic: string, bytes: Uint8Array) => number
}

/**
 * A message to publish in two formats: as a WebSocket message, and as a server-sent event that is built only if needed.
 */
interface Message {
  readonly bytes: string | Uint8Array
  readonly event: () => Uint8Array
}

interface Pending {
  readonly channel: Channel
  /** Log position of the frame. */
  readonly position: number
  readonly messages: ReadonlyArray<Message>
}

export class Edge {
  readonly rooms: LiveRooms
  readonly delaySeconds: number
  readonly #server: Publisher
  readonly #channels = new Map<string, Array<Channel>>()
  readonly #conflations = new Map<Channel, Conflation>()
  #pending: Array<Pending> = []
  /**
   * How long adaptive channels may collect frames before they are sent, in milliseconds. If it is 0, every frame is
   * sent at once.
   */
  windowMs = 0
  /** Log position up to which all frames have been sent to adaptive channels (those that may batch frames). */
  #served = 0
  #isFlushing = false
  /**
   * Log position before the current frame, set only while that frame is being passed to the channels one after another.
   * Needed because a transport may report a slow client during this time.
   */
  #handedTo: number | undefined
  readonly #wakeStep = new Map<number, () => void>()
  /**
   * For each match with a change that could not be read: the newest frame of the match at that time. Used to tell the
   * clients only once.
   */
  readonly #lost = new Map<MatchId, Frame>()
  #lostAll: number | undefined
  readonly #listeners = new Set<(frame: Frame) => void>()
  /**
   * Called when a frame is held back for a batch and no other frame is waiting, so that the caller can schedule
   * `flush`.
   */
  onPending: () => void = () => {}
  /** Called when a room gets its first client (true), and when its last client has left it (false). */
  onFollowed: (room: string, isFollowed: boolean) => void = () => {}

  constructor(rooms: LiveRooms, delaySeconds: number, server: Publisher) {
    this.rooms = rooms
    this.delaySeconds = delaySeconds
    this.#server = server
  }

  /**
   * Returns the log position up to which all frames have been passed to the transports. It depends on the pace of the
   * channel, because frames may be held back for a batch.
   */
  servedTo(pace: Pace): number {
    if (pace === "adaptive" && (this.#isFlushing || this.#pending.length > 0)) return this.#served
    return this.#handedTo ?? this.rooms.position
  }

  /**
   * Accepts the next frame and publishes it on its channels. Returns false if the frame is a duplicate, or if the full
   * state after it cannot be computed. In the latter case, frames of the match are accepted again from the next
   * keyframe (a frame with the full state). Parses nothing unless a channel needs more than the bytes of the delta.
   * Throws `UnreadableFrame`.
   */
  accept(frame: Frame): boolean {
    if (!this.rooms.accept(frame)) return false
    this.#handedTo = frame.position - 1
    try {
      this.#offer(matchRoom(frame.matchId), frame)
      this.#offer(ALL, frame)
      this.#offer(allOf(gameOfMatch(frame.matchId)), frame)
    } finally {
      this.#handedTo = undefined
    }
    if (this.#pending.length === 0) this.#served = frame.position
    for (const listener of this.#listeners) listener(frame)
    return true
  }

  /**
   * Handles a change of a match that is in the log but cannot be read. The clients that follow the match are notified once
   * that they cannot resume from their cursor, and receive the newest snapshot. The missing frames are announced with
   * the next readable frame that contains the full state.
   */
  handleUnreadable(matchId: MatchId): void {
    const room = this.rooms.get(matchId)
    const newest = room?.newest
    if (room === undefined || newest === undefined || this.#lost.get(matchId) === newest) return
    this.#lost.set(matchId, newest)
    this.flush()
    this.#reset(matchRoom(matchId), [room])
    // If several changes in a row cannot be read, the rooms of several matches are reset only once, because each reset
    // sends snapshots of all their matches.
    if (this.#lostAll === this.rooms.position) return
    this.#lostAll = this.rooms.position
    const game = gameOfMatch(matchId)
    const known = this.rooms.known()
    this.#reset(ALL, known)
    this.#reset(
      allOf(game),
      known.filter((one) => gameOfMatch(one.matchId) === game),
    )
  }

  /**
   * Sends the clients of a room a message that the room was reset, followed by snapshots of its matches, from which they
   * restart.
   */
  #reset(room: string, matches: ReadonlyArray<MatchRoom>): void {
    // In messages to clients, the room with all matches of a game is also named `all`.
    const name = parseRoom(room)?._tag === "All" ? ALL : room
    const resumed: Resumed = { type: "resumed", room: name, verdict: "reset", missing: [] }
    const resetMessage: Message = { bytes: JSON.stringify(resumed), event: () => sseEvent(controlEvents.resumed, resumed) }
    for (const channel of this.#channels.get(room) ?? []) {
      if (!channel.hasClients) continue
      const snapshots = matches.flatMap(({ views }) => views ?? [])
      const conflation = this.#conflations.get(channel)
      for (const { frame } of snapshots) conflation?.forget(frame.matchId)
      for (const views of snapshots) conflation?.begin(views)
      this.#publish(channel, [resetMessage, ...snapshots.map((views) => this.#snapshotOf(channel, views))])
    }
  }

  /**
   * Starts with empty rooms, because the log is another one. The clients are notified that they cannot resume, and receive each
   * match with its first record in the new log.
   */
  startOver(): void {
    this.flush()
    this.rooms.startOver()
    this.#served = 0
    this.#lost.clear()
    this.#lostAll = undefined
    for (const channel of this.#conflations.keys()) this.#conflations.set(channel, new Conflation(channel.shape))
    for (const room of this.#channels.keys()) this.#reset(room, [])
  }

  /** Calls `listener` with every future frame, in order, until the returned function is called. */
  listen(listener: (frame: Frame) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Sends the frames that have been held back for adaptive channels. */
  flush(): void {
    if (this.#pending.length === 0) return
    const pending = this.#pending
    this.#pending = []
    const events = new Map<Channel, Array<Uint8Array>>()
    this.#isFlushing = true
    for (const { channel, messages, position } of pending) {
      this.#served = position - 1
      for (const { bytes, event } of messages) {
        this.#publishToSockets(channel, bytes)
        if (channel.streams === 0) continue
        const collected = events.get(channel)
        if (collected === undefined) events.set(channel, [event()])
        else collected.push(event())
      }
    }
    // The transport does not batch server-sent events. Here the events are therefore joined, so that each SSE stream
    // needs only one write.
    for (const [channel, collected] of events) this.#server.publishSse(channel.topic, joined(collected))
    this.#isFlushing = false
    this.#served = this.rooms.position
  }

  /**
   * Returns the channel of a room with this message format and pace, and creates it if necessary. A channel exists as
   * long as it has clients.
   */
  channel(room: string, shape: Shape, pace: Pace): Channel {
    const channels = this.#channels.get(room) ?? []
    const known = channels.find((channel) => channel.shape === shape && channel.pace === pace)
    if (known !== undefined) return known
    const channel = new Channel(room, shape, pace, String(this.delaySeconds))
    channels.push(channel)
    this.#channels.set(room, channels)
    if (channels.length === 1) this.onFollowed(room, true)
    if (typeof pace === "number") {
      this.#conflations.set(channel, new Conflation(shape))
      this.#wakeStep.get(pace)?.()
    }
    return channel
  }

  /**
   * Registers the function `wake`, which is called when a channel is created that combines its frames every `stepMs`
   * milliseconds. From then on, `step` must be called once per interval.
   */
  onConflation(stepMs: number, wake: () => void): void {
    this.#wakeStep.set(stepMs, wake)
  }

  conflationOf(channel: Channel): Conflation | undefined {
    return this.#conflations.get(channel)
  }

  /** Removes a channel if it has no clients. Must be called after a client has left it. */
  release(channel: Channel): void {
    if (channel.members > 0) return
    const rest = (this.#channels.get(channel.room) ?? []).filter((one) => one !== channel)
    if (rest.length === 0) {
      if (this.#channels.delete(channel.room)) this.onFollowed(channel.room, false)
    } else this.#channels.set(channel.room, rest)
    this.#conflations.delete(channel)
  }

  /**
   * Ends an interval for the channels that combine their frames every `stepMs` milliseconds, and publishes the changes.
   * Returns false if there are no such channels.
   */
  step(stepMs: number): boolean {
    let any = false
    for (const [channel, conflation] of this.#conflations) {
      if (channel.pace !== stepMs) continue
      any = true
      for (const { views, delta, missing } of conflation.step()) {
        const { frame } = views
        if (missing !== undefined) this.#publish(channel, [this.#gapBefore(frame, missing), this.#snapshotOf(channel, views)])
        else if (delta !== undefined) this.#publish(channel, [this.#deltaOf(frame, delta)])
        else if (channel.shape === "v1") this.#publish(channel, [this.#updateOf(views)])
        else this.#publish(channel, [this.#snapshotOf(channel, views)])
      }
    }
    return any
  }

  /**
   * Sends a heartbeat to every channel. It contains the sequence number and the age of the newest frame of each match
   * on the channel.
   */
  heartbeat(now: number): void {
    this.flush()
    const at = new Date(now).toISOString()
    const everything = this.#heartbeatOf(this.rooms.known(), at, now)
    for (const [room, channels] of this.#channels) {
      if (!channels.some((channel) => channel.hasClients)) continue
      const heartbeat = room === ALL ? everything : this.#heartbeatOf(this.#roomsIn(room), at, now)
      const text = JSON.stringify(heartbeat)
      const event = sseEvent(controlEvents.ping, heartbeat)
      for (const channel of channels) {
        this.#publishToSockets(channel, text)
        if (channel.streams > 0) this.#server.publishSse(channel.topic, event)
      }
    }
  }

  /** Removes matches that finished long ago, and frames past their maximum age. */
  sweep(now: number): void {
    for (const matchId of this.rooms.sweep(now)) {
      this.#lost.delete(matchId)
      for (const conflation of this.#conflations.values()) conflation.forget(matchId)
    }
  }

  /** Returns the matches of a room. */
  #roomsIn(room: string): ReadonlyArray<MatchRoom> {
    const parsed = parseRoom(room)
    if (parsed?._tag === "All") {
      return this.rooms.known().filter(({ matchId }) => parsed.game === undefined || gameOfMatch(matchId) === parsed.game)
    }
    const match = parsed?._tag === "Match" ? this.rooms.get(parsed.matchId) : undefined
    return match === undefined ? [] : [match]
  }

  #heartbeatOf(rooms: ReadonlyArray<MatchRoom>, at: string, now: number): Heartbeat {
    const matches = rooms.flatMap(({ matchId, newest }) =>
      newest === undefined ? [] : [{ matchId, epoch: newest.epoch, seq: newest.seq, age_ms: Math.max(0, now - newest.at) }],
    )
    return { type: HEARTBEAT, at, position: this.rooms.position, matches }
  }

  #offer(room: string, frame: Frame): void {
    const channels = this.#channels.get(room)
    if (channels === undefined) return
    for (const channel of channels) {
      if (typeof channel.pace === "number") this.#conflations.get(channel)?.offer(this.rooms.viewsOf(frame))
      else if (!channel.hasClients) continue
      else if (channel.pace === "adaptive" && (this.windowMs > 0 || this.#pending.length > 0)) this.#wait(channel, frame)
      else this.#publish(channel, this.#messagesOf(channel, frame))
    }
  }

  #updateOf({ frame, update }: FrameViews): Message {
    return { bytes: update, event: () => this.#event("update", frame, update) }
  }

  #deltaOf(frame: Frame, delta: Uint8Array): Message {
    return { bytes: delta, event: () => this.#event("delta", frame, delta) }
  }

  /** The delta that was sent last. Several channels send the same delta one after another. */
  #lastDelta: { readonly frame: Frame; readonly message: Message } | undefined

  #ownDeltaOf(frame: Frame): Message {
    if (this.#lastDelta?.frame !== frame) this.#lastDelta = { frame, message: this.#deltaOf(frame, frame.record.delta) }
    return this.#lastDelta.message
  }

  /** Returns the messages in which a frame is sent. They are the same for every client on the channel. */
  #messagesOf(channel: Channel, frame: Frame): ReadonlyArray<Message> {
    if (frame.missing !== undefined) return [this.#gapBefore(frame, frame.missing), this.#snapshotOf(channel, this.rooms.viewsOf(frame))]
    return [channel.shape === "v1" ? this.#updateOf(this.rooms.viewsOf(frame)) : this.#ownDeltaOf(frame)]
  }

  /**
   * Returns the message that announces missing frames, which the log dropped before this server read them. A snapshot
   * must follow this message.
   */
  #gapBefore({ epoch, matchId, position }: Frame, range: { readonly from: number; readonly to: number }): Message {
    const gap: Gap = { type: "gap", position, reason: "log", missing: [{ matchId, epoch, ...range }] }
    return { bytes: JSON.stringify(gap), event: () => sseEvent(controlEvents.gap, gap) }
  }

  /**
   * Returns a snapshot message. SSE streams in message format v1 have no snapshots, because each update contains the
   * full state; for them, returns an update.
   */
  #snapshotOf({ shape }: Channel, views: FrameViews): Message {
    const { frame } = views
    const bytes = views.snapshot(shape)
    return { bytes, event: () => (shape === "v1" ? this.#event("update", frame, views.update) : this.#event("snapshot", frame, bytes)) }
  }

  #wait(channel: Channel, frame: Frame): void {
    this.#pending.push({ channel, position: frame.position, messages: this.#messagesOf(channel, frame) })
    if (this.#pending.length === 1) this.onPending()
  }

  #publish(channel: Channel, messages: ReadonlyArray<Message>): void {
    for (const { bytes, event } of messages) {
      this.#publishToSockets(channel, bytes)
      if (channel.streams > 0) this.#server.publishSse(channel.topic, event())
    }
  }

  #publishToSockets(channel: Channel, bytes: string | Uint8Array): void {
    if (channel.sockets === 0) return
    // Counted before: a transport may report a slow client while it publishes.
    channel.socketBytes += bytes.length
    this.#server.publish(channel.topic, bytes)
  }

  /**
   * Cache of the last server-sent event. A frame is sent to the channel of its match and then to `all`, so both
   * channels use the same event.
   */
  #lastEvent: { readonly bytes: Uint8Array; readonly event: Uint8Array } | undefined

  #event(kind: FrameKind, frame: Frame, bytes: Uint8Array): Uint8Array {
    if (this.#lastEvent?.bytes !== bytes) this.#lastEvent = { bytes, event: frameEvent(kind, frame, bytes) }
    return this.#lastEvent.event
  }
}
