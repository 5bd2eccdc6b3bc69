/**
 * Snapshots made of the frames in a match's ring buffer. Selects the requested frames and finds the events that had
 * happened by then.
 */
import { createHash } from "node:crypto"
import type { LiveEvent } from "@matchpoint/contracts/cs2/LiveEvent"
import type { LiveMatch } from "@matchpoint/contracts/cs2/LiveMatch"
import type { Frame } from "@matchpoint/realtime/Frame"

export interface Selection {
  /** Publication time of the oldest and newest frame, epoch ms, inclusive. */
  readonly from: number
  readonly to: number
  readonly source: LiveMatch["source"] | undefined
}

/** Does not parse any document, so that selecting from 2,000 frames stays cheap. */
export const selectFrames = (frames: ReadonlyArray<Frame>, { from, to, source }: Selection): ReadonlyArray<Frame> =>
  frames.filter((frame) => frame.at >= from && frame.at <= to && (source === undefined || frame.source === source))

/**
 * Returns the events up to each of the `wanted` frames. `wanted` is a subset of the ring's `frames`, in the same order.
 * A frame carries the event that caused it, so the last frame with an event marks the position in the room's events.
 */
export const eventsAt = (
  wanted: ReadonlyArray<Frame>,
  frames: ReadonlyArray<Frame>,
  events: ReadonlyArray<LiveEvent>,
): ReadonlyArray<ReadonlyArray<LiveEvent>> => {
  const [first] = wanted
  if (first === undefined) return []
  const indexes = new Map(events.map((event, index) => [event.eventId, index]))
  const countAfter = ({ eventId }: Frame): number | undefined => {
    const index = eventId === undefined ? undefined : indexes.get(eventId)
    return index === undefined ? undefined : index + 1
  }
  let at = frames.indexOf(first)
  let count = countBefore(frames, at, events, countAfter)
  return wanted.map((frame) => {
    for (; at < frames.length; at++) {
      const next = frames[at]
      if (next === undefined) break
      count = countAfter(next) ?? count
      if (next === frame) break
    }
    return events.slice(0, count)
  })
}

/**
 * Returns the number of events before the frame at the index. Uses the nearest earlier frame with an event, otherwise
 * the first later one.
 */
const countBefore = (
  frames: ReadonlyArray<Frame>,
  at: number,
  events: ReadonlyArray<LiveEvent>,
  countAfter: (frame: Frame) => number | undefined,
): number => {
  for (let index = at - 1; index >= 0; index--) {
    const frame = frames[index]
    const count = frame === undefined ? undefined : countAfter(frame)
    if (count !== undefined) return count
  }
  for (let index = at; index < frames.length; index++) {
    const frame = frames[index]
    const count = frame === undefined ? undefined : countAfter(frame)
    if (count !== undefined) return count - 1
  }
  return events.length
}

/** Returns a name-based UUID (RFC 9562, version 5) of the frame's cursor, so a frame has the same id on every node. */
export const snapshotId = (frame: Pick<Frame, "matchId" | "epoch" | "seq">): string => {
  const bytes = createHash("sha1").update(`${frame.matchId}:${frame.epoch}:${frame.seq}`).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
