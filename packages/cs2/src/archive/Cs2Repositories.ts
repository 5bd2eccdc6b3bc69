import { Chores } from "@matchpoint/store/Chores"
import { Layer } from "effect"
import { Archive } from "./Archive.ts"
import { ArchiveWriter } from "./ArchiveWriter.ts"
import { EventOutcomes } from "./events/EventOutcomes.ts"
import { EventPrizes } from "./events/EventPrizes.ts"
import { TournamentChanges } from "./events/TournamentChanges.ts"
import { OddsRecorder } from "./odds/OddsRecorder.ts"
import { RankingWriter } from "./rankings/RankingWriter.ts"
import { RosterDerivation } from "./rosters/RosterDerivation.ts"
import { StatsRefresh } from "./stats/StatsRefresh.ts"
import { SlugKeeper } from "./teams/SlugKeeper.ts"
import { TeamCorrections } from "./teams/TeamCorrections.ts"
import { ArchiveBacklog } from "./upkeep/ArchiveBacklog.ts"
import { ArchiveTables } from "./upkeep/ArchiveTables.ts"
import { Calendar } from "./upkeep/Calendar.ts"

export const Cs2Repositories = Layer.mergeAll(
  Archive.layer,
  ArchiveWriter.layer,
  EventOutcomes.layer,
  EventPrizes.layer,
  TournamentChanges.layer,
  OddsRecorder.layer,
  RankingWriter.layer,
  RosterDerivation.layer,
  SlugKeeper.layer,
  TeamCorrections.layer.pipe(Layer.provide([Chores.layer, StatsRefresh.layer])),
  ArchiveBacklog.layer,
  ArchiveTables.layer,
  Calendar.layer,
)
