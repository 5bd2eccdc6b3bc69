/** Types of the tennis data that the pages show, derived from the contracts of the API. */
import type { CompactTennisMatch as CompactMatch } from "@matchpoint/contracts/tennis/CompactTennisMatch"
import type { LiveTennisEvent, LiveTennisMatch, SideNumber as Side } from "@matchpoint/contracts/tennis/LiveTennisMatch"
import type { LiveTennisRow } from "@matchpoint/contracts/tennis/tennisLive"

export type LiveMatch = LiveTennisMatch
export type LiveRow = LiveTennisRow
export type LiveEvent = LiveTennisEvent
/** Document of a live match in message format v2, which deltas patch. */
export type CompactTennisMatch = CompactMatch
export type LiveSide = LiveMatch["side1"]
export type LiveSet = LiveMatch["sets"][number]
export type LiveGame = NonNullable<LiveMatch["game"]>
export type Stake = NonNullable<LiveGame["stakes"]["side1"]>
export type SideNumber = Side
