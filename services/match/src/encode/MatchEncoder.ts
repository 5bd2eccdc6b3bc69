/**
 * The records of one match, as they go to LIVE: for each change the whole document and what changed in it. The bytes are the same
 * whoever makes them, from whichever checkpoint; an encoder that made the record before makes the next one for a tenth of the cost.
 * Not shared between matches.
 */
import { compactEvent } from "@matchpoint/contracts/stream/compact/compactOf"
import { HASH_EVERY, stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { deltaText, updateHead } from "@matchpoint/contracts/stream/frames"
import type { FeedEvent } from "@matchpoint/domain/cs2/feedEvents"
import type { MatchState } from "@matchpoint/domain/cs2/state"
import { projectEvent } from "../projectEvent.ts"
import { type Document, DocumentEncoder } from "./DocumentEncoder.ts"
import { documentPatch } from "./documentPatch.ts"
import { isoTime } from "./isoTime.ts"
import { recordBytes } from "./recordBytes.ts"

export class MatchEncoder {
  readonly #documents = new DocumentEncoder()
  readonly #hashed = new WeakMap<object, string>()
  #last: { readonly state: MatchState; readonly document: Document } | undefined

  /** `before` is the state that `event` changed into `after`. */
  encode(before: MatchState | undefined, after: MatchState, event: FeedEvent): Uint8Array {
    const continues = before !== undefined && before.epoch === after.epoch
    const base = continues ? this.#documentOf(before) : undefined
    const { document, pieces } = this.#documents.encode(after)
    this.#last = { state: after, document }
    const row = projectEvent(after, event)
    const head = {
      matchId: after.matchId,
      epoch: after.epoch,
      seq: after.seq,
      observedAt: isoTime(event.observedAt),
      receivedAt: isoTime(event.receivedAt),
    }
    const delta = deltaText({
      ...head,
      base: continues ? before.seq : 0,
      events: row === null ? [] : [compactEvent(row)],
      patch: documentPatch(base, document),
      ...(after.seq % HASH_EVERY === 0 ? { hash: stateHash(document.compact(), this.#hashed) } : {}),
    })
    return recordBytes([updateHead({ ...head, event: row }), ...pieces, `}\n${delta}`])
  }

  #documentOf(state: MatchState): Document {
    return this.#last?.state === state ? this.#last.document : this.#documents.encode(state).document
  }
}
