/**
 * One tier of the edge: real time, or a plan's delay behind it. It owns its rooms and the channels on them; a frame that it has not
 * accepted yet does not exist for anyone who reads or follows this tier, whichever way. Both tiers run this code on the same frames.
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

/** What the edge needs of the transports: a subset of UwsServer. */
export interface Publisher {
  readonly publish: (topic: string, bytes: string | Uint8Array) => boolean
  readonly publishSse: (topic: string, bytes: Uint8Array) => number
}

/** One thing to publish: as a WebSocket message, and as an event once somebody needs it. */
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
  /** How long adaptive channels may collect; 0: every frame leaves at once. */
  windowMs = 0
  /** Position up to which adaptive channels have been served. */
  #served = 0
  #isFlushing = false
  /** While a frame goes to one channel after the other: the position before it. A transport may tell of a skipped client in between. */
  #handedTo: number | undefined
  readonly #wakeStep = new Map<number, () => void>()
  /** The newest frame of each match when a change of it could not be read. */
  readonly #lost = new Map<MatchId, Frame>()
  #lostAll: number | undefined
  readonly #listeners = new Set<(frame: Frame) => void>()
  /** Called when something waits for `flush`. */
  onPending: () => void = () => {}

  constructor(rooms: LiveRooms, delaySeconds: number, server: Publisher) {
    this.rooms = rooms
    this.delaySeconds = delaySeconds
    this.#server = server
  }

  /** Position up to which everything was handed to the transports on channels of this pace. */
  servedTo(pace: Pace): number {
    if (pace === "adaptive" && (this.#isFlushing || this.#pending.length > 0)) return this.#served
    return this.#handedTo ?? this.rooms.position
  }

  /** Takes the next frame and hands it to everyone on its channels. False: it was passed already. */
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
   * The log has a change of this match that this edge cannot read. Followers are told once that their place is lost, and get the newest
   * snapshot there is; the next readable frame with a document announces what is missing.
   */
  lose(matchId: MatchId): void {
    const room = this.rooms.get(matchId)
    const views = room?.views
    if (room === undefined || views === undefined || this.#lost.get(matchId) === views.frame) return
    this.#lost.set(matchId, views.frame)
    this.flush()
    this.#reset(matchRoom(matchId), [views])
    // In one go for all matches: each of them would be told of all of them.
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

  /** Followers of the room begin anew, with these. */
  #reset(room: string, snapshots: ReadonlyArray<Views>): void {
    // A channel of one game calls the room of all its matches `all`.
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

  /** Calls `listener` with every frame from now on, in order, until the returned function is called. */
  listen(listener: (frame: Frame) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Hands on what has been collecting. */
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
    // Streams have no topics of the transport's own that would collect: one write per stream for all of them.
    for (const [channel, collected] of events) this.#server.publishSse(channel.topic, joined(collected))
    this.#isFlushing = false
    this.#served = this.rooms.position
  }

  /** The channel of a room; it lasts while somebody is on it. */
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

  /** `wake` is called when there is a conflated channel of this pace, whose `step` is to be called from then on. */
  onConflation(stepMs: number, wake: () => void): void {
    this.#wakeStep.set(stepMs, wake)
  }

  conflationOf(channel: Channel): Conflation | undefined {
    return this.#conflations.get(channel)
  }

  /** Called when somebody has left it. */
  release(channel: Channel): void {
    if (channel.members > 0) return
    const rest = (this.#channels.get(channel.room) ?? []).filter((one) => one !== channel)
    if (rest.length === 0) this.#channels.delete(channel.room)
    else this.#channels.set(channel.room, rest)
    this.#conflations.delete(channel)
  }

  /** The step of conflated channels with this pace. False: there are none. */
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

  /** Tells every channel how far its matches are and how old that is. */
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

  /** Forgets what is old. */
  sweep(now: number): void {
    for (const matchId of this.rooms.sweep(now)) {
      this.#lost.delete(matchId)
      for (const conflation of this.#conflations.values()) conflation.forget(matchId)
    }
  }

  /** The matches in a room. */
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

  /** What everyone on the channel is sent for a frame. */
  #messagesOf(channel: Channel, views: Views): ReadonlyArray<Message> {
    const { frame } = views
    if (frame.missing === undefined) return [channel.shape === "v1" ? this.#updateOf(views) : this.#deltaOf(frame)]
    return [this.#gapBefore(frame, frame.missing), this.#snapshotOf(channel, views)]
  }

  /** The log had dropped frames before we read them: says which. A whole document is next. */
  #gapBefore({ epoch, matchId, position }: Frame, range: { readonly from: number; readonly to: number }): Message {
    const gap: Gap = { type: "gap", position, reason: "log", missing: [{ matchId, epoch, ...range }] }
    return { bytes: JSON.stringify(gap), event: () => sseEvent(controlEvents.gap, gap) }
  }

  /** Streams of shape v1 know no snapshots: an update is as whole. */
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

  /** The last event made: a frame goes to the channel of its match and to `all` one after the other. */
  #lastEvent: { readonly bytes: Uint8Array; readonly event: Uint8Array } | undefined

  #event(kind: FrameKind, frame: Frame, bytes: Uint8Array): Uint8Array {
    if (this.#lastEvent?.bytes !== bytes) this.#lastEvent = { bytes, event: frameEvent(kind, frame, bytes) }
    return this.#lastEvent.event
  }
}
