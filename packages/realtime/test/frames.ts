/** Minimal records and frames for tests. Each is a keyframe by default, so that any of them may be left out. */
import { liveMessageId, liveSubject } from "@matchpoint/contracts/bus/subjects"
import type { JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { type RecordKind, recordText } from "@matchpoint/contracts/stream/record"
import { deltaText } from "@matchpoint/contracts/stream/wire"
import { matchId } from "@matchpoint/cs2/rules/ids"
import type { MatchId } from "@matchpoint/domain/ids"
import { type Frame, frameOfRecord, type LiveRecord } from "../src/Frame.ts"
import { games } from "./testGame.ts"

export const id = matchId(1001)

export interface Options {
  readonly match?: MatchId
  readonly epoch?: number
  readonly at?: number
  readonly position?: number
  readonly status?: string
  readonly source?: string
  readonly event?: object
  readonly kind?: RecordKind
  /** Fields in the patch of the delta, besides `n`. Default: status and source. */
  readonly patch?: JsonObject
}

const utf8 = new TextEncoder()
const time = "2026-01-01T00:00:00.000Z"

export const record = (seq: number, options: Options = {}): LiveRecord => {
  const matchId = options.match ?? id
  const { epoch = 1, event, kind = "keyframe", source = "live", status = "live" } = options
  const { patch = { status, source } } = options
  const document = { matchId, status, source, n: seq }
  const delta = deltaText("cs2", {
    ...{ matchId, epoch, seq, observedAt: time, receivedAt: time },
    base: seq - 1,
    events: event === undefined ? [] : [event],
    patch: kind === "first" ? document : { ...patch, n: seq },
  })
  const stored = kind === "change" || kind === "first" ? {} : { document: JSON.stringify(document) }
  return {
    subject: liveSubject(matchId),
    id: liveMessageId(matchId, epoch, seq),
    sequence: options.position ?? seq,
    data: utf8.encode(recordText({ kind, delta, internals: event === undefined ? {} : { event }, ...stored })),
    appendedAt: options.at ?? seq,
  }
}

export const frame = (seq: number, options: Options = {}): Frame => {
  const made = frameOfRecord(record(seq, options), games)
  if (made === undefined) throw new Error("the test's record is no frame")
  return made
}

/** The same frame with a delta that cannot be parsed. */
export const broken = (one: Frame): Frame => {
  const { delta, kind, rest, size } = one.record
  return { ...one, record: { kind, delta: delta.subarray(1), rest, size } }
}
