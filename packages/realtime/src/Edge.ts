/**
 * An edge is one gateway's copy of the live matches at one tier, real time or delayed. It decides when accepted frames
 * are published on which channels. A frame is visible to the clients of the tier only after the tier has accepted it.
 * All tiers run this code on the same frames.
 *
 * Its parts: `LiveRooms` has the matches, `ChannelRegistry` the channels, `ChannelMessages` builds what is published.
 */
import { ALL, allOf, matchRoom, parseRoom } from "@matchpoint/contracts/stream/rooms"
import { gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import type { Channel, Pace } from "./Channel.ts"
import { ChannelMessages, heartbeatOf, type Message, resetOf } from "./ChannelMessages.ts"
import { ChannelRegistry } from "./ChannelRegistry.ts"
import type { Frame } from "./Frame.ts"
import type { LiveRooms } from "./LiveRooms.ts"
import type { MatchRoom } from "./MatchRoom.ts"
import { joined } from "./sseEvents.ts"

/** Subset of `UwsServer`. */
export interface Publisher {
  readonly publish: (topic: string, bytes: string | Uint8Array) => boolean
  readonly publishSse: (topic: string, bytes: Uint8Array) => number
}

interface Pending {
  readonly channel: Channel
  /** Log position of the frame. */
  readonly position: number
  readonly messages: ReadonlyArray<Message>
}

export class Edge {
  readonly rooms: LiveRooms
  readonly channels: ChannelRegistry
  readonly delaySeconds: number
  readonly #server: Publisher
  readonly #messages: ChannelMessages
  #pending: Array<Pending> = []
  /** Adaptive channels may collect frames this long, in milliseconds. 0 sends every frame at once. */
  windowMs = 0
  /** Log position up to which all frames have been sent to adaptive channels. */
  #served = 0
  #isFlushing = false
  /**
   * Log position before the current frame, while that frame is passed to the channels one after another: a transport
   * may report a slow client during this time.
   */
  #handedTo: number | undefined
  /** Newest frame of each match when a change of it could not be read, so that clients are notified only once. */
  readonly #lost = new Map<MatchId, Frame>()
  #lostAll: number | undefined
  readonly #listeners = new Set<(frame: Frame) => void>()
  /** Called when the first frame is held back for a batch, so that the caller can schedule `flush`. */
  onPending: () => void = () => {}

  constructor(rooms: LiveRooms, delaySeconds: number, server: Publisher) {
    this.rooms = rooms
    this.delaySeconds = delaySeconds
    this.#server = server
    this.channels = new ChannelRegistry(String(delaySeconds))
    this.#messages = new ChannelMessages(rooms)
  }

  /**
   * Log position up to which the transports have all frames. Depends on the pace, as frames may be held back for a
   * batch.
   */
  servedTo(pace: Pace): number {
    if (pace === "adaptive" && (this.#isFlushing || this.#pending.length > 0)) return this.#served
    return this.#handedTo ?? this.rooms.position
  }

  /**
   * Returns false if the frame is a duplicate, or if the full state after it cannot be computed; frames of the match
   * are then accepted again from the next keyframe. Parses nothing unless a channel needs more than the bytes of the
   * delta. Throws `UnreadableFrame`.
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
   * Handles a change in the log that cannot be read. The clients of the match are notified once that they cannot resume
   * from their cursor, and get the newest snapshot. The next readable frame with the full state announces the missing
   * frames.
   */
  handleUnreadable(matchId: MatchId): void {
    const newest = this.rooms.get(matchId)?.newest
    if (newest === undefined || this.#lost.get(matchId) === newest) return
    this.#lost.set(matchId, newest)
    this.flush()
    this.#reset(matchRoom(matchId))
    // After several unreadable changes in a row, the rooms of several matches are reset only once: each reset sends
    // snapshots of all their matches.
    if (this.#lostAll === this.rooms.position) return
    this.#lostAll = this.rooms.position
    this.#reset(ALL)
    this.#reset(allOf(gameOfMatch(matchId)))
  }

  /** Announces the reset, followed by snapshots of the room's matches, from which the clients restart. */
  #reset(room: string): void {
    // Clients know the room with all matches of a game as `all`.
    const resetMessage = resetOf(parseRoom(room)?._tag === "All" ? ALL : room)
    for (const channel of this.channels.byRoom.get(room) ?? []) {
      if (!channel.hasClients) continue
      const snapshots = this.#roomsIn(room).flatMap(({ views }) => views ?? [])
      const conflation = this.channels.conflations.get(channel)
      for (const { frame } of snapshots) conflation?.forget(frame.matchId)
      for (const views of snapshots) conflation?.begin(views)
      this.#publish(channel, [resetMessage, ...snapshots.map((views) => this.#messages.snapshotOf(channel, views))])
    }
  }

  /**
   * Starts with empty rooms, because the log is another one. Clients are notified that they cannot resume, and get each
   * match with its first record in the new log.
   */
  startOver(): void {
    this.flush()
    this.rooms.startOver()
    this.#served = 0
    this.#lost.clear()
    this.#lostAll = undefined
    this.channels.clearConflations()
    for (const room of this.channels.byRoom.keys()) this.#reset(room)
  }

  /** Frames arrive in order, until the returned function is called. */
  listen(listener: (frame: Frame) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

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
    // The transport does not batch server-sent events. They are joined here, so that each SSE stream needs one write.
    for (const [channel, collected] of events) this.#server.publishSse(channel.topic, joined(collected))
    this.#isFlushing = false
    this.#served = this.rooms.position
  }

  /** Ends an interval of the channels that combine their frames every `stepMs`. Returns false if there are none. */
  step(stepMs: number): boolean {
    let any = false
    for (const [channel, conflation] of this.channels.conflations) {
      if (channel.pace !== stepMs) continue
      any = true
      for (const conflated of conflation.step()) this.#publish(channel, this.#messages.ofConflated(channel, conflated))
    }
    return any
  }

  /** Contains the sequence number and the age of the newest frame of each match on the channel. */
  heartbeat(now: number): void {
    this.flush()
    for (const [room, channels] of this.channels.byRoom) {
      if (!channels.some((channel) => channel.hasClients)) continue
      const heartbeat = [heartbeatOf(this.#roomsIn(room), this.rooms.position, now)]
      for (const channel of channels) this.#publish(channel, heartbeat)
    }
  }

  /** Removes matches that finished long ago, and frames past their maximum age. */
  sweep(now: number): void {
    for (const matchId of this.rooms.sweep(now)) {
      this.#lost.delete(matchId)
      this.channels.forget(matchId)
    }
  }

  #roomsIn(room: string): ReadonlyArray<MatchRoom> {
    const parsed = parseRoom(room)
    if (parsed?._tag === "All") {
      return this.rooms.known().filter(({ matchId }) => parsed.game === undefined || gameOfMatch(matchId) === parsed.game)
    }
    const match = parsed?._tag === "Match" ? this.rooms.get(parsed.matchId) : undefined
    return match === undefined ? [] : [match]
  }

  #offer(room: string, frame: Frame): void {
    const channels = this.channels.byRoom.get(room)
    if (channels === undefined) return
    for (const channel of channels) {
      if (typeof channel.pace === "number") this.channels.conflations.get(channel)?.offer(this.rooms.viewsOf(frame))
      else if (!channel.hasClients) continue
      else if (channel.pace === "adaptive" && (this.windowMs > 0 || this.#pending.length > 0)) this.#wait(channel, frame)
      else this.#publish(channel, this.#messages.ofFrame(channel, frame))
    }
  }

  #wait(channel: Channel, frame: Frame): void {
    this.#pending.push({ channel, position: frame.position, messages: this.#messages.ofFrame(channel, frame) })
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
}
