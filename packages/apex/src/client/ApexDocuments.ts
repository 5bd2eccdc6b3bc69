/** Types of Apex lobbies and events in both message formats, v1 and v2. */
import type { GameDocuments } from "@matchpoint/game/client/GameDocuments"
import type { CompactApexMatch } from "../contract/CompactApexMatch.ts"
import type { LiveApexEvent, LiveApexMatch } from "../contract/LiveApexMatch.ts"

export type ApexDocuments = GameDocuments<LiveApexMatch, CompactApexMatch, LiveApexEvent>

/** Message format v2, the default. */
export type ApexMatch = ApexDocuments["v2"]["match"]
export type ApexEvent = ApexDocuments["v2"]["event"]

/** Message format v1, the same as in the REST API. */
export type ApexMatchV1 = ApexDocuments["v1"]["match"]
