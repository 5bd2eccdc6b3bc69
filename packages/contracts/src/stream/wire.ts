/**
 * Encodes frames of any game. A match actor encodes each change once, as a record (see `record.ts`). A gateway derives
 * all other messages from it, encodes each once, and sends the same bytes to all clients.
 */
import { frameNames } from "../game/LiveContract.ts"
import type { JsonObject } from "./compact/mergePatch.ts"

export const HEARTBEAT = "heartbeat"

/** Fields at the start of every frame, in this order. */
export interface FrameHead {
  /** ISO 8601, by the clock of the log. */
  readonly publishedAt: string
  /** Position in the log of all matches. */
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
 * A delta message without its stamp (publication time and position), as in the first line of a record. The keys are in
 * the order of `DeltaFields`.
 */
export const deltaText = (game: string, fields: DeltaFields): string => {
  const { matchId, epoch, seq, observedAt, receivedAt, base, events, patch, hash } = fields
  return (
    `{"type":"${frameNames(game).delta}","matchId":"${matchId}","epoch":${epoch},"seq":${seq},` +
    `"observedAt":"${observedAt}","receivedAt":"${receivedAt}",${JSON.stringify({ base, events, patch, hash }).slice(1)}`
  )
}

/** Upper bound of the length of `FrameHead`. */
const MAX_HEAD_BYTES = 400
const headTimes = /"observedAt":"([^"]+)","receivedAt":"([^"]+)"/

/** Epoch milliseconds. Does not parse the message. Undefined if it does not start with the fields of `FrameHead`. */
export const timesOfDelta = (delta: Uint8Array): { readonly observedAt: number; readonly receivedAt: number } | undefined => {
  const [, observedAt, receivedAt] = headTimes.exec(text.decode(delta.subarray(0, MAX_HEAD_BYTES))) ?? []
  return observedAt === undefined || receivedAt === undefined
    ? undefined
    : { observedAt: Date.parse(observedAt), receivedAt: Date.parse(receivedAt) }
}

/** Encodes a delta that replaces those of several frames. */
export const encodeDelta = (
  game: string,
  head: FrameHead,
  change: { readonly base: number; readonly events: ReadonlyArray<unknown>; readonly patch: JsonObject; readonly hash: string },
): Uint8Array => {
  const { base, events, patch, hash } = change
  return utf8.encode(`{"type":"${frameNames(game).delta}",${headText(head)},${JSON.stringify({ base, events, patch, hash }).slice(1)}`)
}

/** Encodes a snapshot in message format v2. */
export const encodeCompactSnapshot = (game: string, head: FrameHead, hash: string, document: JsonObject): Uint8Array =>
  utf8.encode(`{"type":"${frameNames(game).snapshot}","shape":"v2",${headText(head)},"hash":"${hash}","data":${JSON.stringify(document)}}`)

/** Encodes an update or snapshot in message format v1. `fullText` is the match document as JSON. */
export const encodeFull = (type: string, head: FrameHead, event: unknown, fullText: string): Uint8Array =>
  utf8.encode(`{"type":"${type}",${headText(head)},"event":${JSON.stringify(event)},"data":${fullText}}`)

/** Copies the bytes once and parses nothing. */
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
 * Log position up to which everything was sent before this message: the position of a frame minus 1, or that of a
 * heartbeat. Undefined if the message has none. Reads only its first bytes.
 */
export const positionBefore = (message: Uint8Array): number | undefined => {
  const found = /^\{"type":"([a-z0-9._]+)".{0,120}?"position":([0-9]+)/.exec(text.decode(message.subarray(0, 160)))
  if (found === null) return undefined
  return found[1] === HEARTBEAT ? Number(found[2]) : Number(found[2]) - 1
}
