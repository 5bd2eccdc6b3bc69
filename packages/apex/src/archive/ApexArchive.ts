/** All services that read the Apex archive. Add new services here. */
import { Layer } from "effect"
import { ApexCoverageReader } from "./read/ApexCoverageReader.ts"
import { ApexPeople } from "./read/ApexPeople.ts"
import { ApexSeriesArchive } from "./read/ApexSeriesArchive.ts"
import { ApexStatistics } from "./read/ApexStatistics.ts"

export class ApexArchive {
  static readonly layer = Layer.mergeAll(ApexCoverageReader.layer, ApexPeople.layer, ApexSeriesArchive.layer, ApexStatistics.layer)
}
