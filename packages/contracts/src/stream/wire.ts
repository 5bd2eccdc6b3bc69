/**
 * Encodes the frames of any game. A match actor encodes each change once, as a record (see `record.ts`). A gateway
 * derives all other frames from that record, encodes each of them only once, and sends the same bytes to all clients.
 */
import { frameNames } from "../game/LiveContract.ts"
import type { JsonObject } from "./compact/mergePatch.ts"

export const HEARTBEAT = "heartbeat"

/** Fields at the start of every frame, in this order. */
export interface FrameHead {
  /** Time when the log stored the frame, by the clock of the log, ISO 8601. */
  readonly publishedAt: string
  /** Position of the frame in the log of all matches. */
  readonly position: number
  readonly matchId: string
  readonly epoch: number
  readonly seq: number
  readonly observedAt: string
  readonly receivedAt: string
}

const utf8 = new TextEncoder()
const text = new TextDecoder()

const headText = ({ publishedAt, position, matchId, epoch, seq, observedAt, receivedAt }: FrameHead): string =>
  `"publishedAt":"${publishedAt}","position":${position},"matchId":"${matchId}","epoch":${epoch},"seq":${seq},` +
  `"observedAt":"${observedAt}","receivedAt":"${receivedAt}"`

export interface DeltaFields {
  readonly matchId: string
  readonly epoch: number
  readonly seq: number
  readonly observedAt: string
  readonly receivedAt: string
  readonly base: number
  readonly events: ReadonlyArray<unknown>
  readonly patch: JsonObject
  readonly hash?: string
}

/**
 * Returns a delta message without its stamp (publication time and position), as contained in the first line of a
 * record. The order of its keys is that of `DeltaFields`.
 */
export const deltaText = (game: string, fields: DeltaFields): string => {
  const { matchId, epoch, seq, observedAt, receivedAt, base, events, patch, hash } = fields
  return (
    `{"type":"${frameNames(game).delta}","matchId":"${matchId}","epoch":${epoch},"seq":${seq},` +
    `"observedAt":"${observedAt}","receivedAt":"${receivedAt}",${JSON.stringify({ base, events, patch, hash }).slice(1)}`
  )
}

/** Encodes a delta message that combines several conflated frames into one. */
export const encodeDelta = (
  game: string,
  head: FrameHead,
  change: { readonly base: number; readonly events: ReadonlyArray<unknown>; readonly patch: JsonObject; readonly hash: string },
): Uint8Array => {
  const { base, events, patch, hash } = change
  return utf8.encode(`{"type":"${frameNames(game).delta}",${headText(head)},${JSON.stringify({ base, events, patch, hash }).slice(1)}`)
}

/** Encodes a snapshot message in shape v2. */
export const encodeCompactSnapshot = (game: string, head: FrameHead, hash: string, document: JsonObject): Uint8Array =>
  utf8.encode(`{"type":"${frameNames(game).snapshot}","shape":"v2",${headText(head)},"hash":"${hash}","data":${JSON.stringify(document)}}`)

/** Encodes a message in shape v1: an update or a snapshot. `fullText` is the document as JSON. */
export const encodeFull = (type: string, head: FrameHead, event: unknown, fullText: string): Uint8Array =>
  utf8.encode(`{"type":"${type}",${headText(head)},"event":${JSON.stringify(event)},"data":${fullText}}`)

/** Returns the snapshot message with the content of an update. Copies the bytes once and parses nothing. */
export const snapshotOfUpdate = (game: string, update: Uint8Array): Uint8Array => {
  const names = frameNames(game)
  const from = `{"type":"${names.update}"`.length
  const prefix = `{"type":"${names.snapshot}"`
  const snapshot = new Uint8Array(prefix.length + update.length - from)
  utf8.encodeInto(prefix, snapshot)
  snapshot.set(update.subarray(from), prefix.length)
  return snapshot
}

/**
 * Returns the position up to which a client that receives this message has received everything before it. For a frame,
 * that is the position of the frame minus 1; for a heartbeat, it is the position in the heartbeat. Returns undefined if
 * the message has no position. Reads only the first bytes of the message.
 */
export const positionBefore = (message: Uint8Array): number | undefined => {
  const found = /^\{"type":"([a-z0-9._]+)".{0,120}?"position":([0-9]+)/.exec(text.decode(message.subarray(0, 160)))
  if (found === null) return undefined
  return found[1] === HEARTBEAT ? Number(found[2]) : Number(found[2]) - 1
}
