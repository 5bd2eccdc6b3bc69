/** Settings of the standalone process. Every setting has a default that works on a new machine. */
import {
  databaseSettings,
  dataSettings,
  logSettings,
  matchSettings,
  natsSettings,
  simulationSettings,
  tokenSettings,
} from "@matchpoint/process/settings/catalog"
import { readSettings, type SettingValues } from "@matchpoint/process/settings/readSettings"
import { gatewayParsers } from "@matchpoint/service-gateway/process/gatewaySettings"
import { transcriberConfigs } from "@matchpoint/service-transcripts/TranscriberConfig"
import { Config, Context, Effect, Layer, Option } from "effect"

export const DEFAULT_SIMULATED_MATCHES = 4

const parsers = {
  ...gatewayParsers,
  ...databaseSettings,
  databaseUrl: Config.option(databaseSettings.databaseUrl),
  ...natsSettings,
  natsUrl: Config.option(natsSettings.natsUrl),
  ...logSettings,
  ...matchSettings,
  ...transcriberConfigs,
  ...dataSettings,
  ...simulationSettings,
  feedToken: Config.option(tokenSettings.feedToken),
}

/** Values of the settings. The catalog of settings documents each. */
export interface StandaloneSettings extends Omit<SettingValues<typeof parsers>, "simulatedMatches"> {
  /** Number of simulated matches. The default is 4 with the embedded database and 0 with a PostgreSQL database. */
  readonly simulatedMatches: number
}

export class StandaloneConfig extends Context.Service<StandaloneConfig, StandaloneSettings>()(
  "@matchpoint/service-standalone/StandaloneConfig",
) {
  /** Provides the settings. If any of them are invalid, fails with a single error that lists all problems. */
  static readonly layer = Layer.effect(
    StandaloneConfig,
    Effect.gen(function* () {
      const { simulatedMatches, ...values } = yield* readSettings(parsers)
      return {
        ...values,
        // Simulated matches are added to a PostgreSQL database only if they are configured, because such a database
        // contains real data.
        simulatedMatches: Option.getOrElse(simulatedMatches, () => (Option.isSome(values.databaseUrl) ? 0 : DEFAULT_SIMULATED_MATCHES)),
      }
    }),
  )
}
