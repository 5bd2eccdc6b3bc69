/** Types of live Apex data that the page shows, derived from the contracts of the API. */
import type { LiveApexRow } from "@matchpoint/contracts/apex/apexLive"
import type { CompactApexMatch } from "@matchpoint/contracts/apex/CompactApexMatch"
import type { LiveApexEvent, LiveApexMatch } from "@matchpoint/contracts/apex/LiveApexMatch"

export type LiveMatch = LiveApexMatch
export type LiveRow = LiveApexRow
export type LiveEvent = LiveApexEvent
/** Document of a live lobby in message format v2, which deltas patch. */
export type CompactMatch = CompactApexMatch
export type LiveGame = NonNullable<LiveMatch["game"]>
export type PlayerRef = NonNullable<LiveEvent["victim"]>
