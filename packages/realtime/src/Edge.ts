/**
 * One tier of the edge: real time, or delayed as a plan requires. It owns its rooms and their channels. A frame is
 * visible in this tier, to readers and followers, only after the tier has accepted it. All tiers run this code on the
 * same frames.
 */
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { controlEvents, type Gap, type Heartbeat, type Resumed } from "@matchpoint/contracts/stream/messages"
import { ALL, allOf, matchRoom, parseRoom } from "@matchpoint/contracts/stream/rooms"
import { HEARTBEAT } from "@matchpoint/contracts/stream/wire"
import { gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import { Channel, type Pace } from "./Channel.ts"
import { Conflation } from "./Conflation.ts"
import type { Frame } from "./Frame.ts"
import type { LiveRooms } from "./LiveRooms.ts"
import type { MatchRoom } from "./MatchRoom.ts"
import { type FrameKind, frameEvent, joined, sseEvent } from "./sseEvents.ts"
import type { Views } from "./Views.ts"

/** The part of the transports that the edge uses: a subset of `UwsServer`. */
export interface Publisher {
  readonly publish: (topic: string, bytes: string | Uint8Array) => boolean
  readonly publishSse: (topic: string, bytes: Uint8Array) => number
}

/** A message to publish: as a WebSocket message, and as a server-sent event that is built only if needed. */
interface Message {
  readonly bytes: string | Uint8Array
  readonly event: () => Uint8Array
}

interface Pending {
  readonly channel: Channel
  readonly views: Views
}

export class Edge {
  readonly rooms: LiveRooms
  readonly delaySeconds: number
  readonly #server: Publisher
  readonly #channels = new Map<string, Array<Channel>>()
  readonly #conflations = new Map<Channel, Conflation>()
  #pending: Array<Pending> = []
  /** Milliseconds for which adaptive channels may collect frames. 0: every frame is sent at once. */
  windowMs = 0
  /** Position up to which adaptive channels were served. */
  #served = 0
  #isFlushing = false
  /**
   * Set while a frame is passed to one channel after another: the position before that frame. Meanwhile a transport may
   * report a skipped client.
   */
  #handedTo: number | undefined
  readonly #wakeStep = new Map<number, () => void>()
  /** By match, its newest frame at the time a later change could not be read. */
  readonly #lost = new Map<MatchId, Frame>()
  #lostAll: number | undefined
  readonly #listeners = new Set<(frame: Frame) => void>()
  /** Called when frames start to wait for `flush`. */
  onPending: () => void = () => {}

  constructor(rooms: LiveRooms, delaySeconds: number, server: Publisher) {
    this.rooms = rooms
    this.delaySeconds = delaySeconds
    this.#server = server
  }

  /** Position up to which all frames were passed to the transports, for channels of this pace. */
  servedTo(pace: Pace): number {
    if (pace === "adaptive" && (this.#isFlushing || this.#pending.length > 0)) return this.#served
    return this.#handedTo ?? this.rooms.position
  }

  /**
   * Accepts the next frame and publishes it on its channels. Returns false if the frame is a repeat, or if its document
   * cannot be built before the next keyframe.
   */
  accept(frame: Frame): boolean {
    if (!this.rooms.accept(frame)) return false
    const views = this.rooms.viewsOf(frame)
    this.#handedTo = frame.position - 1
    this.#offer(matchRoom(frame.matchId), views)
    this.#offer(ALL, views)
    this.#offer(allOf(gameOfMatch(frame.matchId)), views)
    this.#handedTo = undefined
    if (this.#pending.length === 0) this.#served = frame.position
    for (const listener of this.#listeners) listener(frame)
    return true
  }

  /**
   * Handles a change of this match that is in the log but cannot be read. Followers are told once that their place is
   * lost, and get the newest snapshot. The next readable frame with a document announces the missing frames.
   */
  lose(matchId: MatchId): void {
    const room = this.rooms.get(matchId)
    const views = room?.views
    if (room === undefined || views === undefined || this.#lost.get(matchId) === views.frame) return
    this.#lost.set(matchId, views.frame)
    this.flush()
    this.#reset(matchRoom(matchId), [views])
    // Rooms of several matches are reset once per position, because each reset sends snapshots of all their matches.
    if (this.#lostAll === this.rooms.position) return
    this.#lostAll = this.rooms.position
    const game = gameOfMatch(matchId)
    const known = this.rooms.known()
    for (const [name, rooms] of [
      [ALL, known],
      [allOf(game), known.filter((one) => gameOfMatch(one.matchId) === game)],
    ] as const) {
      this.#reset(
        name,
        rooms.flatMap((one) => one.views ?? []),
      )
    }
  }

  /** Sends the followers of a room these snapshots, from which they start again. */
  #reset(room: string, snapshots: ReadonlyArray<Views>): void {
    // In messages to clients, the room of all matches of a game is named `all`.
    const name = parseRoom(room)?._tag === "All" ? ALL : room
    const resumed: Resumed = { type: "resumed", room: name, verdict: "reset", missing: [] }
    const told: Message = { bytes: JSON.stringify(resumed), event: () => sseEvent(controlEvents.resumed, resumed) }
    for (const channel of this.#channels.get(room) ?? []) {
      if (!channel.isHeard) continue
      const conflation = this.#conflations.get(channel)
      for (const { frame } of snapshots) conflation?.forget(frame.matchId)
      for (const views of snapshots) conflation?.begin(views)
      this.#publish(channel, [told, ...snapshots.map((views) => this.#snapshotOf(channel, views))])
    }
  }

  /** Calls `listener` with every future frame, in order, until the returned function is called. */
  listen(listener: (frame: Frame) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Sends the frames that adaptive channels have collected. */
  flush(): void {
    if (this.#pending.length === 0) return
    const pending = this.#pending
    this.#pending = []
    const events = new Map<Channel, Array<Uint8Array>>()
    this.#isFlushing = true
    for (const { channel, views } of pending) {
      this.#served = views.frame.position - 1
      for (const { bytes, event } of this.#messagesOf(channel, views)) {
        if (channel.sockets > 0) this.#server.publish(channel.topic, bytes)
        if (channel.streams === 0) continue
        const collected = events.get(channel)
        if (collected === undefined) events.set(channel, [event()])
        else collected.push(event())
      }
    }
    // The transport does not batch events of server-sent streams. They are joined here, so that each stream needs one
    // write.
    for (const [channel, collected] of events) this.#server.publishSse(channel.topic, joined(collected))
    this.#isFlushing = false
    this.#served = this.rooms.position
  }

  /** Returns the channel of a room, and creates it if necessary. A channel exists while it has members. */
  channel(room: string, shape: Shape, pace: Pace): Channel {
    const channels = this.#channels.get(room) ?? []
    const known = channels.find((channel) => channel.shape === shape && channel.pace === pace)
    if (known !== undefined) return known
    const channel = new Channel(room, shape, pace, String(this.delaySeconds))
    channels.push(channel)
    this.#channels.set(room, channels)
    if (typeof pace === "number") {
      this.#conflations.set(channel, new Conflation(shape))
      this.#wakeStep.get(pace)?.()
    }
    return channel
  }

  /**
   * Registers `wake`, which is called when a conflated channel of this pace is created. The caller must then call
   * `step` regularly.
   */
  onConflation(stepMs: number, wake: () => void): void {
    this.#wakeStep.set(stepMs, wake)
  }

  conflationOf(channel: Channel): Conflation | undefined {
    return this.#conflations.get(channel)
  }

  /** Removes a channel that has no members. Call it after a member has left. */
  release(channel: Channel): void {
    if (channel.members > 0) return
    const rest = (this.#channels.get(channel.room) ?? []).filter((one) => one !== channel)
    if (rest.length === 0) this.#channels.delete(channel.room)
    else this.#channels.set(channel.room, rest)
    this.#conflations.delete(channel)
  }

  /** Publishes a step on the conflated channels of this pace. Returns false if there are none. */
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

  /** Sends every channel the newest seq of each of its matches and the age of that frame. */
  heartbeat(now: number): void {
    this.flush()
    const at = new Date(now).toISOString()
    const everything = this.#heartbeatOf(this.rooms.known(), at, now)
    for (const [room, channels] of this.#channels) {
      if (!channels.some((channel) => channel.isHeard)) continue
      const heartbeat = room === ALL ? everything : this.#heartbeatOf(this.#roomsIn(room), at, now)
      const text = JSON.stringify(heartbeat)
      const event = sseEvent(controlEvents.ping, heartbeat)
      for (const channel of channels) {
        if (channel.sockets > 0) this.#server.publish(channel.topic, text)
        if (channel.streams > 0) this.#server.publishSse(channel.topic, event)
      }
    }
  }

  /** Removes finished matches and old frames. */
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

  #offer(room: string, views: Views): void {
    const channels = this.#channels.get(room)
    if (channels === undefined) return
    for (const channel of channels) {
      if (typeof channel.pace === "number") this.#conflations.get(channel)?.offer(views)
      else if (!channel.isHeard) continue
      else if (channel.pace === "adaptive" && (this.windowMs > 0 || this.#pending.length > 0)) this.#wait(channel, views)
      else this.#publish(channel, this.#messagesOf(channel, views))
    }
  }

  #updateOf({ frame, update }: Views): Message {
    return { bytes: update, event: () => this.#event("update", frame, update) }
  }

  #deltaOf(frame: Frame, delta = frame.delta): Message {
    return { bytes: delta, event: () => this.#event("delta", frame, delta) }
  }

  /** Returns the messages for a frame, the same for every client on the channel. */
  #messagesOf(channel: Channel, views: Views): ReadonlyArray<Message> {
    const { frame } = views
    if (frame.missing === undefined) return [channel.shape === "v1" ? this.#updateOf(views) : this.#deltaOf(frame)]
    return [this.#gapBefore(frame, frame.missing), this.#snapshotOf(channel, views)]
  }

  /**
   * Returns the announcement of frames that the log dropped before this edge read them. A whole document follows it.
   */
  #gapBefore({ epoch, matchId, position }: Frame, range: { readonly from: number; readonly to: number }): Message {
    const gap: Gap = { type: "gap", position, reason: "log", missing: [{ matchId, epoch, ...range }] }
    return { bytes: JSON.stringify(gap), event: () => sseEvent(controlEvents.gap, gap) }
  }

  /** Server-sent streams of shape v1 have no snapshots, because each of their updates has the whole document. */
  #snapshotOf({ shape }: Channel, views: Views): Message {
    const { frame } = views
    const bytes = views.snapshot(shape)
    return { bytes, event: () => (shape === "v1" ? this.#event("update", frame, views.update) : this.#event("snapshot", frame, bytes)) }
  }

  #wait(channel: Channel, views: Views): void {
    this.#pending.push({ channel, views })
    if (this.#pending.length === 1) this.onPending()
  }

  #publish(channel: Channel, messages: ReadonlyArray<Message>): void {
    for (const { bytes, event } of messages) {
      if (channel.sockets > 0) this.#server.publish(channel.topic, bytes)
      if (channel.streams > 0) this.#server.publishSse(channel.topic, event())
    }
  }

  /** The last event built. A frame is sent to the channel of its match and then to `all`, so both share one event. */
  #lastEvent: { readonly bytes: Uint8Array; readonly event: Uint8Array } | undefined

  #event(kind: FrameKind, frame: Frame, bytes: Uint8Array): Uint8Array {
    if (this.#lastEvent?.bytes !== bytes) this.#lastEvent = { bytes, event: frameEvent(kind, frame, bytes) }
    return this.#lastEvent.event
  }
}
