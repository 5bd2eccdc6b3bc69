import { Layer } from "effect"
import { CodArchive } from "./CodArchive.ts"
import { CodArchiveWriter } from "./CodArchiveWriter.ts"
import { SimulatedSeasons } from "./SimulatedSeasons.ts"
import { CodSummaries } from "./summaries/CodSummaries.ts"

export const CodRepositories = Layer.mergeAll(CodArchive.layer, CodArchiveWriter.layer, SimulatedSeasons.layer, CodSummaries.layer)
