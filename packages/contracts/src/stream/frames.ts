/**
 * Frames of the live channels, and how they are written. A match actor encodes each change once, in both shapes, as one record of
 * LIVE; an edge stamps it with where and when the log took it, once, and from there the bytes travel unchanged to the sockets.
 */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { CompactEvent, CompactMatch } from "./compact/CompactMatch.ts"
import { LiveEvent } from "./LiveEvent.ts"
import { LiveMatch, Timestamp } from "./LiveMatch.ts"

export const UPDATE = "cs2.live.update"
export const SNAPSHOT = "cs2.live.snapshot"
export const DELTA = "cs2.live.delta"
export const HEARTBEAT = "heartbeat"

/** `v1` carries the whole match in every frame, `v2` what changed. */
export const Shape = Schema.Literals(["v1", "v2"])
export type Shape = typeof Shape.Type

const stamp = {
  /** When the log took it, by the log's clock: the same on every edge. */
  publishedAt: Timestamp,
  /** Its place in the log of all matches: ascending, with holes. Of use only to resume the room `all`. */
  position: Schema.Natural,
} as const

const head = {
  matchId: MatchId,
  /** `(epoch, seq)` is the cursor: seq counts 1, 2, 3, ... without holes; epoch changes only if history was lost. */
  epoch: Schema.Natural,
  seq: Schema.Natural,
  /** When it happened, by the feed's clock. */
  observedAt: Timestamp,
  /** When we received it. */
  receivedAt: Timestamp,
} as const

/** What happened, where the change has a name. */
const event = Schema.NullOr(LiveEvent)

export const LiveUpdate = Schema.Struct({ type: Schema.Literal(UPDATE), ...stamp, ...head, event, data: LiveMatch })
export type LiveUpdate = typeof LiveUpdate.Type

/** The newest frame of a match, sent on subscribe. */
export const LiveSnapshot = Schema.Struct({ type: Schema.Literal(SNAPSHOT), ...stamp, ...head, event, data: LiveMatch })
export type LiveSnapshot = typeof LiveSnapshot.Type

/** The match as it is, shape v2: where deltas begin. */
export const CompactSnapshot = Schema.Struct({
  type: Schema.Literal(SNAPSHOT),
  shape: Schema.Literal("v2"),
  ...stamp,
  ...head,
  hash: Schema.String,
  data: CompactMatch,
})
export type CompactSnapshot = typeof CompactSnapshot.Type

/** What changed between the frames `base` and `seq` of one epoch: `base` is `seq - 1` unless frames were conflated. */
export const LiveDelta = Schema.Struct({
  type: Schema.Literal(DELTA),
  ...stamp,
  ...head,
  base: Schema.Natural,
  /** The named changes since `base`, oldest first. */
  events: Schema.Array(CompactEvent),
  /** JSON merge patch (RFC 7396) of the document. */
  patch: Schema.Record(Schema.String, Schema.Unknown),
  /** `stateHash` of the document after the patch; not in every frame. */
  hash: Schema.optionalKey(Schema.String),
})
export type LiveDelta = typeof LiveDelta.Type

type Unstamped<Frame> = Omit<Frame, "type" | keyof typeof stamp>

/** What of a frame can be read without its document. */
export const LiveFrameHead = Schema.Struct({ ...stamp, ...head, event })
export type LiveFrameHead = typeof LiveFrameHead.Type

const utf8 = new TextEncoder()
const text = new TextDecoder()

const prefixOf = (type: string) => `{"type":"${type}",`
const UPDATE_PREFIX = prefixOf(UPDATE)
const DELTA_PREFIX = prefixOf(DELTA)
const SNAPSHOT_PREFIX = utf8.encode(prefixOf(SNAPSHOT))
const DATA_KEY = utf8.encode(',"data":{')
const LINE_BREAK = 10

/** An update up to its document; the document's JSON text and a `}` follow. */
export const updateHead = (frame: Omit<Unstamped<LiveUpdate>, "data">): string =>
  `${UPDATE_PREFIX}${JSON.stringify(frame).slice(1, -1)},"data":`

export const updateText = (frame: Omit<Unstamped<LiveUpdate>, "data">, documentText: string): string =>
  `${updateHead(frame)}${documentText}}`

export const deltaText = (frame: Unstamped<LiveDelta>): string => `${DELTA_PREFIX}${JSON.stringify(frame).slice(1)}`

/** A record of LIVE: the update and the delta of one change, a line each. JSON has no line breaks of its own. */
export const encodeRecord = (update: string, delta: string): Uint8Array => utf8.encode(`${update}\n${delta}`)

export interface StampedFrame {
  readonly update: Uint8Array
  readonly delta: Uint8Array
}

/**
 * Both frames of a record as they go to the sockets. Undefined: not a record of this format. Costs one copy of the bytes
 * (about 2 us for 10 KB) and no parsing.
 */
export const stampRecord = (record: Uint8Array, publishedAt: number, position: number): StampedFrame | undefined => {
  const end = record.lastIndexOf(LINE_BREAK)
  if (end < 0) return undefined
  const stamped = `"publishedAt":"${new Date(publishedAt).toISOString()}","position":${position},`
  return {
    update: spliced(UPDATE_PREFIX + stamped, record.subarray(UPDATE_PREFIX.length, end)),
    delta: spliced(DELTA_PREFIX + stamped, record.subarray(end + 1 + DELTA_PREFIX.length)),
  }
}

/** An update as it goes to the sockets, from its parts: for whoever has no log between. */
export const encodeUpdate = ({ type: _, data, ...rest }: LiveUpdate): Uint8Array => utf8.encode(updateText(rest, JSON.stringify(data)))

/** The snapshot message of an update's bytes: one copy, no parsing. */
export const snapshotOfUpdate = (update: Uint8Array): Uint8Array => {
  const rest = update.subarray(UPDATE_PREFIX.length)
  const snapshot = new Uint8Array(SNAPSHOT_PREFIX.length + rest.length)
  snapshot.set(SNAPSHOT_PREFIX)
  snapshot.set(rest, SNAPSHOT_PREFIX.length)
  return snapshot
}

export const encodeCompactSnapshot = (snapshot: Omit<CompactSnapshot, "type" | "shape">): Uint8Array =>
  utf8.encode(JSON.stringify({ type: SNAPSHOT, shape: "v2", ...snapshot }))

export const encodeDelta = ({ type: _, publishedAt, position, ...rest }: LiveDelta): Uint8Array =>
  utf8.encode(`${DELTA_PREFIX}${JSON.stringify({ publishedAt, position, ...rest }).slice(1)}`)

/**
 * Reads the head of an update and leaves the document alone. Not validated: it is called on every edge, and the bytes come from
 * our own log, where only match actors write.
 */
export const readHead = (update: Uint8Array): LiveFrameHead => {
  const end = indexOfData(update)
  return JSON.parse(`{${text.decode(update.subarray(UPDATE_PREFIX.length, end))}}`)
}

/** The match's status: the second field of the document, so that the rest need not be looked at. */
export const readStatus = (update: Uint8Array): string => readWord(update, /"status":"([a-z]+)"/)

/** The feed in use, the field after the status. */
export const readSource = (update: Uint8Array): string => readWord(update, /"source":"([a-z_]+)"/)

const readWord = (update: Uint8Array, pattern: RegExp): string => {
  const from = indexOfData(update)
  return pattern.exec(text.decode(update.subarray(from, from + 160)))?.[1] ?? "unknown"
}

/**
 * Where a client stands that was sent everything before this message: one before a frame's position; a heartbeat's own. Undefined:
 * the message has none. Reads the first bytes only.
 */
export const positionBefore = (message: Uint8Array): number | undefined => {
  const found = /^\{"type":"([a-z0-9._]+)".{0,120}?"position":([0-9]+)/.exec(text.decode(message.subarray(0, 160)))
  if (found === null) return undefined
  return found[1] === HEARTBEAT ? Number(found[2]) : Number(found[2]) - 1
}

const decodeUpdateText = Schema.decodeUnknownResult(Schema.fromJsonString(LiveUpdate))
const decodeDeltaText = Schema.decodeUnknownResult(Schema.fromJsonString(LiveDelta))

export const decodeUpdate = (update: Uint8Array) => decodeUpdateText(text.decode(update))
export const decodeDelta = (delta: Uint8Array) => decodeDeltaText(text.decode(delta))

const spliced = (prefix: string, rest: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(prefix.length + rest.length)
  utf8.encodeInto(prefix, bytes)
  bytes.set(rest, prefix.length)
  return bytes
}

/** `,"data":{` cannot occur inside the head before the document: quotes inside JSON strings are escaped. */
const indexOfData = (bytes: Uint8Array): number => {
  const first = DATA_KEY[0] ?? 0
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let matched = 1
    while (matched < DATA_KEY.length && bytes[at + matched] === DATA_KEY[matched]) matched++
    if (matched === DATA_KEY.length) return at
  }
  throw new Error("not an update frame: it has no document")
}
