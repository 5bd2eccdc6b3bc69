/** Layer with the handlers of all Apex endpoints. */
import { Layer } from "effect"
import { ApexSeriesHandlers } from "./archive/seriesHandlers.ts"
import { ApexStatsHandlers } from "./archive/statsHandlers.ts"

export const ApexHandlers = Layer.mergeAll(ApexSeriesHandlers, ApexStatsHandlers)
