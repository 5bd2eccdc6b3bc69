/**
 * Frames of the live channels, and how they are written. A frame is encoded once, by the match actor; from there its bytes travel
 * unchanged to the sockets. Its head (all but `data`) can be read without parsing the document behind it.
 */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { LiveEvent } from "./LiveEvent.ts"
import { LiveMatch, Timestamp } from "./LiveMatch.ts"

export const UPDATE = "cs2.live.update"
export const SNAPSHOT = "cs2.live.snapshot"

const head = {
  matchId: MatchId,
  /** `(epoch, seq)` is the cursor: seq counts 1, 2, 3, ... without holes; epoch changes only if history was lost. */
  epoch: Schema.Natural,
  seq: Schema.Natural,
  /** When it happened, by the feed's clock. */
  observedAt: Timestamp,
  /** When we received it. */
  receivedAt: Timestamp,
  /** What happened, where the change has a name. */
  event: Schema.NullOr(LiveEvent),
} as const

export const LiveUpdate = Schema.Struct({ type: Schema.Literal(UPDATE), ...head, data: LiveMatch })
export type LiveUpdate = typeof LiveUpdate.Type

/** The newest frame of a match, sent on subscribe. */
export const LiveSnapshot = Schema.Struct({ type: Schema.Literal(SNAPSHOT), ...head, data: LiveMatch })
export type LiveSnapshot = typeof LiveSnapshot.Type

export const LiveFrameHead = Schema.Struct(head)
export type LiveFrameHead = typeof LiveFrameHead.Type

const utf8 = new TextEncoder()
const text = new TextDecoder()

const prefixOf = (type: string) => `{"type":"${type}",`
const UPDATE_PREFIX_LENGTH = prefixOf(UPDATE).length
const SNAPSHOT_PREFIX = utf8.encode(prefixOf(SNAPSHOT))
const DATA_KEY = utf8.encode(',"data":{')

/** The bytes of an update. Costs one JSON.stringify of the document (about 10 us for 7 KB). */
export const encodeUpdate = (frame: Omit<LiveUpdate, "type">): Uint8Array => {
  const { data, ...rest } = frame
  const headText = JSON.stringify(rest)
  return utf8.encode(`${prefixOf(UPDATE)}${headText.slice(1, -1)},"data":${JSON.stringify(data)}}`)
}

/** The snapshot message of an update's bytes: one copy, no parsing. */
export const snapshotOfUpdate = (update: Uint8Array): Uint8Array => {
  const rest = update.subarray(UPDATE_PREFIX_LENGTH)
  const snapshot = new Uint8Array(SNAPSHOT_PREFIX.length + rest.length)
  snapshot.set(SNAPSHOT_PREFIX)
  snapshot.set(rest, SNAPSHOT_PREFIX.length)
  return snapshot
}

/**
 * Reads the head and leaves the document alone. Not validated: it is called for every frame on every edge, and the bytes come from
 * our own log, where only match actors write.
 */
export const readHead = (update: Uint8Array): LiveFrameHead => {
  const end = indexOfData(update)
  return JSON.parse(`{${text.decode(update.subarray(UPDATE_PREFIX_LENGTH, end))}}`)
}

const decodeUpdateText = Schema.decodeUnknownResult(Schema.fromJsonString(LiveUpdate))

export const decodeUpdate = (update: Uint8Array) => decodeUpdateText(text.decode(update))

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
