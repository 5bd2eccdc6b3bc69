/** Every repository of the package in one layer, without the database below. Whoever serves the whole product provides this. */
import { Layer } from "effect"
import { Accounts } from "./Accounts.ts"
import { ApiKeys } from "./ApiKeys.ts"
import { AuditLog } from "./AuditLog.ts"
import { Checkpoints } from "./Checkpoints.ts"
import { Chores } from "./Chores.ts"
import { Archive } from "./cs2/Archive.ts"
import { ArchiveBacklog } from "./cs2/ArchiveBacklog.ts"
import { ArchiveTables } from "./cs2/ArchiveTables.ts"
import { ArchiveWriter } from "./cs2/ArchiveWriter.ts"
import { Calendar } from "./cs2/Calendar.ts"
import { EventOutcomes } from "./cs2/EventOutcomes.ts"
import { EventPrizes } from "./cs2/EventPrizes.ts"
import { OddsRecorder } from "./cs2/OddsRecorder.ts"
import { RankingWriter } from "./cs2/RankingWriter.ts"
import { RosterDerivation } from "./cs2/RosterDerivation.ts"
import { SlugKeeper } from "./cs2/SlugKeeper.ts"
import { StatsRefresh } from "./cs2/stats/StatsRefresh.ts"
import { TeamCorrections } from "./cs2/TeamCorrections.ts"
import { DatabaseProbe } from "./DatabaseProbe.ts"
import { FeedTokens } from "./FeedTokens.ts"
import { Imports } from "./Imports.ts"
import { KeyRegister } from "./KeyRegister.ts"
import { Matches } from "./Matches.ts"
import { ParkedMatches } from "./ParkedMatches.ts"
import { UsageLedger } from "./UsageLedger.ts"

export class Repositories {
  static readonly layer = Layer.mergeAll(
    ApiKeys.layer,
    Archive.layer,
    ArchiveBacklog.layer,
    ArchiveTables.layer,
    ArchiveWriter.layer,
    AuditLog.layer,
    Calendar.layer,
    Checkpoints.layer,
    Chores.layer,
    DatabaseProbe.layer,
    EventOutcomes.layer,
    EventPrizes.layer,
    FeedTokens.layer,
    Imports.layer,
    KeyRegister.layer,
    Matches.layer,
    OddsRecorder.layer,
    ParkedMatches.layer,
    RankingWriter.layer,
    RosterDerivation.layer,
    SlugKeeper.layer,
    TeamCorrections.layer.pipe(Layer.provide([Chores.layer, StatsRefresh.layer])),
    UsageLedger.layer,
  ).pipe(Layer.provideMerge(Accounts.layer))
}
