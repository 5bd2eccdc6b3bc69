import { Layer } from "effect"
import { ApexArchive } from "./ApexArchive.ts"
import { ApexArchiveWriter } from "./ApexArchiveWriter.ts"
import { SimulatedSeries } from "./SimulatedSeries.ts"
import { ApexSummaries } from "./summaries/ApexSummaries.ts"

export const ApexRepositories = Layer.mergeAll(ApexArchive.layer, ApexArchiveWriter.layer, SimulatedSeries.layer, ApexSummaries.layer)
