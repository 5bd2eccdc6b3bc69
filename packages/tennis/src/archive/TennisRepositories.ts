import { Layer } from "effect"
import { TennisMatchRecords } from "./live/TennisMatchRecords.ts"
import { TennisProfiles } from "./live/TennisProfiles.ts"
import { SimulatedTours } from "./SimulatedTours.ts"
import { TennisSummaries } from "./summaries/TennisSummaries.ts"
import { TennisArchive } from "./TennisArchive.ts"
import { TennisArchiveWriter } from "./TennisArchiveWriter.ts"

export const TennisRepositories = Layer.mergeAll(
  TennisMatchRecords.layer,
  TennisProfiles.layer,
  SimulatedTours.layer,
  TennisSummaries.layer,
  TennisArchive.layer,
  TennisArchiveWriter.layer,
)
