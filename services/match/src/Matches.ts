/** The live matches of all games, and the writers of their results. */
import { Layer } from "effect"
import { ApexArchiver } from "./apex/ApexArchiver.ts"
import { apexLiveGame } from "./apex/apexLiveGame.ts"
import { CodArchiver } from "./cod/CodArchiver.ts"
import { codLiveGame } from "./cod/codLiveGame.ts"
import { ArchiveUpkeep } from "./cs2/ArchiveUpkeep.ts"
import { cs2LiveGame } from "./cs2/cs2LiveGame.ts"
import { MatchArchiver } from "./cs2/MatchArchiver.ts"
import { TournamentEvents } from "./cs2/TournamentEvents.ts"
import { LostMatches } from "./LostMatches.ts"
import { MatchCheckpoints } from "./MatchCheckpoints.ts"
import { MatchSupervisor } from "./MatchSupervisor.ts"
import { ParkedResults } from "./ParkedResults.ts"
import { TennisArchiver } from "./tennis/TennisArchiver.ts"
import { tennisLiveGame } from "./tennis/tennisLiveGame.ts"
import { WebhookOutbox } from "./webhooks/WebhookOutbox.ts"

/** Games whose matches run. To add a game, add its `LiveGame` here. */
const games = [apexLiveGame, codLiveGame, cs2LiveGame, tennisLiveGame]

export const LostLayer = LostMatches.layer(games).pipe(Layer.provide(MatchCheckpoints.layer))

export const Matches = Layer.mergeAll(
  MatchSupervisor.layer(games),
  ParkedResults.layer(games),
  ApexArchiver.layer,
  CodArchiver.layer,
  MatchArchiver.layer,
  TennisArchiver.layer,
  TournamentEvents.layer,
).pipe(Layer.provide([LostLayer, WebhookOutbox.layer]), Layer.provide(MatchCheckpoints.layer))

/** Scheduled jobs on the archives. */
export const Upkeep = ArchiveUpkeep.layer
