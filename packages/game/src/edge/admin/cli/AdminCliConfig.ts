/** For `npm run admin`. The token comes from the environment: the process list would show one on the command line. */
import { adminSettings, listenSettings } from "@matchpoint/process/settings/catalog"
import { Config, Effect, Option, Redacted } from "effect"
import { AdminCliError } from "./AdminCliError.ts"

/** Default admin token of a standalone server with the embedded database. */
const devAdminToken = Redacted.make("mp_dev_admin")

/** Address of the server on this machine. In a container, the settings are those of its process. */
export const ownUrl = Effect.map(
  Effect.orDie(Config.all([adminSettings.adminPort, listenSettings.port])),
  ([adminPort, port]) => `http://localhost:${Option.getOrElse(adminPort, () => port)}`,
)

/** If MATCHPOINT_ADMIN_TOKEN is not set, returns the development token for a server on this machine and fails for any other. */
export const adminToken = Effect.fn("adminToken")(function* (url: string) {
  const configured = yield* Effect.orDie(Config.option(Config.Redacted("MATCHPOINT_ADMIN_TOKEN")))
  if (Option.isSome(configured)) return configured.value
  if (isLoopback(new URL(url).hostname)) return devAdminToken
  return yield* new AdminCliError({ message: `set MATCHPOINT_ADMIN_TOKEN to the admin token of ${url}` })
})

const isLoopback = (hostname: string): boolean => hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.")
