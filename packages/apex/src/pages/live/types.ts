import type { LiveApexRow } from "../../contract/apexLive.ts"
import type { CompactApexMatch } from "../../contract/CompactApexMatch.ts"
import type { LiveApexEvent, LiveApexMatch } from "../../contract/LiveApexMatch.ts"

export type LiveMatch = LiveApexMatch
export type LiveRow = LiveApexRow
export type LiveEvent = LiveApexEvent
/** Document in message format v2, which deltas patch. */
export type CompactMatch = CompactApexMatch
export type LiveGame = NonNullable<LiveMatch["game"]>
export type PlayerRef = NonNullable<LiveEvent["victim"]>
