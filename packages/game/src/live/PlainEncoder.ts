/**
 * Encodes the published records of a match without caching: builds the whole document of each state and compares it with
 * the previous one. The cost of a change grows with the size of the document, so a game with large documents provides
 * its own encoder.
 */
import { diff, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { HASH_EVERY, stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { KEYFRAME_EVERY, type RecordKind, readRecord, recordText } from "@matchpoint/contracts/stream/record"
import { deltaText } from "@matchpoint/contracts/stream/wire"
import type { GameEvent, GameState } from "@matchpoint/domain/game/GameRules"
import { gameOfMatch } from "@matchpoint/domain/ids"
import type { LiveEncoder } from "./LiveGame.ts"

export interface Projection<State extends GameState, Event extends GameEvent> {
  /** Document in message format v2. It contains no nulls and its keys are always in the same order. */
  documentOf(state: State): JsonObject
  /** Row of the change in the match's event list, or `null` if the change is not listed. */
  rowOf(state: State, event: Event): JsonObject | null
}

const utf8 = new TextEncoder()
const iso = (at: number): string => new Date(at).toISOString()

export class PlainEncoder<State extends GameState, Event extends GameEvent> implements LiveEncoder<State, Event> {
  readonly #projection: Projection<State, Event>
  #isFirst = true

  constructor(projection: Projection<State, Event>) {
    this.#projection = projection
  }

  encode(before: State | undefined, after: State, event: Event): Uint8Array {
    const base = before !== undefined && before.epoch === after.epoch ? before : undefined
    const document = this.#projection.documentOf(after)
    const row = this.#projection.rowOf(after, event)
    const isKeyframe = this.#isFirst || after.seq % KEYFRAME_EVERY === 0
    this.#isFirst = false
    const kind: RecordKind = base === undefined ? "first" : isKeyframe ? "keyframe" : "change"
    const delta = deltaText(gameOfMatch(after.matchId), {
      ...headOf(after, event),
      base: base?.seq ?? 0,
      events: row === null ? [] : [row],
      patch: diff(base === undefined ? {} : this.#projection.documentOf(base), document) ?? {},
      ...(after.seq % HASH_EVERY === 0 ? { hash: stateHash(document) } : {}),
    })
    const internals = row === null ? {} : { event: row }
    return utf8.encode(recordText({ kind, delta, internals, ...(kind === "keyframe" ? { document: JSON.stringify(document) } : {}) }))
  }

  keyframeOf(state: State, record: Uint8Array): Uint8Array {
    const read = readRecord(record)
    if (read === undefined) throw new Error("the record does not have the current format")
    const { delta, internals } = read
    const document = JSON.stringify(this.#projection.documentOf(state))
    return utf8.encode(recordText({ kind: "keyframe", delta: deltaText(gameOfMatch(state.matchId), delta), internals, document }))
  }

  kept(state: State): Uint8Array {
    const document = this.#projection.documentOf(state)
    const delta = deltaText(gameOfMatch(state.matchId), {
      ...headOf(state, state),
      base: state.seq,
      events: [],
      patch: {},
      hash: stateHash(document),
    })
    return utf8.encode(recordText({ kind: "kept", delta, internals: {}, document: JSON.stringify(document) }))
  }
}

const headOf = (
  { epoch, matchId, seq }: GameState,
  { observedAt, receivedAt }: { readonly observedAt: number; readonly receivedAt: number },
) => ({ matchId, epoch, seq, observedAt: iso(observedAt), receivedAt: iso(receivedAt) })
