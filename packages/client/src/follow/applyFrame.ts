/**
 * Applies a frame of a match to its track, which records how far the client has come in that match. Detects duplicates
 * and gaps, and decides which change is delivered to the user now. Has no side effects: if frames or the whole document
 * are missing, it returns what the caller must request.
 */
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import type { Missing } from "../LiveChange.ts"
import { type Times, type Track, trackFrom } from "./FollowState.ts"
import { DELTA, type IncomingFrame, type IncomingSnapshot, SNAPSHOT, type UPDATE } from "./IncomingMessage.ts"

/** A change that is ready to be delivered. It contains everything after the sequence number `base`. */
export interface Delivery {
  readonly base: number | undefined
  readonly track: Track
  readonly events: ReadonlyArray<unknown>
  readonly missing: ReadonlyArray<Missing>
  readonly document: JsonObject
}

export interface Applied {
  readonly track: Track
  readonly delivery?: Delivery | undefined
  /** Frames that this step found to be missing. They will not be requested again. */
  readonly hole?: Missing | undefined
  /**
   * What the caller must request from the server. `rewind` requests all frames after `track.received` again. `resync`
   * requests the document again.
   */
  readonly need?: { readonly how: "rewind" | "resync"; readonly why: "hash" | "hole" } | undefined
}

/**
 * Applies a frame. If `conflated` is true, the server may skip frames, so a skipped sequence number in message format
 * v1 is not a gap.
 */
export const applyFrame = (track: Track | undefined, frame: IncomingFrame, conflated: boolean): Applied => {
  if (track === undefined || frame.epoch > track.epoch) return begin(frame)
  const isOlder = frame.epoch < track.epoch || frame.seq < track.received
  if (track.health === "doubtful" && isOlder && frame.type !== DELTA) return begin(frame)
  if (frame.epoch < track.epoch) return { track }
  if (frame.type === DELTA) return applyDelta(track, frame)
  if (frame.type === SNAPSHOT) return applySnapshot(track, frame, conflated)
  return applyUpdate(track, frame, conflated)
}

/** Marks all frames up to `range.to` that have not arrived as missing. The match then needs a new document. */
export const missFrames = (track: Track, range: Pick<Missing, "to">): Track => {
  if (range.to <= track.received) return track
  const missing = joined(track.missing, { from: track.received + 1, to: range.to })
  return { ...track, received: range.to, missing, document: undefined, health: "needed" }
}

/** Starts to track the match from scratch, because the match is new to this client or began a new epoch. */
const begin = (frame: IncomingFrame): Applied => {
  const fresh = trackFrom({ matchId: frame.matchId, epoch: frame.epoch, seq: frame.seq, position: frame.position, document: undefined })
  const track: Track = { ...fresh, delivered: undefined, times: timesOf(frame) }
  if (frame.type === DELTA) {
    // At this point, the client has no document. A delta with base 0 contains the complete match, so it is applied to
    // an empty document. Any other delta needs a base document, so only its events are stored, and a document is
    // requested.
    if (frame.base !== 0) return { track: { ...track, delivered: frame.base, events: frame.events }, need: { how: "resync", why: "hole" } }
    return applyDelta({ ...track, delivered: undefined, received: 0, document: {}, documentSeq: 0, health: "current" }, frame)
  }
  if (frame.type === SNAPSHOT) return checked(track, frame, withDocument(track, frame, []))
  return deliver(withDocument(track, frame, frame.seq === 1 && frame.event !== null ? [frame.event] : []))
}

const applyDelta = (before: Track, frame: Extract<IncomingFrame, { readonly type: typeof DELTA }>): Applied => {
  const isNew = frame.seq > before.received
  if (!isNew && (before.document === undefined || frame.seq <= before.documentSeq)) return { track: before }
  let track = before
  let hole: Missing | undefined
  if (isNew) {
    const follows = frame.base === track.received
    // At this point, frames before this one are missing and are requested again. This frame can be dropped, because the
    // server will send it again too.
    if (!follows && track.rewoundAt !== track.received) return rewind(track)
    if (!follows) {
      // This frame overlaps frames that were already received, so the client cannot tell which of its events are new.
      // The whole range therefore counts as missing.
      hole = { from: track.received + 1, to: frame.base > track.received ? frame.base : frame.seq }
      track = { ...track, missing: joined(track.missing, hole) }
    }
    const events = follows || frame.base > before.received ? [...track.events, ...frame.events] : track.events
    track = { ...track, received: frame.seq, position: frame.position, times: timesOf(frame), events }
  }
  if (track.document === undefined || track.documentSeq !== frame.base) {
    const need = track.health === "requested" ? undefined : ({ how: "resync", why: "hole" } as const)
    return { track: { ...track, document: undefined, health: need === undefined ? "requested" : "needed" }, hole, need }
  }
  const document = applyPatch(track.document, frame.patch)
  if (frame.hash !== undefined && stateHash(document) !== frame.hash) return { ...spoiled(track), hole }
  const badHashes = frame.hash === undefined ? track.badHashes : 0
  const healed: Track = { ...track, document, documentSeq: frame.seq, health: "current", badHashes }
  return { ...deliver(healed), hole }
}

/** Applies an update in message format v1. Over server-sent events, v1 snapshots also arrive as updates. */
const applyUpdate = (track: Track, frame: Extract<IncomingFrame, { readonly type: typeof UPDATE }>, conflated: boolean): Applied => {
  // The newest received frame may arrive again while the client has no document. In that case, use only its document,
  // because the events of the frame have already been received or count as missing.
  if (frame.seq === track.received && track.document === undefined) return deliver(withDocument(track, frame, []))
  if (frame.seq <= track.received) return { track }
  const events = frame.event === null ? [] : [frame.event]
  if (frame.seq === track.received + 1 || conflated) return deliver(withDocument(track, frame, events))
  if (track.rewoundAt !== track.received && track.health !== "doubtful") return rewind(track)
  const hole = { from: track.received + 1, to: frame.seq - 1 }
  return { ...deliver(withDocument({ ...track, missing: joined(track.missing, hole) }, frame, events)), hole }
}

const applySnapshot = (track: Track, frame: IncomingSnapshot, conflated: boolean): Applied => {
  // While the client waits for missing frames, ignore snapshots. A snapshot that arrives now was requested before the
  // gap was found, and the frames that fill the gap arrive later.
  if (track.health === "rewinding" && !conflated) return { track }
  if (frame.seq < track.received) {
    // At this point, the snapshot is older than the frames already received, for example because another server has
    // sent it. It is useful only if the client has no document.
    if (track.document !== undefined || "event" in frame) return { track }
    return checked(track, frame, { ...track, document: frame.data, documentSeq: frame.seq, health: "current" }, false)
  }
  if (frame.seq === track.received && frame.seq === track.documentSeq && track.document !== undefined) {
    return { track: { ...track, health: "current" } }
  }
  const event = "event" in frame && frame.event !== null && frame.seq > track.received ? [frame.event] : []
  const hole = { from: track.received + 1, to: "event" in frame ? frame.seq - 1 : frame.seq }
  const skipsByChoice = conflated && "event" in frame
  const isHole = track.delivered !== undefined && hole.from <= hole.to && !skipsByChoice
  const counted = isHole ? { ...track, missing: joined(track.missing, hole) } : track
  return { ...checked(track, frame, withDocument(counted, frame, event)), hole: isHole ? hole : undefined }
}

/** Accepts the document of a snapshot only if it has the hash that the snapshot states. */
const checked = (before: Track, frame: IncomingSnapshot, after: Track, delivers = true): Applied => {
  if ("event" in frame || stateHash(frame.data) === frame.hash) return delivers ? deliver({ ...after, badHashes: 0 }) : { track: after }
  return spoiled(before)
}

const spoiled = (track: Track): Applied => ({
  track: { ...track, document: undefined, health: "needed", badHashes: track.badHashes + 1 },
  need: { how: "resync", why: "hash" },
})

const rewind = (track: Track): Applied =>
  track.health === "rewinding" ? { track } : { track: { ...track, health: "rewinding" }, need: { how: "rewind", why: "hole" } }

const withDocument = (
  track: Track,
  frame: Exclude<IncomingFrame, { readonly type: typeof DELTA }>,
  events: ReadonlyArray<unknown>,
): Track => ({
  ...track,
  received: frame.seq,
  position: frame.position,
  times: timesOf(frame),
  document: frame.data,
  documentSeq: frame.seq,
  events: [...track.events, ...events],
  health: "current",
})

/** Delivers the pending events if the document has the same sequence number as the newest received frame. */
const deliver = (track: Track): Applied => {
  const { document, events, received, missing, delivered } = track
  if (document === undefined || track.documentSeq !== received || delivered === received) return { track }
  const after: Track = { ...track, delivered: received, events: [], missing: [], behindFor: 0 }
  return { track: after, delivery: { base: delivered, track: after, events, missing, document } }
}

const timesOf = ({ observedAt, publishedAt, receivedAt }: IncomingFrame): Times => ({ observedAt, receivedAt, publishedAt })

const joined = (ranges: ReadonlyArray<Missing>, range: Missing): ReadonlyArray<Missing> => {
  const last = ranges.at(-1)
  return last !== undefined && last.to + 1 === range.from ? [...ranges.slice(0, -1), { from: last.from, to: range.to }] : [...ranges, range]
}
