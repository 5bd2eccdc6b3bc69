/**
 * Computes the additional fields that a record needs so that messages in format v1 can be built from it. Messages in
 * format v2 need only the delta. See `Extras` in the contract. The functions have no side effects.
 */
import type { JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import type { LiveEvent } from "../../contract/LiveEvent.ts"
import type { Document } from "./DocumentEncoder.ts"

/**
 * Returns the fields that have changed since `before`. If `before` is undefined, returns all fields, so that a reader
 * without any earlier record of the match can use them.
 */
export const internalsOf = (
  before: Document | undefined,
  { game, lastEvent, updatedAt }: Document,
  row: LiveEvent | null,
  observedAt: string,
): JsonObject => {
  const internals: Record<string, unknown> = {}
  if (row !== null) internals["event"] = row
  if (before === undefined || before.lastEvent !== lastEvent) internals["last"] = lastEvent
  // The clock is added only while it is running. The time of a stopped clock is already part of the document.
  if (game !== null && game.clockEndsAt !== null && game.clockSeconds !== null) internals["clock"] = game.clockSeconds
  if (updatedAt !== observedAt) internals["updatedAt"] = updatedAt
  return internals
}
