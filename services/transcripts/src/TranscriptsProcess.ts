/** A transcript worker as a process of its own, on PostgreSQL alone: jobs are rows. Any number may run. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { postgresStore } from "@matchpoint/games/postgresStore"
import { Drain } from "@matchpoint/process/Drain"
import { databaseCheck } from "@matchpoint/process/health/databaseCheck"
import { Health } from "@matchpoint/process/health/Health"
import { logOutput } from "@matchpoint/process/logging/LogOutput"
import { plainOperatorListener } from "@matchpoint/process/OperatorListener"
import { StartListener } from "@matchpoint/process/StartListener"
import { databaseSettings, logSettings, ownAdminSettings, transcriptSettings } from "@matchpoint/process/settings/catalog"
import { readSettings, type SettingValues } from "@matchpoint/process/settings/readSettings"
import { Context, Effect, Layer, Option } from "effect"
import { TranscriptUpkeep } from "./jobs/TranscriptUpkeep.ts"
import { TranscriptWorker } from "./jobs/TranscriptWorker.ts"
import { settingsOf, TranscriberConfig, transcriberConfigs } from "./TranscriberConfig.ts"
import * as TranscriberLayer from "./TranscriberLayer.ts"

/** A worker without weights could not make any transcript. */
const parsers = {
  ...ownAdminSettings,
  ...databaseSettings,
  ...logSettings,
  ...transcriberConfigs,
  transcriptsWeights: transcriptSettings.transcriptsWeights,
}

class TranscriptsProcessConfig extends Context.Service<TranscriptsProcessConfig, SettingValues<typeof parsers>>()(
  "@matchpoint/service-transcripts/TranscriptsProcess/TranscriptsProcessConfig",
) {
  static readonly layer = Layer.effect(TranscriptsProcessConfig, readSettings(parsers))
}

const Settings = Layer.effect(
  TranscriberConfig,
  Effect.map(TranscriptsProcessConfig, ({ transcriptsWeights, ...settings }) =>
    settingsOf({ ...settings, transcriptsWeights: Option.some(transcriptsWeights) }),
  ),
)

const Operators = Layer.unwrap(
  Effect.map(TranscriptsProcessConfig, ({ adminHost, adminPort }) => plainOperatorListener({ host: adminHost, port: adminPort })),
).pipe(Layer.provide(Health.layer(Effect.map(databaseCheck, (check) => [check]))))

const Store = Layer.unwrap(Effect.map(TranscriptsProcessConfig, postgresStore))
const Logging = Layer.unwrap(Effect.map(TranscriptsProcessConfig, logOutput))
const Starting = Layer.unwrap(Effect.map(TranscriptsProcessConfig, StartListener.layer))

/** A job that is interrupted is claimed again when its lease ends. */
export const TranscriptsProcess = Drain.onStop.pipe(
  Layer.provideMerge(Layer.mergeAll(TranscriptWorker.layer, TranscriptUpkeep.layer, Operators)),
  Layer.provide(TranscriberLayer.layer.pipe(Layer.provide(Settings))),
  Layer.provide(Drain.layer(0)),
  Layer.provide(Store),
  Layer.provide(Starting),
  Layer.provide(NodeHttpServer.layerHttpServices),
  Layer.provide(Logging),
  Layer.provide(TranscriptsProcessConfig.layer),
)
