/**
 * How frames of any game are written. A match actor encodes each change once (see record.ts); an edge makes the rest, once per frame, and
 * the bytes go unchanged to the sockets.
 */
import { frameNames } from "../game/LiveContract.ts"
import type { JsonObject } from "./compact/mergePatch.ts"

export const HEARTBEAT = "heartbeat"

/** What every frame begins with, in this order. */
export interface FrameHead {
  /** When the log took it, by the log's clock: ISO 8601. */
  readonly publishedAt: string
  /** Its place in the log of all matches. */
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

/** A delta message without its stamp: the first line of a record. Keys in the order of `DeltaFields`. */
export const deltaText = (game: string, fields: DeltaFields): string => {
  const { matchId, epoch, seq, observedAt, receivedAt, base, events, patch, hash } = fields
  return (
    `{"type":"${frameNames(game).delta}","matchId":"${matchId}","epoch":${epoch},"seq":${seq},` +
    `"observedAt":"${observedAt}","receivedAt":"${receivedAt}",${JSON.stringify({ base, events, patch, hash }).slice(1)}`
  )
}

/** A delta message: of conflated frames. */
export const encodeDelta = (
  game: string,
  head: FrameHead,
  change: { readonly base: number; readonly events: ReadonlyArray<unknown>; readonly patch: JsonObject; readonly hash: string },
): Uint8Array => {
  const { base, events, patch, hash } = change
  return utf8.encode(`{"type":"${frameNames(game).delta}",${headText(head)},${JSON.stringify({ base, events, patch, hash }).slice(1)}`)
}

/** A snapshot message in shape v2. */
export const encodeCompactSnapshot = (game: string, head: FrameHead, hash: string, document: JsonObject): Uint8Array =>
  utf8.encode(`{"type":"${frameNames(game).snapshot}","shape":"v2",${headText(head)},"hash":"${hash}","data":${JSON.stringify(document)}}`)

/** A message in shape v1: an update, or a snapshot. `fullText`: the document's JSON. */
export const encodeFull = (type: string, head: FrameHead, event: unknown, fullText: string): Uint8Array =>
  utf8.encode(`{"type":"${type}",${headText(head)},"event":${JSON.stringify(event)},"data":${fullText}}`)

/** The snapshot message of an update's bytes: one copy, no parsing. */
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
 * Where a client stands that was sent everything before this message: one before a frame's position; a heartbeat's own. Undefined:
 * the message has none. Reads the first bytes only.
 */
export const positionBefore = (message: Uint8Array): number | undefined => {
  const found = /^\{"type":"([a-z0-9._]+)".{0,120}?"position":([0-9]+)/.exec(text.decode(message.subarray(0, 160)))
  if (found === null) return undefined
  return found[1] === HEARTBEAT ? Number(found[2]) : Number(found[2]) - 1
}
