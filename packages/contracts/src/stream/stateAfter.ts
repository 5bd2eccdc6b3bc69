/**
 * Computes the state of a match after a change, from the state before the change and the record of the change in the
 * LIVE stream. All readers of that stream use this function, including gateways and replays. Has no side effects.
 */
import type { LiveContract, LiveState } from "../game/LiveContract.ts"
import { applyPatch, type JsonObject } from "./compact/mergePatch.ts"
import type { RecordDelta, RecordKind } from "./record.ts"

/** A parsed record. */
export interface RecordParts {
  readonly kind: RecordKind
  readonly delta: Pick<RecordDelta, "patch" | "observedAt">
  readonly internals: JsonObject
  /**
   * The match document stored in the record. Undefined if the record contains none, or if it was not parsed because the
   * previous state is available.
   */
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

/**
 * Returns true if the document after a record is computed by applying the record's patch to the previous document.
 * `hasBase` is true if the previous document is available.
 */
export const appliesPatch = (kind: RecordKind, hasBase: boolean): boolean => hasBase && (kind === "change" || kind === "keyframe")

const documentAfter = (
  game: LiveContract,
  before: LiveState | undefined,
  kind: RecordKind,
  patch: JsonObject,
  stored: JsonObject | undefined,
): JsonObject | undefined => {
  if (before !== undefined && appliesPatch(kind, true)) return applyPatch(before.document, patch, game.layout)
  if (kind === "first") return patch
  return stored
}
