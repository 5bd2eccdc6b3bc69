/** Types of Call of Duty matches and events in both message formats, v1 and v2. */
import type { GameDocuments } from "@matchpoint/game/client/GameDocuments"
import type { CompactCodMatch } from "../contract/CompactCodMatch.ts"
import type { LiveCodEvent, LiveCodMatch } from "../contract/LiveCodMatch.ts"

export type CodDocuments = GameDocuments<LiveCodMatch, CompactCodMatch, LiveCodEvent>

/** Message format v2, the default. */
export type CodMatch = CodDocuments["v2"]["match"]
export type CodEvent = CodDocuments["v2"]["event"]

/** Message format v1, the same as in the REST API. */
export type CodMatchV1 = CodDocuments["v1"]["match"]
