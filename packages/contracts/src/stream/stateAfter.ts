/** The fold of LIVE: what a record makes of a match. Pure; the same for edges, replays and whoever reads the log. */
import type { LiveContract, LiveState } from "../game/LiveContract.ts"
import { applyPatch, type JsonObject } from "./compact/mergePatch.ts"
import type { RecordDelta, RecordKind } from "./record.ts"

/** A record, parsed. */
export interface RecordParts {
  readonly kind: RecordKind
  readonly delta: Pick<RecordDelta, "patch" | "observedAt">
  readonly internals: JsonObject
  /** Undefined where there is none, and where `before` makes it needless. */
  readonly document?: JsonObject
}

/** `before`: the state that the record before it made. Undefined: there is none, and the record cannot do without. */
export const stateAfter = (
  game: LiveContract,
  before: LiveState | undefined,
  { delta, document: stored, internals, kind }: RecordParts,
): LiveState | undefined => {
  const document = documentAfter(game, before, kind, delta.patch, stored)
  if (document === undefined) return undefined
  return { document, extras: game.extrasAfter(kind === "change" ? before?.extras : undefined, internals), observedAt: delta.observedAt }
}

/** Whether a record's patch is applied, its document being what comes out. */
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
