/** Types of Call of Duty matches and events in both message formats, v1 and v2. */
import type { GameDocuments } from "@matchpoint/game/client/GameDocuments"
import type { CompactCodMatch } from "../contract/CompactCodMatch.ts"
import type { LiveCodEvent, LiveCodMatch } from "../contract/LiveCodMatch.ts"

export type CodDocuments = GameDocuments<LiveCodMatch, CompactCodMatch, LiveCodEvent>

/** Types of a match and an event in message format v2, the default. */
export type CodMatch = CodDocuments["v2"]["match"]
export type CodEvent = CodDocuments["v2"]["event"]

/** Type of a match in message format v1. It is the same as in the REST API. */
export type CodMatchV1 = CodDocuments["v1"]["match"]
