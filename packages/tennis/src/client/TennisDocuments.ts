/** Types of tennis matches and events in both message formats, v1 and v2. */
import type { GameDocuments } from "@matchpoint/game/client/GameDocuments"
import type { CompactTennisMatch } from "../contract/CompactTennisMatch.ts"
import type { LiveTennisEvent, LiveTennisMatch } from "../contract/LiveTennisMatch.ts"

export type TennisDocuments = GameDocuments<LiveTennisMatch, CompactTennisMatch, LiveTennisEvent>

/** Types of a match and an event in message format v2, the default. */
export type TennisMatch = TennisDocuments["v2"]["match"]
export type TennisEvent = TennisDocuments["v2"]["event"]

/** Type of a match in message format v1. It is the same as in the REST API. */
export type TennisMatchV1 = TennisDocuments["v1"]["match"]
