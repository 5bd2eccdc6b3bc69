/**
 * Encodes the records of one match for LIVE. Each record contains one change, and some also the whole document, as the
 * first record of an encoder always does. Which later records do may differ between encoders; all other content is the
 * same, whatever checkpoint an encoder started from. The previous document is cached, because encoding from it costs a
 * tenth of building it again. Every match needs its own encoder.
 */
import { HASH_EVERY, stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { KEYFRAME_EVERY, type RecordKind, readRecord, recordText } from "@matchpoint/contracts/stream/record"
import { deltaText } from "@matchpoint/contracts/stream/wire"
import { gameOfMatch } from "@matchpoint/domain/ids"
import { compactEvent } from "../../contract/compactOf.ts"
import type { FeedEvent } from "../../rules/live/feedEvents.ts"
import type { MatchState } from "../../rules/live/state.ts"
import { projectEvent } from "../projectEvent.ts"
import { type Document, DocumentEncoder } from "./DocumentEncoder.ts"
import { documentPatch } from "./documentPatch.ts"
import { internalsOf } from "./internals.ts"
import { isoTime } from "./isoTime.ts"
import { keepsOrder } from "./keepsOrder.ts"
import { recordBytes } from "./recordBytes.ts"

export class MatchEncoder {
  readonly #documents = new DocumentEncoder()
  readonly #hashed = new WeakMap<object, string>()
  #last: { readonly state: MatchState; readonly document: Document } | undefined

  encode(before: MatchState | undefined, after: MatchState, event: FeedEvent): Uint8Array {
    const isFirst = this.#last === undefined
    const base = before !== undefined && before.epoch === after.epoch ? before : undefined
    const from = base === undefined ? undefined : this.#documentOf(base)
    const document = this.#documents.encode(after)
    this.#last = { state: after, document }
    const row = projectEvent(after, event)
    const kind = kindOf(from, document, isFirst || after.seq % KEYFRAME_EVERY === 0)
    const delta = deltaText(gameOfMatch(after.matchId), {
      matchId: after.matchId,
      epoch: after.epoch,
      seq: after.seq,
      observedAt: isoTime(event.observedAt),
      receivedAt: isoTime(event.receivedAt),
      base: base?.seq ?? 0,
      events: row === null ? [] : [compactEvent(row)],
      patch: documentPatch(from, document),
      ...(after.seq % HASH_EVERY === 0 ? { hash: stateHash(document.compact(), this.#hashed) } : {}),
    })
    const internals = internalsOf(kind === "change" ? from : undefined, document, row, isoTime(event.observedAt))
    const text = kind === "keyframe" || kind === "replacing" ? JSON.stringify(document.compact()) : undefined
    return recordBytes([recordText({ kind, delta, internals, ...(text === undefined ? {} : { document: text }) })])
  }

  /** A keyframe: the delta of the change record that led to `state`, and the whole document. */
  keyframeOf(state: MatchState, record: Uint8Array): Uint8Array {
    const document = this.#documentOf(state)
    const read = readRecord(record)
    if (read === undefined) throw new Error("the record does not have the current format")
    const internals = { ...read.internals, last: document.lastEvent }
    return recordBytes([
      recordText({
        kind: "keyframe",
        delta: deltaText(gameOfMatch(state.matchId), read.delta),
        internals,
        document: JSON.stringify(document.compact()),
      }),
    ])
  }

  /** Record of kind `kept` with the current document, for when the log has dropped the records to build it from. */
  kept(state: MatchState): Uint8Array {
    const document = this.#documentOf(state)
    const observedAt = isoTime(state.observedAt)
    const delta = deltaText(gameOfMatch(state.matchId), {
      matchId: state.matchId,
      epoch: state.epoch,
      seq: state.seq,
      observedAt,
      receivedAt: isoTime(state.receivedAt),
      base: state.seq,
      events: [],
      patch: {},
      hash: stateHash(document.compact(), this.#hashed),
    })
    const internals = internalsOf(undefined, document, null, observedAt)
    return recordBytes([recordText({ kind: "kept", delta, internals, document: JSON.stringify(document.compact()) })])
  }

  #documentOf(state: MatchState): Document {
    return this.#last?.state === state ? this.#last.document : this.#documents.encode(state)
  }
}

const kindOf = (before: Document | undefined, after: Document, isDue: boolean): RecordKind => {
  if (before === undefined) return "first"
  if (!keepsOrder(before, after)) return "replacing"
  return isDue ? "keyframe" : "change"
}
