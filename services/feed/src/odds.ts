/** The recording of odds. To record those of another game, add its layers here. */
import { Layer } from "effect"
import { OddsFeed } from "./cs2/odds/OddsFeed.ts"
import { OddsWatch } from "./cs2/odds/OddsWatch.ts"

/** Records betting odds from all sources in the archive. */
export const RecordedOdds = Layer.mergeAll(OddsFeed.layer, OddsWatch.layer)
