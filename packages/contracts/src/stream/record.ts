/**
 * Format of the records in the LIVE stream. One record is written for each change of a match. It consists of lines of
 * text:
 *
 * 1. one character for the version of the record format and one for the kind of record, followed by the delta message
 *    (message format v2) without its stamp, that is, without the publication time and the position in the log;
 * 2. JSON for internal use: the event in message format v1, and the other values that v1 requires but v2 omits;
 * 3. for some kinds, the match document (format v2) after the change.
 *
 * A reader that does not support the version of a record must report an error. It must never skip a record silently.
 */
import { frameNames } from "../game/LiveContract.ts"
import { ByteBlocks } from "./ByteBlocks.ts"
import type { JsonObject } from "./compact/mergePatch.ts"

/** First character of a record. Records in older formats start with `{`. */
const FORMAT = "2"

/** A record is a keyframe, with the whole document, if its sequence number is a multiple of this. */
export const KEYFRAME_EVERY = 32

/**
 * Kind of a record, which determines how readers compute the match document after the change.
 * - `change`: contains only a patch, which applies to the document of the previous record.
 * - `keyframe`: contains a patch, and also the whole document for readers that have not read the previous record.
 * - `replacing`: contains the whole document, which every reader must use, because its key order cannot be expressed by
 *   a patch.
 * - `first`: does not build on a previous record, so its patch is the whole document.
 * - `kept`: repeats the document of the current state. It is written when the log no longer contains any record of that
 *   state. Its delta is empty and is not sent to any client.
 */
export type RecordKind = "change" | "keyframe" | "replacing" | "first" | "kept"

const letters: Readonly<Record<RecordKind, string>> = { change: "c", keyframe: "k", replacing: "r", first: "f", kept: "s" }
const kinds = new Map<number, RecordKind>(Object.entries(letters).map(([kind, letter]) => [letter.charCodeAt(0), kind as RecordKind]))

const FORMAT_CODE = FORMAT.charCodeAt(0)
const LINE_BREAK = 10

export interface RecordText {
  readonly kind: RecordKind
  /** The delta message without its stamp, as returned by `deltaText`. */
  readonly delta: string
  /** Fields that format v1 requires but the v2 document omits. `event` is absent if no event caused the change. */
  readonly internals: JsonObject
  /** JSON. Present in records of the kinds `keyframe`, `replacing` and `kept`. */
  readonly document?: string
}

/** Line breaks are safe separators, because `JSON.stringify` never writes one. */
export const recordText = ({ delta, document, internals, kind }: RecordText): string =>
  `${FORMAT}${letters[kind]}${delta}\n${JSON.stringify(internals)}${document === undefined ? "" : `\n${document}`}`

export interface StampedRecord {
  readonly kind: RecordKind
  /** The delta message as customers receive it. */
  readonly delta: Uint8Array
  /** The lines after the delta message: the line for internal use and, if present, the line with the document. */
  readonly rest: Uint8Array
  /** Size of both parts, in bytes. */
  readonly size: number
}

/**
 * Adds the stamp to the delta message. Undefined if the record has a different format or game. Copies the bytes once
 * into `memory` (under 1 us for 1 KB), so that the original buffer can be freed, and parses nothing.
 */
export const stampRecord = (
  record: Uint8Array,
  game: string,
  publishedAt: number,
  position: number,
  memory = new ByteBlocks(0),
): StampedRecord | undefined => {
  const kind = kindOfRecord(record)
  const end = record.indexOf(LINE_BREAK)
  if (kind === undefined || end < 0) return undefined
  const opening = `{"type":"${frameNames(game).delta}",`
  if (!startsWith(record, opening)) return undefined
  const prefix = `${opening}"publishedAt":"${isoTime(publishedAt)}","position":${position},`
  const from = 2 + opening.length
  const deltaLength = prefix.length + end - from
  const size = deltaLength + record.length - end - 1
  const start = memory.reserve(size)
  const { block } = memory
  utf8.encodeInto(prefix, block.subarray(start))
  block.set(record.subarray(from, end), start + prefix.length)
  block.set(record.subarray(end + 1), start + deltaLength)
  return new RecordInBlock(kind, block, start, deltaLength, size)
}

/** Views of the bytes are made on demand, because most are never read. */
class RecordInBlock implements StampedRecord {
  readonly kind: RecordKind
  readonly size: number
  readonly #block: Uint8Array
  readonly #start: number
  readonly #deltaLength: number

  constructor(kind: RecordKind, block: Uint8Array, start: number, deltaLength: number, size: number) {
    this.kind = kind
    this.size = size
    this.#block = block
    this.#start = start
    this.#deltaLength = deltaLength
  }

  get delta(): Uint8Array {
    return this.#block.subarray(this.#start, this.#start + this.#deltaLength)
  }

  get rest(): Uint8Array {
    return this.#block.subarray(this.#start + this.#deltaLength, this.#start + this.size)
  }
}

/** Many records have the same time, and formatting costs as much as copying a record. */
let lastTime = { ms: 0, text: new Date(0).toISOString() }

const isoTime = (ms: number): string => {
  if (lastTime.ms !== ms) lastTime = { ms, text: new Date(ms).toISOString() }
  return lastTime.text
}

/** Undefined if the bytes are not a record in the current format. */
export const kindOfRecord = (record: Uint8Array): RecordKind | undefined =>
  record[0] === FORMAT_CODE ? kinds.get(record[1] ?? 0) : undefined

/** Undefined if the bytes are not a record in the current format. */
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

/** `document` is absent if the record has no third line. */
export const linesOf = (rest: Uint8Array): { readonly internals: JsonObject; readonly document?: JsonObject } => {
  const internals: JsonObject = JSON.parse(internalsText(rest))
  const end = rest.indexOf(LINE_BREAK)
  return end < 0 ? { internals } : { internals, document: JSON.parse(text.decode(rest.subarray(end + 1))) }
}

/** JSON of the second line. */
export const internalsText = (rest: Uint8Array): string => {
  const end = rest.indexOf(LINE_BREAK)
  return text.decode(end < 0 ? rest : rest.subarray(0, end))
}

/**
 * Fields that readers of the log use. Not validated, because only match actors (the trusted processes that own the
 * matches) write to LIVE.
 */
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
