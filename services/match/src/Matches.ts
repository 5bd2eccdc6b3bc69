/**
 * The live matches of all games, and the writers of their results: all in this process, or distributed over the processes
 * of a cluster.
 */
import { onceInCluster } from "@matchpoint/cluster/onceInCluster"
import { Layer } from "effect"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { ApexArchiver } from "@matchpoint/apex/live/ApexArchiver"
import { apexLiveGame } from "@matchpoint/apex/live/apexLiveGame"
import { CodArchiver } from "@matchpoint/cod/live/CodArchiver"
import { codLiveGame } from "@matchpoint/cod/live/codLiveGame"
import { ArchiveUpkeep } from "@matchpoint/cs2/live/ArchiveUpkeep"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { MatchArchiver } from "@matchpoint/cs2/live/MatchArchiver"
import { TournamentEvents } from "@matchpoint/cs2/live/TournamentEvents"
import { LostMatches } from "./LostMatches.ts"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { MatchSupervisor } from "./MatchSupervisor.ts"
import { ParkedResults } from "./ParkedResults.ts"
import { placementLayer } from "./placement/Placement.ts"
import { TennisArchiver } from "@matchpoint/tennis/live/TennisArchiver"
import { tennisLiveGame } from "@matchpoint/tennis/live/tennisLiveGame"
import { UnstartedMatches } from "./UnstartedMatches.ts"
import { WebhookOutbox } from "./webhooks/WebhookOutbox.ts"

/** Games whose matches run. To add a game, add its `LiveGame` here. */
const games = [apexLiveGame, codLiveGame, cs2LiveGame, tennisLiveGame]

export const LostLayer = LostMatches.layer(games).pipe(Layer.provide(MatchCheckpoints.layer))

const Archivers = Layer.mergeAll(ApexArchiver.layer, CodArchiver.layer, MatchArchiver.layer, TennisArchiver.layer)

/** Runs all matches in this process. */
export const Matches = Layer.mergeAll(
  MatchSupervisor.layer(games),
  UnstartedMatches.layer(games),
  ParkedResults.layer(games),
  Archivers,
  TournamentEvents.layer,
).pipe(Layer.provide([LostLayer, WebhookOutbox.layer]), Layer.provide(MatchCheckpoints.layer))

/** Scheduled jobs on the archives. */
export const Upkeep = ArchiveUpkeep.layer

/** A match that another process has taken over is tried again soon, because ownership may have come back in the meantime. */
const ClusterSettings = MatchConfig.layerWith({ lostRestartAfter: "250 millis", restartAtMost: "2 seconds" })

/** Runs the matches that the cluster assigns to this process. Each of the other jobs runs in one process of the cluster. */
export const PlacedMatches = Layer.mergeAll(
  placementLayer(games),
  onceInCluster("lost matches", LostMatches.layer(games)),
  onceInCluster("unstarted matches", UnstartedMatches.layer(games)),
  onceInCluster("parked results", ParkedResults.layer(games)),
  onceInCluster("archivers", Archivers),
  onceInCluster("tournament events", TournamentEvents.layer),
  onceInCluster("archive upkeep", Upkeep),
).pipe(Layer.provide(WebhookOutbox.layer), Layer.provide(MatchCheckpoints.layer), Layer.provide(ClusterSettings))
