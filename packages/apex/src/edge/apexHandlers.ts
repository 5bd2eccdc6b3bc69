import { Layer } from "effect"
import { ApexSeriesHandlers } from "./archive/seriesHandlers.ts"
import { ApexStatsHandlers } from "./archive/statsHandlers.ts"
import { ApexLiveHandlers } from "./live/apexLiveHandlers.ts"

export const ApexHandlers = Layer.mergeAll(ApexLiveHandlers, ApexSeriesHandlers, ApexStatsHandlers)
