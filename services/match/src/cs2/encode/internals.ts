/** What a record holds for shape v1 besides the delta: see `Extras` of the contract. Pure. */

import type { LiveEvent } from "@matchpoint/contracts/cs2/LiveEvent"
import type { JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import type { Document } from "./DocumentEncoder.ts"

/** `before` undefined: for a reader that knows nothing of the match. */
export const internalsOf = (
  before: Document | undefined,
  { game, lastEvent, updatedAt }: Document,
  row: LiveEvent | null,
  observedAt: string,
): JsonObject => {
  const internals: Record<string, unknown> = {}
  if (row !== null) internals["event"] = row
  if (before === undefined || before.lastEvent !== lastEvent) internals["last"] = lastEvent
  // A clock that stands is in the document.
  if (game !== null && game.clockEndsAt !== null && game.clockSeconds !== null) internals["clock"] = game.clockSeconds
  if (updatedAt !== observedAt) internals["updatedAt"] = updatedAt
  return internals
}
