/**
 * Membership in the cluster of match processes. PostgreSQL keeps the members and the owners of the shards, and its
 * clock alone decides when a member counts as dead. Messages between processes go over TCP directly and are not stored:
 * senders repeat them.
 */
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import { Context, Effect, Layer, Option } from "effect"
import { MessageStorage, RunnerAddress, RunnerStorage, ShardingConfig, SqlRunnerStorage } from "effect/cluster"
import { Departures } from "./Departures.ts"
import { Ownership } from "./Ownership.ts"
import { SHARDS } from "./partitionNames.ts"
import { EXPIRES_AFTER_MS, patientStorage } from "./patientStorage.ts"
import { watchPeers } from "./peerWatch.ts"
import { recentMembers } from "./recentMembers.ts"
import { schedulingDelay } from "./schedulingDelay.ts"

/** Prefix of the tables of effect's cluster. */
const TABLES = "matchpoint_cluster"

/**
 * A member confirms its ownership every 300 ms and counts as dead after `EXPIRES_AFTER_MS`. The database releases its
 * locks a little earlier, so that a new owner finds them free. Behind a pooler, locks are rows whose times effect
 * compares in whole seconds, and they are free after two. Others notice a departure within another 100 ms.
 */
const timing = {
  shardsPerGroup: SHARDS,
  shardLockExpiration: `${EXPIRES_AFTER_MS - 100} millis`,
  shardLockRefreshInterval: "300 millis",
  refreshAssignmentsInterval: "100 millis",
  entityMessagePollInterval: "500 millis",
  sendRetryInterval: "50 millis",
  simulateRemoteSerialization: false,
} satisfies Partial<ShardingConfig.ShardingConfig["Service"]>

/** Longest time by which a process that is late waits longer for the reports of others. */
const LATE_AT_MOST_MS = 3_000

/** The largest message is a request of a feed, whose body may have 2 MB. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024

export interface ClusterAddress {
  /** Address at which the other processes of the cluster reach this one. */
  readonly host: string
  readonly port: number
}

export interface MemberOptions extends ClusterAddress {
  /**
   * True for a pooler that gives each transaction another session. Ownership is then kept in rows with a time limit
   * instead of session locks. A killed process is replaced as fast as before.
   */
  readonly pooler?: boolean | undefined
  /** True while this process can run matches. Otherwise it leaves the cluster until it can. */
  readonly canWork?: (() => boolean) | undefined
}

const storageLayer = ({ canWork, self }: { readonly canWork?: (() => boolean) | undefined; readonly self?: RunnerAddress.RunnerAddress }) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const delayMs = yield* schedulingDelay
      // A process that is late also reads the reports of others late, above all on a shared machine.
      const withinMs = () => EXPIRES_AFTER_MS + Math.min(delayMs(), LATE_AT_MOST_MS)
      const getRunners = yield* recentMembers({ tables: TABLES, withinMs })
      const database = { ...(yield* RunnerStorage.RunnerStorage), getRunners }
      const { isConfirmed, members, nextDeparture, storage } = yield* patientStorage(database, canWork, delayMs)
      if (self !== undefined) yield* Effect.forkScoped(watchPeers({ self, members, remove: storage.unregister }))
      return Context.make(RunnerStorage.RunnerStorage, storage).pipe(
        Context.add(Ownership, { isConfirmed }),
        Context.add(Departures, { next: nextDeparture }),
      )
    }),
  ).pipe(Layer.provide(Layer.orDie(SqlRunnerStorage.layerWith({ prefix: TABLES }))), Layer.merge(MessageStorage.layerNoop))

/** Makes this process a member: it gets shards, runs singletons and receives messages. */
export const memberLayer = ({ canWork, host, pooler, port }: MemberOptions) => {
  const self = RunnerAddress.make(host, port)
  return clusterOf(storageLayer({ canWork, self }), false, {
    ...timing,
    shardLockDisableAdvisory: pooler === true,
    runnerAddress: Option.some(self),
    runnerListenAddress: Option.some(self),
  })
}

/** Lets this process send messages to the members. */
export const clientLayer = ({ pooler }: Pick<MemberOptions, "pooler">) =>
  clusterOf(storageLayer({}), true, {
    ...timing,
    shardLockDisableAdvisory: pooler === true,
    runnerAddress: Option.none(),
    runnerListenAddress: Option.none(),
  })

const clusterOf = (
  storage: ReturnType<typeof storageLayer>,
  clientOnly: boolean,
  shardingConfig: Partial<ShardingConfig.ShardingConfig["Service"]>,
) =>
  NodeClusterSocket.layer({
    clientOnly,
    storage: "byo",
    runnerHealth: "ping",
    serializationMaxBufferSize: MAX_MESSAGE_BYTES,
    shardingConfig,
  }).pipe(Layer.provideMerge(storage.pipe(Layer.provide(ShardingConfig.layer(shardingConfig)))))
