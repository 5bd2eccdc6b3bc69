/** Every setting has a default that works on a new machine. */
import { logParsers, matchParsers, optionalServerParsers, simulationParsers } from "@matchpoint/process/settings/parsers"
import { readSettings, type SettingValues } from "@matchpoint/process/settings/readSettings"
import { token } from "@matchpoint/process/settings/values"
import { gatewayParsers } from "@matchpoint/service-gateway/process/gatewaySettings"
import { transcriberConfigs } from "@matchpoint/service-transcripts/TranscriberConfig"
import { Config, Context, Effect, Layer, Option } from "effect"

export const DEFAULT_SIMULATED_MATCHES = 4

const parsers = {
  ...gatewayParsers,
  ...optionalServerParsers,
  ...logParsers,
  ...matchParsers,
  ...transcriberConfigs,
  dataDirectory: Config.NonEmptyString("MATCHPOINT_DATA_DIRECTORY").pipe(Config.withDefault(".data")),
  ...simulationParsers,
  feedToken: Config.option(token("MATCHPOINT_FEED_TOKEN")),
}

/** The catalog of settings documents each. */
export interface StandaloneSettings extends Omit<SettingValues<typeof parsers>, "simulatedMatches"> {
  /** Default: 4 with the embedded database, 0 with a PostgreSQL database. */
  readonly simulatedMatches: number
}

export class StandaloneConfig extends Context.Service<StandaloneConfig, StandaloneSettings>()(
  "@matchpoint/service-standalone/StandaloneConfig",
) {
  /** Fails with a single error that lists all problems. */
  static readonly layer = Layer.effect(
    StandaloneConfig,
    Effect.gen(function* () {
      const { simulatedMatches, ...values } = yield* readSettings(parsers)
      return {
        ...values,
        // A PostgreSQL database contains real data, so it gets simulated matches only if they are configured.
        simulatedMatches: Option.getOrElse(simulatedMatches, () => (Option.isSome(values.databaseUrl) ? 0 : DEFAULT_SIMULATED_MATCHES)),
      }
    }),
  )
}
