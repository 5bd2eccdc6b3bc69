/**
 * Live matches as a process of their own, on PostgreSQL and NATS: a member of the cluster over which the matches are
 * distributed, with the intake of its matches. Jobs that exist once, such as archivers, simulators and the recording of
 * odds, run in one of the members.
 */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Rejections } from "@matchpoint/bus/Rejections"
import { memberLayer } from "@matchpoint/cluster/Cluster"
import { onceInCluster } from "@matchpoint/cluster/onceInCluster"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { RecordedOdds } from "@matchpoint/games/odds"
import { postgresStore } from "@matchpoint/games/postgresStore"
import { SimulatedGames } from "@matchpoint/games/simulatedGames"
import { Drain } from "@matchpoint/process/Drain"
import { databaseCheck } from "@matchpoint/process/health/databaseCheck"
import { Health } from "@matchpoint/process/health/Health"
import { LogReach } from "@matchpoint/process/health/LogReach"
import { logChecks } from "@matchpoint/process/health/logChecks"
import { logOutput } from "@matchpoint/process/logging/LogOutput"
import { plainOperatorListener } from "@matchpoint/process/OperatorListener"
import { StartListener } from "@matchpoint/process/StartListener"
import { natsLog } from "@matchpoint/process/servers/natsLog"
import {
  clusterSettings,
  databaseSettings,
  logSettings,
  matchSettings,
  natsSettings,
  ownAdminSettings,
  simulationSettings,
  traceSettings,
} from "@matchpoint/process/settings/catalog"
import { readSettings, type SettingValues } from "@matchpoint/process/settings/readSettings"
import { tracing } from "@matchpoint/process/tracing/tracing"
import { DeliveredFacts } from "@matchpoint/service-feed/intake/DeliveredFacts"
import { forwardedIntake } from "@matchpoint/service-feed/intakeRoutes"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { PlacedMatches } from "./matchLayers.ts"
import { lagCheck } from "./placement/lagCheck.ts"
import { PartitionHost } from "./placement/PartitionHost.ts"

const parsers = {
  ...ownAdminSettings,
  ...clusterSettings,
  ...databaseSettings,
  ...matchSettings,
  ...natsSettings,
  ...simulationSettings,
  ...logSettings,
  ...traceSettings,
}

class MatchProcessConfig extends Context.Service<MatchProcessConfig, SettingValues<typeof parsers>>()(
  "@matchpoint/service-match/MatchProcess/MatchProcessConfig",
) {
  static readonly layer = Layer.effect(MatchProcessConfig, readSettings(parsers))
}

const checks = Effect.gen(function* () {
  const { bus, log } = yield* logChecks
  return [log, yield* databaseCheck, bus, yield* lagCheck]
})

const Operators = Layer.unwrap(
  Effect.map(MatchProcessConfig, ({ adminHost, adminPort }) => plainOperatorListener({ host: adminHost, port: adminPort })),
).pipe(Layer.provide(Health.layer(checks)))

const Store = Layer.unwrap(Effect.map(MatchProcessConfig, postgresStore))
const Log = Rejections.layer.pipe(Layer.provideMerge(Layer.unwrap(Effect.map(MatchProcessConfig, natsLog))))
const Logging = Layer.unwrap(Effect.map(MatchProcessConfig, logOutput))
const Starting = Layer.unwrap(Effect.map(MatchProcessConfig, StartListener.layer))
const Tracing = Layer.unwrap(Effect.map(MatchProcessConfig, (settings) => tracing("match", settings)))

/** Matches are simulated only if configured, because the database may contain real data. */
const Simulation = Layer.unwrap(
  Effect.map(MatchProcessConfig, ({ simulatedMatches, simulationSpeed }) => {
    const matches = Option.getOrElse(simulatedMatches, () => 0)
    return matches === 0
      ? Layer.empty
      : onceInCluster("simulated matches", Layer.effectDiscard(Layer.build(SimulatedGames.layer({ matches, speed: simulationSpeed }))))
  }),
)

const MatchLimits = Layer.unwrap(
  Effect.map(MatchProcessConfig, ({ unstartedDays }) => MatchConfig.layerWith({ unstartedAfter: Duration.days(unstartedDays) })),
)

const Odds = onceInCluster("odds", RecordedOdds)

/**
 * Without the log, a process can neither read facts nor publish changes. It leaves the cluster, so that others run its
 * matches.
 */
const Member = Layer.unwrap(
  Effect.gen(function* () {
    const { clusterHost, clusterPort, databasePooler } = yield* MatchProcessConfig
    const { isCutOff } = yield* LogReach
    return memberLayer({
      host: clusterHost,
      port: clusterPort,
      pooler: databasePooler === "transaction",
      canWork: () => !isCutOff(),
    })
  }),
)

const Intake = forwardedIntake.pipe(
  Layer.provide(
    Layer.effect(
      DeliveredFacts,
      Effect.map(PartitionHost, ({ deliveredAfter }) => ({ after: deliveredAfter })),
    ),
  ),
)

/** At the end of the scope, the matches save their checkpoints and move to the other members of the cluster. */
export const MatchProcess = Drain.onStop.pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      Layer.mergeAll(Intake, Operators).pipe(Layer.provideMerge(PlacedMatches.pipe(Layer.provide(MatchLimits)))),
      Simulation,
      Odds,
    ),
  ),
  Layer.provide([Drain.layer(0), Member]),
  Layer.provide(LogReach.layer("match")),
  Layer.provide([Log, Store]),
  Layer.provide(Starting),
  Layer.provide(NodeHttpServer.layerHttpServices),
  Layer.provide(Tracing),
  Layer.provide(Logging),
  Layer.provide(MatchProcessConfig.layer),
)
