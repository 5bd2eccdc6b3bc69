/** Types of tennis matches and events in both message formats, v1 and v2. */
import type { GameDocuments } from "@matchpoint/game/client/GameDocuments"
import type { CompactTennisMatch } from "../contract/CompactTennisMatch.ts"
import type { LiveTennisEvent, LiveTennisMatch } from "../contract/LiveTennisMatch.ts"

export type TennisDocuments = GameDocuments<LiveTennisMatch, CompactTennisMatch, LiveTennisEvent>

/** Message format v2, the default. */
export type TennisMatch = TennisDocuments["v2"]["match"]
export type TennisEvent = TennisDocuments["v2"]["event"]

/** Message format v1, the same as in the REST API. */
export type TennisMatchV1 = TennisDocuments["v1"]["match"]
