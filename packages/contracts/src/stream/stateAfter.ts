/** The state of a match after a record of LIVE. All readers of LIVE use it, including gateways and replays. */
import type { LiveContract, LiveState } from "../game/LiveContract.ts"
import { applyPatch, type JsonObject } from "./compact/mergePatch.ts"
import type { RecordDelta, RecordKind } from "./record.ts"

export interface RecordParts {
  readonly kind: RecordKind
  readonly delta: Pick<RecordDelta, "patch" | "observedAt">
  readonly internals: JsonObject
  /** Undefined if the record contains none, or if it was not parsed because the previous state is available. */
  readonly document?: JsonObject
}

/** Undefined if the record needs the state `before` and there is none. */
export const stateAfter = (
  game: LiveContract,
  before: LiveState | undefined,
  { delta, document: stored, internals, kind }: RecordParts,
): LiveState | undefined => {
  const document = documentAfter(game, before, kind, delta.patch, stored)
  if (document === undefined) return undefined
  return { document, extras: game.extrasAfter(kind === "change" ? before?.extras : undefined, internals), observedAt: delta.observedAt }
}

/** True if the document is the previous one with the record's patch. `hasBase`: the previous document is available. */
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
