/**
 * Start message with the addresses, keys and tokens that a new user needs. Printed once the server answers requests.
 */
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Console, Effect, Layer, Option } from "effect"
import { devAdminToken, devFeedToken, devKey, devPlans, registerDevKeys } from "./devKeys.ts"
import { isFeedOff } from "./feeds.ts"
import { StandaloneConfig, type StandaloneSettings } from "./StandaloneConfig.ts"

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
            "  Keys for development, one per plan (header x-api-key):",
            `    ${devPlans.slice(0, 3).map(devKey).join("   ")}`,
            `    ${devPlans.slice(3).map(devKey).join("   ")}`,
            ...(Option.isNone(config.feedToken) ? [`  Feed token   ${devFeedToken}`] : []),
            ...(Option.isNone(config.adminToken) ? [`  Admin token  ${devAdminToken}`] : []),
            "",
            `  Try          curl -H 'x-api-key: ${devKey("pro")}' ${url}/api/v1/cs2/live`,
          ]
        : ["  Keys are those of the database; none are made here."]),
      ...adminLines(config, url),
      ...(isFeedOff(config) ? ["  Feed         off; MATCHPOINT_FEED_TOKEN turns it on"] : []),
      "",
      "  Ctrl-C stops it; matches go on from where they were at the next start.",
      "",
    ]
    yield* Console.log(lines.join("\n"))
  }),
)

const adminLines = ({ adminHost, adminPort, adminToken, databaseUrl }: StandaloneSettings, mainUrl: string): ReadonlyArray<string> => {
  const url = Option.match(adminPort, { onNone: () => mainUrl, onSome: (port) => `http://${adminHost}:${port}` })
  if (Option.isNone(adminToken) && Option.isSome(databaseUrl)) {
    return ["  Admin        off; MATCHPOINT_ADMIN_TOKEN turns it on"]
  }
  const where = new URL(url).host === "localhost:8080" ? "" : ` --url ${url}`
  return [`  Admin        npm run admin -- keys create --plan pro --label desk${where}`]
}

const openToOthers = ({ host }: StandaloneSettings): ReadonlyArray<string> => [
  "",
  `  WARNING: HOST=${host} lets other machines in, and the keys and tokens for development are known to everyone.`,
  "  Set DATABASE_URL to a PostgreSQL of your own: then there are none. Else revoke the keys (npm run admin -- keys revoke ...)",
  "  and set MATCHPOINT_ADMIN_TOKEN and MATCHPOINT_FEED_TOKEN.",
]

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || host.startsWith("127.")
