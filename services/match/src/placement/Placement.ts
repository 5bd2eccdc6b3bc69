/**
 * Distributes the matches over the processes of a cluster. Each of the 64 partitions is a singleton of effect's
 * cluster, which one process at a time runs. The cluster keeps the ownership in PostgreSQL, by the clock of the
 * database, and moves it when a process ends, dies, freezes or joins.
 */
import { partitionNames } from "@matchpoint/cluster/partitionNames"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import { Effect, Layer } from "effect"
import { Sharding } from "effect/cluster"
import { PartitionHost } from "./PartitionHost.ts"

export const placementLayer = (games: ReadonlyArray<LiveGame>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sharding = yield* Sharding.Sharding
      const host = yield* PartitionHost
      for (const [partition, name] of partitionNames(sharding).entries()) {
        yield* sharding.registerSingleton(name, host.own(partition))
      }
    }),
  ).pipe(Layer.provideMerge(PartitionHost.layer(games)))
