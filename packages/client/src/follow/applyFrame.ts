/**
 * Applies a frame to the track of its match: detects duplicates and gaps, and decides which change is delivered now.
 * Pure: if frames or the whole document are missing, it returns what the caller must request.
 */
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import type { Missing } from "../LiveChange.ts"
import { type Times, type Track, trackFrom } from "./FollowState.ts"
import { DELTA, type IncomingFrame, type IncomingSnapshot, SNAPSHOT, type UPDATE } from "./IncomingMessage.ts"

/** Contains everything after the sequence number `base`. */
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
  /** Missing frames, found in this step, that will not be requested again. */
  readonly hole?: Missing | undefined
  /** `rewind` requests all frames after `track.received` again. `resync` requests the document again. */
  readonly need?: { readonly how: "rewind" | "resync"; readonly why: "hash" | "hole" } | undefined
}

/**
 * If `conflated` is true, the server may skip frames: a skipped sequence number in message format v1 is then not a gap.
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

/** Marks the frames up to `range.to` that have not arrived as missing. The match then needs a new document. */
export const missFrames = (track: Track, range: Pick<Missing, "to">): Track => {
  if (range.to <= track.received) return track
  const missing = joined(track.missing, { from: track.received + 1, to: range.to })
  return { ...track, received: range.to, missing, document: undefined, health: "needed" }
}

/** Starts from scratch: the match is new to this client or began a new epoch. */
const begin = (frame: IncomingFrame): Applied => {
  const fresh = trackFrom({ matchId: frame.matchId, epoch: frame.epoch, seq: frame.seq, position: frame.position, document: undefined })
  const track: Track = { ...fresh, delivered: undefined, times: timesOf(frame) }
  if (frame.type === DELTA) {
    // There is no document yet. A delta with base 0 contains the complete match. Any other needs a base document, so
    // only its events are stored, and a document is requested.
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
    // Frames before this one are missing. The server will send this one again with them, so it can be dropped.
    if (!follows && track.rewoundAt !== track.received) return rewind(track)
    if (!follows) {
      // This frame overlaps received ones, so the client cannot tell which of its events are new: the whole range
      // counts as missing.
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

/** Over server-sent events, v1 snapshots also arrive as updates. */
const applyUpdate = (track: Track, frame: Extract<IncomingFrame, { readonly type: typeof UPDATE }>, conflated: boolean): Applied => {
  // The newest frame again, while there is no document: use only its document. Its events were received or count as
  // missing.
  if (frame.seq === track.received && track.document === undefined) return deliver(withDocument(track, frame, []))
  if (frame.seq <= track.received) return { track }
  const events = frame.event === null ? [] : [frame.event]
  if (frame.seq === track.received + 1 || conflated) return deliver(withDocument(track, frame, events))
  if (track.rewoundAt !== track.received && track.health !== "doubtful") return rewind(track)
  const hole = { from: track.received + 1, to: frame.seq - 1 }
  return { ...deliver(withDocument({ ...track, missing: joined(track.missing, hole) }, frame, events)), hole }
}

const applySnapshot = (track: Track, frame: IncomingSnapshot, conflated: boolean): Applied => {
  // A snapshot that arrives now was requested before the gap was found. The frames that fill the gap arrive later.
  if (track.health === "rewinding" && !conflated) return { track }
  if (frame.seq < track.received) {
    // An older snapshot, for example from another server. It is useful only if there is no document.
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

/** Accepts a snapshot only if its document has the hash that it states. */
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

/** Delivers the pending events if the document is that of the newest received frame. */
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
