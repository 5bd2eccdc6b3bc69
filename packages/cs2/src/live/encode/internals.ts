/** Additional fields with which messages in format v1 can be built from a record; v2 needs only the delta. See `Extras`. */
import type { JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import type { LiveEvent } from "../../contract/LiveEvent.ts"
import type { Document } from "./DocumentEncoder.ts"

/** The fields that have changed since `before`. Without it, all of them, for readers without any earlier record. */
export const internalsOf = (
  before: Document | undefined,
  { game, lastEvent, updatedAt }: Document,
  row: LiveEvent | null,
  observedAt: string,
): JsonObject => {
  const internals: Record<string, unknown> = {}
  if (row !== null) internals["event"] = row
  if (before === undefined || before.lastEvent !== lastEvent) internals["last"] = lastEvent
  // Added only while the clock runs. The time of a stopped clock is already part of the document.
  if (game !== null && game.clockEndsAt !== null && game.clockSeconds !== null) internals["clock"] = game.clockSeconds
  if (updatedAt !== observedAt) internals["updatedAt"] = updatedAt
  return internals
}
