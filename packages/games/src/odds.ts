/** The games whose odds are recorded. */
import { OddsFeed } from "@matchpoint/cs2/feed/odds/OddsFeed"
import { OddsWatch } from "@matchpoint/cs2/feed/odds/OddsWatch"
import { Layer } from "effect"

export const RecordedOdds = Layer.mergeAll(OddsFeed.layer, OddsWatch.layer)
