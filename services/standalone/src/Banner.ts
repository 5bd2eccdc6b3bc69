/** What a newcomer needs to know, said once everything answers. */
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Console, Effect, Layer, Option } from "effect"
import { devFeedToken, devKey, devPlans, registerDevKeys } from "./devKeys.ts"
import { StandaloneConfig } from "./StandaloneConfig.ts"

export const Banner = Layer.effectDiscard(
  Effect.gen(function* () {
    const config = yield* StandaloneConfig
    const { address } = yield* UwsServer
    const url = Option.getOrElse(
      config.publicUrl,
      () => `http://${config.host === "127.0.0.1" ? "localhost" : config.host}:${address.port}`,
    )
    const embedded = Option.isNone(config.databaseUrl)
    if (embedded) yield* registerDevKeys
    const lines = [
      "",
      "  Matchpoint is running",
      "",
      `  Live page    ${url}/`,
      `  API          ${url}/api/v1/cs2/live`,
      `  Docs         ${url}/docs   OpenAPI ${url}/openapi.json   AsyncAPI ${url}/asyncapi.json`,
      "",
      ...(embedded
        ? [
            "  Keys for development, one per plan (header x-api-key):",
            `    ${devPlans.slice(0, 3).map(devKey).join("   ")}`,
            `    ${devPlans.slice(3).map(devKey).join("   ")}`,
            ...(Option.isNone(config.feedToken) ? [`  Feed token   ${devFeedToken}`] : []),
            "",
            `  Try          curl -H 'x-api-key: ${devKey("pro")}' ${url}/api/v1/cs2/live`,
          ]
        : ["  Keys are those of the database; none are made here."]),
      "",
      "  Ctrl-C stops it; matches go on from where they were at the next start.",
      "",
    ]
    yield* Console.log(lines.join("\n"))
  }),
)
