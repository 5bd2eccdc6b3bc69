/**
 * Selects snapshots from a match's ring buffer (its most recent frames), and finds the events that had happened by each
 * frame. Rebuilds the states of as few frames as possible.
 */
import { createHash } from "node:crypto"
import { type Frame, follows, keepsField } from "@matchpoint/realtime/Frame"
import type { FrameViews } from "@matchpoint/realtime/FrameViews"
import { eventOf } from "@matchpoint/realtime/MatchEvents"
import type { LiveEvent } from "../../contract/LiveEvent.ts"
import type { LiveMatch } from "../../contract/LiveMatch.ts"

export interface Selection {
  /** Publication times in epoch milliseconds, both ends inclusive. */
  readonly from: number
  readonly to: number
  readonly source: LiveMatch["source"] | undefined
}

/** `frames` is in the order of the log. */
export const selectFrames = (
  frames: ReadonlyArray<Frame>,
  { from, to, source }: Selection,
  viewsOf: (frame: Frame) => Pick<FrameViews, "source">,
): ReadonlyArray<Frame> => {
  const inTime = frames.filter((frame) => frame.at >= from && frame.at <= to)
  if (source === undefined) return inTime
  let last: { readonly frame: Frame; readonly source: string } | undefined
  return inTime.filter((frame) => {
    const known = last !== undefined && follows(frame, last.frame) && keepsField(frame, "source") ? last.source : undefined
    last = { frame, source: known ?? viewsOf(frame).source }
    return last.source === source
  })
}

/**
 * For each frame in `wanted`, all events of the match up to it. `frames` is the content of the ring buffer, and
 * `wanted` is a subset of it in the same order. A frame that an event caused contains the event's id, so its position
 * in `events` is given by the last event id in the frame itself or in an earlier frame.
 */
export const eventsAt = (
  wanted: ReadonlyArray<Frame>,
  frames: ReadonlyArray<Frame>,
  events: ReadonlyArray<LiveEvent>,
): ReadonlyArray<ReadonlyArray<LiveEvent>> => {
  const [first] = wanted
  if (first === undefined) return []
  const indexes = new Map(events.map((event, index) => [event.eventId, index]))
  const countAfter = (frame: Frame): number | undefined => {
    const event = eventOf(frame)
    const index = event === undefined ? undefined : indexes.get(event.eventId)
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
 * Number of events before the frame at index `at`, by the nearest earlier frame with an event id or, if there is none,
 * by the first later one.
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

/** A name-based UUID (RFC 9562, version 5) of the cursor: a frame has the same id on every node. */
export const snapshotId = (frame: Pick<Frame, "matchId" | "epoch" | "seq">): string => {
  const bytes = createHash("sha1").update(`${frame.matchId}:${frame.epoch}:${frame.seq}`).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
