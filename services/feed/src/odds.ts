/** The recording of odds. To record those of another game, add its layers here. */
import { Layer } from "effect"
import { OddsFeed } from "@matchpoint/cs2/feed/odds/OddsFeed"
import { OddsWatch } from "@matchpoint/cs2/feed/odds/OddsWatch"

/** Records betting odds from all sources in the archive. */
export const RecordedOdds = Layer.mergeAll(OddsFeed.layer, OddsWatch.layer)
