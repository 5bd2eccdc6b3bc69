// Owns the measurement: the bytes of every frame of a match in each form in which it can be sent.
import { decodeDelta } from "@matchpoint/cs2/contract/frames"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import { Result } from "effect"
import { LiveReader } from "../../fixtures/clients/LiveReader.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import { alone, Takeover } from "./Deflate.ts"
import { changesOf, liveRecord } from "./realMatches.ts"

/** Bytes of all frames of a match as messages, without WebSocket frame headers. */
export interface Bytes {
  full: number
  fullDeflated: number
  fullDeflatedTakeover: number
  compactFull: number
  delta: number
  deltaDeflatedTakeover: number
  /** Records of LIVE: deltas, internal fields that are never sent to clients, and keyframes. */
  record: number
}

export interface Measured extends Bytes {
  frames: number
  /**
   * CPU time of compressing full frames, each in its own window. This is paid per socket, whereas deltas are made once.
   */
  deflateUs: number
  /** Bytes of patches by field of the document and its inner field. */
  readonly patches: Map<string, number>
}

export const measure = async (events: Iterable<FeedEvent>): Promise<Measured> => {
  const sum: Measured = {
    frames: 0,
    deflateUs: 0,
    full: 0,
    fullDeflated: 0,
    fullDeflatedTakeover: 0,
    compactFull: 0,
    delta: 0,
    deltaDeflatedTakeover: 0,
    record: 0,
    patches: new Map(),
  }
  const reader = new LiveReader()
  const fullWindow = new Takeover()
  const deltaWindow = new Takeover()
  for (const { event, state, record } of changesOf(events)) {
    const frames = reader.take(liveRecord(matchId(1), state, record, 1_000_000 + sum.frames, event.receivedAt))
    if (frames === undefined) throw new Error("not a record")
    const { patch } = Result.getOrThrow(decodeDelta(frames.delta))
    sum.record += record.length
    sum.frames += 1
    sum.full += frames.update.length
    const from = monotonicUs()
    sum.fullDeflated += alone(frames.update)
    sum.deflateUs += monotonicUs() - from
    sum.fullDeflatedTakeover += await fullWindow.bytesOf(frames.update)
    sum.compactFull += frames.views.snapshot("v2").length
    sum.delta += frames.delta.length
    sum.deltaDeflatedTakeover += await deltaWindow.bytesOf(frames.delta)
    charge(sum.patches, patch)
  }
  fullWindow.close()
  deltaWindow.close()
  return sum
}

/**
 * Adds the bytes of a patch by field. Ids, map and round numbers are left out of the names, so that `players.hp` is one
 * name.
 */
const charge = (patches: Map<string, number>, patch: { readonly [key: string]: unknown }): void => {
  for (const [key, change] of Object.entries(patch)) {
    for (const [part, bytes] of isObject(change) ? partsOf(key, change) : [[key, sizeOf(key, change)] as const]) {
      patches.set(part, (patches.get(part) ?? 0) + bytes)
    }
  }
}

const partsOf = (key: string, change: { readonly [key: string]: unknown }): ReadonlyArray<readonly [string, number]> =>
  Object.entries(change).flatMap(([inner, value]) =>
    key === "players" && isObject(value)
      ? [
          ["players.(id)", sizeOf(inner, "")] as const,
          ...Object.entries(value).map(([field, one]) => [`players.${field}`, sizeOf(field, one)] as const),
        ]
      : [[key === "maps" || key === "rounds" ? key : `${key}.${inner}`, sizeOf(inner, value)] as const],
  )

const sizeOf = (key: string, value: unknown): number => key.length + 4 + JSON.stringify(value).length

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)
