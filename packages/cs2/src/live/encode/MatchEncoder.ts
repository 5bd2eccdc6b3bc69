/**
 * Encodes the records of one match that are published to the LIVE stream. Each record contains one change, and some
 * also contain the whole document. The first record of an encoder always contains the document. Which later records
 * contain it may differ between encoders, but all other content is the same for every encoder, whatever checkpoint it
 * started from. The encoder caches the previous document, because encoding a record from the cached document costs a
 * tenth of what building that document again would cost. Every match needs its own encoder.
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

  /** Encodes the record for the change from `before` to `after` that `event` caused. */
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

  /**
   * Returns a keyframe that contains the delta of a change record and also the whole document. `record` is the change
   * record that led to `state`.
   */
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

  /**
   * Returns a record of kind `kept`, which contains the current document. Appended when the log has dropped the records
   * from which a client could build the document.
   */
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
