/** Printed as soon as the server answers requests: the addresses, keys and tokens that a new user needs. */
import { SampleArchives } from "@matchpoint/game/sample/SampleArchives"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Console, Effect, Layer, Option } from "effect"
import { devAdminToken, devFeedToken, devKey, devPlans } from "./devKeys.ts"
import { isFeedOff } from "./feeds.ts"
import { StandaloneConfig, type StandaloneSettings } from "./StandaloneConfig.ts"

export const Banner = Layer.effectDiscard(
  Effect.gen(function* () {
    const config = yield* StandaloneConfig
    const { address } = yield* UwsServer
    const unfinished = (yield* SampleArchives).unfinished()
    const url = Option.getOrElse(
      config.publicUrl,
      () => `http://${config.host === "127.0.0.1" ? "localhost" : config.host}:${address.port}`,
    )
    const embedded = Option.isNone(config.databaseUrl)
    // With JSON logs, stdout must contain only JSON.
    if (config.log === "json") return yield* Effect.logInfo("Matchpoint is running", { url })
    const lines = [
      ...(embedded && !isLoopback(config.host) ? openToOthers(config) : []),
      "",
      "  Matchpoint is running",
      "",
      `  Live page    ${url}/`,
      `  API          ${url}/api/v1/cs2/live`,
      `  Docs         ${url}/docs   OpenAPI ${url}/openapi.json   AsyncAPI ${url}/asyncapi.json`,
      "",
      ...(embedded
        ? [
            "  Development keys, one per plan (header x-api-key):",
            `    ${devPlans.slice(0, 3).map(devKey).join("   ")}`,
            `    ${devPlans.slice(3).map(devKey).join("   ")}`,
            ...(Option.isNone(config.feedToken) ? [`  Feed token   ${devFeedToken}`] : []),
            ...(Option.isNone(config.adminToken) ? [`  Admin token  ${devAdminToken}`] : []),
            "",
            `  Try          curl -H 'x-api-key: ${devKey("pro")}' ${url}/api/v1/cs2/live`,
          ]
        : ["  Keys         only those in the database"]),
      ...(unfinished.length === 0
        ? []
        : [
            "",
            `  Archives     are being written (${unfinished.join(", ")}). Until then, lists of past matches are empty or incomplete;`,
            "               the log shows the progress.",
          ]),
      ...adminLines(config, url),
      ...(isFeedOff(config) ? ["  Feed         off; set MATCHPOINT_FEED_TOKEN to turn it on"] : []),
      "",
      "  Press Ctrl-C to stop. At the next start, matches continue where they were.",
      "",
    ]
    yield* Console.log(lines.join("\n"))
  }),
)

const adminLines = ({ adminHost, adminPort, adminToken, databaseUrl }: StandaloneSettings, mainUrl: string): ReadonlyArray<string> => {
  const url = Option.match(adminPort, {
    onNone: () => mainUrl,
    onSome: (port) => `http://${adminHost}:${port === 0 ? "<port in the log>" : port}`,
  })
  if (Option.isNone(adminToken) && Option.isSome(databaseUrl)) {
    return ["  Admin        off; set MATCHPOINT_ADMIN_TOKEN to turn it on"]
  }
  const isDefault = Option.isNone(adminPort) && new URL(mainUrl).host === "localhost:8080"
  const where = isDefault ? "" : ` --url ${url}`
  return [`  Admin        npm run admin -- keys create --plan pro --label desk${where}`]
}

const openToOthers = ({ host }: StandaloneSettings): ReadonlyArray<string> => [
  "",
  `  WARNING: with HOST=${host}, other machines can connect, and the development keys and tokens are public.`,
  "  Set DATABASE_URL to a PostgreSQL database to run without them, or revoke the keys (npm run admin -- keys revoke ...)",
  "  and set MATCHPOINT_ADMIN_TOKEN and MATCHPOINT_FEED_TOKEN.",
]

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || host.startsWith("127.")
