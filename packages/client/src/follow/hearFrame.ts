/**
 * What a frame makes of a match's track: pure, one match at a time. Decides what is a duplicate, what is a hole, when a document can
 * be trusted, and what the change is that can be told now. It asks nobody for anything; it says what is needed.
 */
import { applyPatch, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import type { Missing } from "../LiveChange.ts"
import { type Times, type Track, trackFrom } from "./FollowState.ts"
import { DELTA, type IncomingFrame, type IncomingSnapshot, SNAPSHOT, type UPDATE } from "./IncomingMessage.ts"

/** What can be told of a match: everything after `base`. */
export interface Telling {
  readonly base: number | undefined
  readonly track: Track
  readonly events: ReadonlyArray<unknown>
  readonly missing: ReadonlyArray<Missing>
  readonly document: JsonObject
}

export interface Hearing {
  readonly track: Track
  readonly telling?: Telling | undefined
  /** Frames that were found missing just now and will not be asked for again. */
  readonly hole?: Missing | undefined
  /** `rewind`: have all frames after `track.heard` sent again. `resync`: have the document sent again. */
  readonly need?: { readonly how: "rewind" | "resync"; readonly why: "hash" | "hole" } | undefined
}

/** `conflated`: frames may be left out, so a v1 frame need not follow the one before. */
export const hearFrame = (track: Track | undefined, frame: IncomingFrame, conflated: boolean): Hearing => {
  if (track === undefined || frame.epoch > track.epoch) return begin(frame)
  const isOlder = frame.epoch < track.epoch || frame.seq < track.heard
  if (track.health === "doubtful" && isOlder && frame.type !== DELTA) return begin(frame)
  if (frame.epoch < track.epoch) return { track }
  if (frame.type === DELTA) return hearDelta(track, frame)
  if (frame.type === SNAPSHOT) return hearSnapshot(track, frame, conflated)
  return hearUpdate(track, frame, conflated)
}

/** Frames up to `range.to` will not come, and neither will any before them that has not. A snapshot should. */
export const missFrames = (track: Track, range: Pick<Missing, "to">): Track => {
  if (range.to <= track.heard) return track
  const missing = joined(track.missing, { from: track.heard + 1, to: range.to })
  return { ...track, heard: range.to, missing, document: undefined, health: "wanted" }
}

/** The match is new to us, or its history begins anew. */
const begin = (frame: IncomingFrame): Hearing => {
  const fresh = trackFrom({ matchId: frame.matchId, epoch: frame.epoch, seq: frame.seq, position: frame.position, document: undefined })
  const track: Track = { ...fresh, told: undefined, times: timesOf(frame) }
  if (frame.type === DELTA) {
    // From nothing: the beginning of a match. Otherwise what happened since `base` is kept until its document comes.
    if (frame.base !== 0) return { track: { ...track, told: frame.base, events: frame.events }, need: { how: "resync", why: "hole" } }
    return hearDelta({ ...track, told: undefined, heard: 0, document: {}, documentSeq: 0, health: "well" }, frame)
  }
  if (frame.type === SNAPSHOT) return checked(track, frame, withDocument(track, frame, []))
  return tell(withDocument(track, frame, frame.seq === 1 && frame.event !== null ? [frame.event] : []))
}

const hearDelta = (before: Track, frame: Extract<IncomingFrame, { readonly type: typeof DELTA }>): Hearing => {
  const isNew = frame.seq > before.heard
  if (!isNew && (before.document === undefined || frame.seq <= before.documentSeq)) return { track: before }
  let track = before
  let hole: Missing | undefined
  if (isNew) {
    const follows = frame.base === track.heard
    // Frames behind a hole will come again once it is filled.
    if (!follows && track.rewoundAt !== track.heard) return rewind(track)
    if (!follows) {
      // Of a frame that overlaps what was told we cannot tell which of its events are new.
      hole = { from: track.heard + 1, to: frame.base > track.heard ? frame.base : frame.seq }
      track = { ...track, missing: joined(track.missing, hole) }
    }
    const events = follows || frame.base > before.heard ? [...track.events, ...frame.events] : track.events
    track = { ...track, heard: frame.seq, position: frame.position, times: timesOf(frame), events }
  }
  if (track.document === undefined || track.documentSeq !== frame.base) {
    const need = track.health === "asked" ? undefined : ({ how: "resync", why: "hole" } as const)
    return { track: { ...track, document: undefined, health: need === undefined ? "asked" : "wanted" }, hole, need }
  }
  const document = applyPatch(track.document, frame.patch)
  if (frame.hash !== undefined && stateHash(document) !== frame.hash) return { ...spoiled(track), hole }
  const badHashes = frame.hash === undefined ? track.badHashes : 0
  const healed: Track = { ...track, document, documentSeq: frame.seq, health: "well", badHashes }
  return { ...tell(healed), hole }
}

/** Over SSE, snapshots of shape v1 come as updates too. */
const hearUpdate = (track: Track, frame: Extract<IncomingFrame, { readonly type: typeof UPDATE }>, conflated: boolean): Hearing => {
  // What happened in it is known or counted as missing; only the document is new.
  if (frame.seq === track.heard && track.document === undefined) return tell(withDocument(track, frame, []))
  if (frame.seq <= track.heard) return { track }
  const events = frame.event === null ? [] : [frame.event]
  if (frame.seq === track.heard + 1 || conflated) return tell(withDocument(track, frame, events))
  if (track.rewoundAt !== track.heard && track.health !== "doubtful") return rewind(track)
  const hole = { from: track.heard + 1, to: frame.seq - 1 }
  return { ...tell(withDocument({ ...track, missing: joined(track.missing, hole) }, frame, events)), hole }
}

const hearSnapshot = (track: Track, frame: IncomingSnapshot, conflated: boolean): Hearing => {
  // Asked for before the hole was found: the frames that are to fill it come after it.
  if (track.health === "rewinding" && !conflated) return { track }
  if (frame.seq < track.heard) {
    // Older than what we know, as from another edge. Good to build on, if ours is lost.
    if (track.document !== undefined || "event" in frame) return { track }
    return checked(track, frame, { ...track, document: frame.data, documentSeq: frame.seq, health: "well" }, false)
  }
  if (frame.seq === track.heard && frame.seq === track.documentSeq && track.document !== undefined) {
    return { track: { ...track, health: "well" } }
  }
  const event = "event" in frame && frame.event !== null && frame.seq > track.heard ? [frame.event] : []
  const hole = { from: track.heard + 1, to: "event" in frame ? frame.seq - 1 : frame.seq }
  const skipsByChoice = conflated && "event" in frame
  const isHole = track.told !== undefined && hole.from <= hole.to && !skipsByChoice
  const counted = isHole ? { ...track, missing: joined(track.missing, hole) } : track
  return { ...checked(track, frame, withDocument(counted, frame, event)), hole: isHole ? hole : undefined }
}

/** Takes the document of a snapshot only if it is what it says it is. */
const checked = (before: Track, frame: IncomingSnapshot, after: Track, telling = true): Hearing => {
  if ("event" in frame || stateHash(frame.data) === frame.hash) return telling ? tell({ ...after, badHashes: 0 }) : { track: after }
  return spoiled(before)
}

const spoiled = (track: Track): Hearing => ({
  track: { ...track, document: undefined, health: "wanted", badHashes: track.badHashes + 1 },
  need: { how: "resync", why: "hash" },
})

const rewind = (track: Track): Hearing =>
  track.health === "rewinding" ? { track } : { track: { ...track, health: "rewinding" }, need: { how: "rewind", why: "hole" } }

const withDocument = (
  track: Track,
  frame: Exclude<IncomingFrame, { readonly type: typeof DELTA }>,
  events: ReadonlyArray<unknown>,
): Track => ({
  ...track,
  heard: frame.seq,
  position: frame.position,
  times: timesOf(frame),
  document: frame.data,
  documentSeq: frame.seq,
  events: [...track.events, ...events],
  health: "well",
})

/** Tells what is held, if there is a document of exactly this moment and anything to tell. */
const tell = (track: Track): Hearing => {
  const { document, events, heard, missing, told } = track
  if (document === undefined || track.documentSeq !== heard || told === heard) return { track }
  const after: Track = { ...track, told: heard, events: [], missing: [], behindFor: 0 }
  return { track: after, telling: { base: told, track: after, events, missing, document } }
}

const timesOf = ({ observedAt, publishedAt, receivedAt }: IncomingFrame): Times => ({ observedAt, receivedAt, publishedAt })

const joined = (ranges: ReadonlyArray<Missing>, range: Missing): ReadonlyArray<Missing> => {
  const last = ranges.at(-1)
  return last !== undefined && last.to + 1 === range.from ? [...ranges.slice(0, -1), { from: last.from, to: range.to }] : [...ranges, range]
}
