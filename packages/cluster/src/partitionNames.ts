/**
 * Names of the partitions in effect's cluster, which computes the shard of a name with a hash. These names give every
 * shard the same number of partitions, so every process gets about the same number. A singleton and an entity with the
 * same name are in the same process.
 */
import { PARTITIONS } from "@matchpoint/contracts/bus/subjects"
import { EntityId, type Sharding } from "effect/cluster"

/**
 * Fewer than partitions, because a process that leaves releases its shards one by one, with two statements each, and
 * must be done before its locks expire. More than 32 match processes need more shards.
 */
export const SHARDS = 32

export const partitionNames = ({ getShardId }: Pick<Sharding.Sharding["Service"], "getShardId">): ReadonlyArray<string> =>
  Array.from({ length: PARTITIONS }, (_, partition) => {
    for (let attempt = 0; ; attempt++) {
      const name = `partition-${partition}-${attempt}`
      if (getShardId(EntityId.make(name), "default").id === (partition % SHARDS) + 1) return name
    }
  })
