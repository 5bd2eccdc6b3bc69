/** What `npm run admin` takes from the environment: the admin token. A token on the command line would stand in every list of processes. */
import { Config, Effect, Option, Redacted } from "effect"
import { AdminCliError } from "./AdminCliError.ts"

/** Of a standalone server on the embedded database. */
const devAdminToken = Redacted.make("mp_dev_admin")

/** MATCHPOINT_ADMIN_TOKEN; without it the token for development, which is sent to no other machine. */
export const adminToken = Effect.fn("adminToken")(function* (url: string) {
  const configured = yield* Effect.orDie(Config.option(Config.Redacted("MATCHPOINT_ADMIN_TOKEN")))
  if (Option.isSome(configured)) return configured.value
  if (isLoopback(new URL(url).hostname)) return devAdminToken
  return yield* new AdminCliError({ message: `set MATCHPOINT_ADMIN_TOKEN to the admin token of ${url}` })
})

const isLoopback = (hostname: string): boolean => hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.")
