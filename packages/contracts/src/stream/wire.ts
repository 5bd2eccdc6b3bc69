/**
 * Encodes the frames (messages about a change of a match) of any game. A match actor encodes each change once, as a
 * record (see `record.ts`). A gateway derives all other messages from that record, encodes each of them only once, and
 * sends the same bytes to all clients.
 */
import { frameNames } from "../game/LiveContract.ts"
import type { JsonObject } from "./compact/mergePatch.ts"

export const HEARTBEAT = "heartbeat"

/** Fields at the start of every frame, in this order. */
export interface FrameHead {
  /** Time at which the log stored the frame, in ISO 8601 format, according to the clock of the log. */
  readonly publishedAt: string
  /** Position of the frame in the log that contains the frames of all matches. */
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
 * Serializes a delta message without its stamp (publication time and position), as it appears in the first line of a
 * record. The keys are in the order of `DeltaFields`.
 */
export const deltaText = (game: string, fields: DeltaFields): string => {
  const { matchId, epoch, seq, observedAt, receivedAt, base, events, patch, hash } = fields
  return (
    `{"type":"${frameNames(game).delta}","matchId":"${matchId}","epoch":${epoch},"seq":${seq},` +
    `"observedAt":"${observedAt}","receivedAt":"${receivedAt}",${JSON.stringify({ base, events, patch, hash }).slice(1)}`
  )
}

/** Length that the fields of `FrameHead` do not exceed, in bytes. */
const MAX_HEAD_BYTES = 400
const headTimes = /"observedAt":"([^"]+)","receivedAt":"([^"]+)"/

/**
 * Returns the two times of the fact behind a delta message, in epoch milliseconds. Does not parse the message. Returns
 * undefined if the message does not start with the fields of `FrameHead`.
 */
export const timesOfDelta = (delta: Uint8Array): { readonly observedAt: number; readonly receivedAt: number } | undefined => {
  const [, observedAt, receivedAt] = headTimes.exec(text.decode(delta.subarray(0, MAX_HEAD_BYTES))) ?? []
  return observedAt === undefined || receivedAt === undefined
    ? undefined
    : { observedAt: Date.parse(observedAt), receivedAt: Date.parse(receivedAt) }
}

/** Encodes one delta message that replaces the delta messages of several frames. */
export const encodeDelta = (
  game: string,
  head: FrameHead,
  change: { readonly base: number; readonly events: ReadonlyArray<unknown>; readonly patch: JsonObject; readonly hash: string },
): Uint8Array => {
  const { base, events, patch, hash } = change
  return utf8.encode(`{"type":"${frameNames(game).delta}",${headText(head)},${JSON.stringify({ base, events, patch, hash }).slice(1)}`)
}

/** Encodes a snapshot message in message format v2. */
export const encodeCompactSnapshot = (game: string, head: FrameHead, hash: string, document: JsonObject): Uint8Array =>
  utf8.encode(`{"type":"${frameNames(game).snapshot}","shape":"v2",${headText(head)},"hash":"${hash}","data":${JSON.stringify(document)}}`)

/** Encodes an update or a snapshot in message format v1. `fullText` is the match document as JSON. */
export const encodeFull = (type: string, head: FrameHead, event: unknown, fullText: string): Uint8Array =>
  utf8.encode(`{"type":"${type}",${headText(head)},"event":${JSON.stringify(event)},"data":${fullText}}`)

/** Converts an update message to a snapshot message with the same content. Copies the bytes once and parses nothing. */
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
 * Returns the log position up to which everything was sent to the client before this message. For a frame, it is the
 * position of the frame minus 1; for a heartbeat, it is the position in the heartbeat. Returns undefined if the message
 * has no position. Reads only the first bytes of the message.
 */
export const positionBefore = (message: Uint8Array): number | undefined => {
  const found = /^\{"type":"([a-z0-9._]+)".{0,120}?"position":([0-9]+)/.exec(text.decode(message.subarray(0, 160)))
  if (found === null) return undefined
  return found[1] === HEARTBEAT ? Number(found[2]) : Number(found[2]) - 1
}
