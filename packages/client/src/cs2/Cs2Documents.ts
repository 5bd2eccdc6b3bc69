/** Types of CS2's matches and events in both shapes. */
import type { CompactEvent, CompactMatch } from "@matchpoint/contracts/cs2/CompactMatch"
import type { LiveEvent } from "@matchpoint/contracts/cs2/LiveEvent"
import type { LiveMatch } from "@matchpoint/contracts/cs2/LiveMatch"

export interface Cs2Documents {
  readonly v1: { readonly match: LiveMatch; readonly event: LiveEvent }
  readonly v2: { readonly match: CompactMatch; readonly event: CompactEvent }
}
