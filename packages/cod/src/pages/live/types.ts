import type { LiveCodRow } from "../../contract/codLive.ts"
import type { CodMap, CodPlayer, LiveCodEvent, LiveCodMatch, TeamNumber as Team } from "../../contract/LiveCodMatch.ts"

export type LiveMatch = LiveCodMatch
export type LiveRow = LiveCodRow
export type LiveEvent = LiveCodEvent
export type LiveMap = CodMap
export type LivePlayer = CodPlayer
export type TeamNumber = Team
