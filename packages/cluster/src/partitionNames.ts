/**
 * Names of the partitions in effect's cluster. The cluster assigns shards to processes and computes the shard of a name with
 * a hash. These names are chosen so that each partition has a shard of its own: then every process gets the same number
 * of partitions, one more or less. A singleton and an entity with the same name are in the same process.
 */
import { PARTITIONS } from "@matchpoint/contracts/bus/subjects"
import { EntityId, type Sharding } from "effect/cluster"

/** Returns the names of all partitions, in order. */
export const partitionNames = ({ getShardId }: Pick<Sharding.Sharding["Service"], "getShardId">): ReadonlyArray<string> =>
  Array.from({ length: PARTITIONS }, (_, partition) => {
    for (let attempt = 0; ; attempt++) {
      const name = `partition-${partition}-${attempt}`
      if (getShardId(EntityId.make(name), "default").id === partition + 1) return name
    }
  })
