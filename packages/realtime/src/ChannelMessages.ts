/**
 * Builds the messages that are published on channels, once for all channels that share them. Parses nothing unless a
 * message needs more than the bytes of the delta.
 */
import { controlEvents, type Gap, type Heartbeat, type Resumed } from "@matchpoint/contracts/stream/messages"
import { HEARTBEAT } from "@matchpoint/contracts/stream/wire"
import type { Channel } from "./Channel.ts"
import type { Conflated } from "./Conflation.ts"
import type { Frame } from "./Frame.ts"
import type { FrameViews } from "./FrameViews.ts"
import type { LiveRooms } from "./LiveRooms.ts"
import type { MatchRoom } from "./MatchRoom.ts"
import { type FrameKind, frameEvent, sseEvent } from "./sseEvents.ts"

/** The server-sent event is built only if needed. */
export interface Message {
  readonly bytes: string | Uint8Array
  readonly event: () => Uint8Array
}

export class ChannelMessages {
  readonly #rooms: Pick<LiveRooms, "viewsOf">
  /** Several channels send the same delta one after another. */
  #lastDelta: { readonly frame: Frame; readonly message: Message } | undefined
  /** A frame goes to the channel of its match and then to `all`: both use the same event. */
  #lastEvent: { readonly bytes: Uint8Array; readonly event: Uint8Array } | undefined

  constructor(rooms: Pick<LiveRooms, "viewsOf">) {
    this.#rooms = rooms
  }

  ofFrame(channel: Channel, frame: Frame): ReadonlyArray<Message> {
    if (frame.missing !== undefined) return [gapBefore(frame, frame.missing), this.snapshotOf(channel, this.#rooms.viewsOf(frame))]
    return [channel.shape === "v1" ? this.#updateOf(this.#rooms.viewsOf(frame)) : this.#ownDeltaOf(frame)]
  }

  ofConflated(channel: Channel, { delta, missing, views }: Conflated): ReadonlyArray<Message> {
    const { frame } = views
    if (missing !== undefined) return [gapBefore(frame, missing), this.snapshotOf(channel, views)]
    if (delta !== undefined) return [this.#deltaOf(frame, delta)]
    return [channel.shape === "v1" ? this.#updateOf(views) : this.snapshotOf(channel, views)]
  }

  /** SSE streams in message format v1 have no snapshots, because each update has the full state; they get an update. */
  snapshotOf({ shape }: Channel, views: FrameViews): Message {
    const { frame } = views
    const bytes = views.snapshot(shape)
    return { bytes, event: () => (shape === "v1" ? this.#event("update", frame, views.update) : this.#event("snapshot", frame, bytes)) }
  }

  #updateOf({ frame, update }: FrameViews): Message {
    return { bytes: update, event: () => this.#event("update", frame, update) }
  }

  #deltaOf(frame: Frame, delta: Uint8Array): Message {
    return { bytes: delta, event: () => this.#event("delta", frame, delta) }
  }

  #ownDeltaOf(frame: Frame): Message {
    if (this.#lastDelta?.frame !== frame) this.#lastDelta = { frame, message: this.#deltaOf(frame, frame.record.delta) }
    return this.#lastDelta.message
  }

  #event(kind: FrameKind, frame: Frame, bytes: Uint8Array): Uint8Array {
    if (this.#lastEvent?.bytes !== bytes) this.#lastEvent = { bytes, event: frameEvent(kind, frame, bytes) }
    return this.#lastEvent.event
  }
}

/** Announces frames that the log dropped before this server read them. A snapshot must follow. */
const gapBefore = ({ epoch, matchId, position }: Frame, range: { readonly from: number; readonly to: number }): Message => {
  const gap: Gap = { type: "gap", position, reason: "log", missing: [{ matchId, epoch, ...range }] }
  return { bytes: JSON.stringify(gap), event: () => sseEvent(controlEvents.gap, gap) }
}

/** `room` is the name that clients know. Snapshots must follow. */
export const resetOf = (room: string): Message => {
  const resumed: Resumed = { type: "resumed", room, verdict: "reset", missing: [] }
  return { bytes: JSON.stringify(resumed), event: () => sseEvent(controlEvents.resumed, resumed) }
}

/** Contains the sequence number and the age of the newest frame of each match. */
export const heartbeatOf = (matchRooms: ReadonlyArray<MatchRoom>, position: number, now: number): Message => {
  const matches = matchRooms.flatMap(({ matchId, newest }) =>
    newest === undefined ? [] : [{ matchId, epoch: newest.epoch, seq: newest.seq, age_ms: Math.max(0, now - newest.at) }],
  )
  const heartbeat: Heartbeat = { type: HEARTBEAT, at: new Date(now).toISOString(), position, matches }
  const event = sseEvent(controlEvents.ping, heartbeat)
  return { bytes: JSON.stringify(heartbeat), event: () => event }
}
