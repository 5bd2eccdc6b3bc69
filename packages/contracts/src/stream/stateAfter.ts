/**
 * The fold of LIVE: computes the state of a match after a record. Pure. Edges, replays and all other readers of the log
 * use it.
 */
import type { LiveContract, LiveState } from "../game/LiveContract.ts"
import { applyPatch, type JsonObject } from "./compact/mergePatch.ts"
import type { RecordDelta, RecordKind } from "./record.ts"

/** A parsed record. */
export interface RecordParts {
  readonly kind: RecordKind
  readonly delta: Pick<RecordDelta, "patch" | "observedAt">
  readonly internals: JsonObject
  /** Undefined if the record has no document, or if `before` makes it unnecessary. */
  readonly document?: JsonObject
}

/**
 * Returns the state after a record. `before` is the state after the previous record. Returns undefined if the record
 * needs a previous state and `before` is undefined.
 */
export const stateAfter = (
  game: LiveContract,
  before: LiveState | undefined,
  { delta, document: stored, internals, kind }: RecordParts,
): LiveState | undefined => {
  const document = documentAfter(game, before, kind, delta.patch, stored)
  if (document === undefined) return undefined
  return { document, extras: game.extrasAfter(kind === "change" ? before?.extras : undefined, internals), observedAt: delta.observedAt }
}

/** Returns true if the document after the record is computed from the previous one by applying the record's patch. */
export const goesOn = (kind: RecordKind, hasBase: boolean): boolean => hasBase && (kind === "change" || kind === "keyframe")

const documentAfter = (
  game: LiveContract,
  before: LiveState | undefined,
  kind: RecordKind,
  patch: JsonObject,
  stored: JsonObject | undefined,
): JsonObject | undefined => {
  if (before !== undefined && goesOn(kind, true)) return applyPatch(before.document, patch, game.layout)
  if (kind === "first") return patch
  return stored
}
