/** Types of CS2 matches and events in both message formats, v1 and v2. */
import type { CompactEvent, CompactMatch } from "../contract/CompactMatch.ts"
import type { LiveEvent } from "../contract/LiveEvent.ts"
import type { LiveMatch } from "../contract/LiveMatch.ts"

export interface Cs2Documents {
  readonly v1: { readonly match: LiveMatch; readonly event: LiveEvent }
  readonly v2: { readonly match: CompactMatch; readonly event: CompactEvent }
}

/** Types of a match and an event in message format v2, the default. */
export type Cs2Match = Cs2Documents["v2"]["match"]
export type Cs2Event = Cs2Documents["v2"]["event"]

/** Types of a match and an event in message format v1. They are the same as in the REST API. */
export type Cs2MatchV1 = Cs2Documents["v1"]["match"]
export type Cs2EventV1 = Cs2Documents["v1"]["event"]
