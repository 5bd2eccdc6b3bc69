/**
 * Records of LIVE: what changed in a match, once per change. A record is text in lines:
 *
 * 1. two bytes, the format and the kind, then the delta message (shape v2) without its stamp;
 * 2. JSON that never leaves the house: the event row of shape v1, and what else v1 needs and v2 omits;
 * 3. in keyframes, the document after the change (shape v2).
 *
 * A reader that does not know the format must say so: it is never a reason to skip a record in silence.
 */
import { frameNames } from "../game/LiveContract.ts"
import type { JsonObject } from "./compact/mergePatch.ts"

/** Version of the format. Older records began with `{`. */
const FORMAT = "2"

/** Every record whose seq this divides is a keyframe. */
export const KEYFRAME_EVERY = 32

/**
 * - `change`: goes on from the record before;
 * - `keyframe`: the same, and carries the document, for readers that lack the record before;
 * - `replacing`: carries the document, which every reader takes: a patch cannot say the order of its keys;
 * - `first`: goes on from nothing, so that its patch is the document;
 * - `kept`: carries the document of a state that the log had no record of any more. Its delta says nothing and is sent to nobody.
 */
export type RecordKind = "change" | "keyframe" | "replacing" | "first" | "kept"

const letters: Readonly<Record<RecordKind, string>> = { change: "c", keyframe: "k", replacing: "r", first: "f", kept: "s" }
const kinds = new Map<number, RecordKind>(Object.entries(letters).map(([kind, letter]) => [letter.charCodeAt(0), kind as RecordKind]))

const FORMAT_CODE = FORMAT.charCodeAt(0)
const LINE_BREAK = 10

export interface RecordText {
  readonly kind: RecordKind
  /** The delta message without its stamp: see `deltaText`. */
  readonly delta: string
  /** What shape v1 needs besides the document; `event`: the event row, absent where the change has no name. */
  readonly internals: JsonObject
  /** The document as JSON: of keyframes, replacing and kept records. */
  readonly document?: string
}

/** The text of a record. JSON has no line breaks of its own. */
export const recordText = ({ delta, document, internals, kind }: RecordText): string =>
  `${FORMAT}${letters[kind]}${delta}\n${JSON.stringify(internals)}${document === undefined ? "" : `\n${document}`}`

export interface StampedRecord {
  readonly kind: RecordKind
  /** The delta message as customers get it. */
  readonly delta: Uint8Array
  /** The other lines. */
  readonly rest: Uint8Array
}

/**
 * A record with the place and time that the log gave it. Undefined: not of this format, or of another game. Costs one copy of the bytes
 * (under 1 us for 1 KB) and no parsing; both parts share one buffer, and the record's own is let go.
 */
export const stampRecord = (record: Uint8Array, game: string, publishedAt: number, position: number): StampedRecord | undefined => {
  const kind = kindOfRecord(record)
  const end = record.indexOf(LINE_BREAK)
  if (kind === undefined || end < 0) return undefined
  const opening = `{"type":"${frameNames(game).delta}",`
  if (!startsWith(record, opening)) return undefined
  const prefix = `${opening}"publishedAt":"${new Date(publishedAt).toISOString()}","position":${position},`
  const from = 2 + opening.length
  const deltaLength = prefix.length + end - from
  const bytes = new Uint8Array(deltaLength + record.length - end - 1)
  utf8.encodeInto(prefix, bytes)
  bytes.set(record.subarray(from, end), prefix.length)
  bytes.set(record.subarray(end + 1), deltaLength)
  return { kind, delta: bytes.subarray(0, deltaLength), rest: bytes.subarray(deltaLength) }
}

/** The kind of a record. Undefined: not of this format. */
export const kindOfRecord = (record: Uint8Array): RecordKind | undefined =>
  record[0] === FORMAT_CODE ? kinds.get(record[1] ?? 0) : undefined

/** What a record says. Undefined: not of this format. */
export const readRecord = (
  record: Uint8Array,
):
  | { readonly kind: RecordKind; readonly delta: RecordDelta; readonly internals: JsonObject; readonly document?: JsonObject }
  | undefined => {
  const kind = kindOfRecord(record)
  const end = record.indexOf(LINE_BREAK)
  if (kind === undefined || end < 0) return undefined
  const delta: RecordDelta = JSON.parse(text.decode(record.subarray(2, end)))
  return { kind, delta, ...linesOf(record.subarray(end + 1)) }
}

/** The lines after the first. `document`: undefined where there is none. */
export const linesOf = (rest: Uint8Array): { readonly internals: JsonObject; readonly document?: JsonObject } => {
  const end = rest.indexOf(LINE_BREAK)
  const internals: JsonObject = JSON.parse(text.decode(end < 0 ? rest : rest.subarray(0, end)))
  return end < 0 ? { internals } : { internals, document: JSON.parse(text.decode(rest.subarray(end + 1))) }
}

/** Of a delta message, what readers of the log look at. Not validated: only match actors write to LIVE. */
export interface RecordDelta {
  readonly matchId: string
  readonly epoch: number
  readonly seq: number
  readonly observedAt: string
  readonly receivedAt: string
  readonly base: number
  readonly events: ReadonlyArray<JsonObject>
  readonly patch: JsonObject
  readonly hash?: string
}

const utf8 = new TextEncoder()
const text = new TextDecoder()

const startsWith = (record: Uint8Array, opening: string): boolean => {
  for (let index = 0; index < opening.length; index++) if (record[index + 2] !== opening.charCodeAt(index)) return false
  return true
}
