/** The live matches of all games and the writers of their results, in this process or distributed over a cluster. */
import { onceInCluster } from "@matchpoint/cluster/onceInCluster"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { ArchiveAnnouncements, Archivers, Upkeep } from "@matchpoint/games/archiveWriters"
import { liveGames } from "@matchpoint/games/liveGames"
import { Layer } from "effect"
import { LostMatches } from "./LostMatches.ts"
import { MatchSupervisor } from "./MatchSupervisor.ts"
import { ParkedResults } from "./ParkedResults.ts"
import { placementLayer } from "./placement/Placement.ts"
import { UnstartedMatches } from "./UnstartedMatches.ts"
import { WebhookOutbox } from "./webhooks/WebhookOutbox.ts"

export const LostLayer = LostMatches.layer(liveGames).pipe(Layer.provide(MatchCheckpoints.layer))

export const AllMatches = Layer.mergeAll(
  MatchSupervisor.layer(liveGames),
  UnstartedMatches.layer(liveGames),
  ParkedResults.layer(liveGames),
  Archivers,
  ArchiveAnnouncements,
).pipe(Layer.provide([LostLayer, WebhookOutbox.layer]), Layer.provide(MatchCheckpoints.layer))

/** A match that another process has taken over is tried again soon, because ownership may have come back. */
const ClusterSettings = MatchConfig.layerWith({ lostRestartAfter: "250 millis", restartAtMost: "2 seconds" })

/** Runs the matches that the cluster assigns to this process. Each of the other jobs runs in one process of the cluster. */
export const PlacedMatches = Layer.mergeAll(
  placementLayer(liveGames),
  onceInCluster("lost matches", LostMatches.layer(liveGames)),
  onceInCluster("unstarted matches", UnstartedMatches.layer(liveGames)),
  onceInCluster("parked results", ParkedResults.layer(liveGames)),
  onceInCluster("archivers", Archivers),
  onceInCluster("tournament events", ArchiveAnnouncements),
  onceInCluster("archive upkeep", Upkeep),
).pipe(Layer.provide(WebhookOutbox.layer), Layer.provide(MatchCheckpoints.layer), Layer.provide(ClusterSettings))
