/** The data directory has enough free space. Not needed if both the log and the database are external servers. */
import { statfs } from "node:fs/promises"
import { type Check, degraded, failed, ok } from "@matchpoint/process/health/Check"
import { Effect, Option, Schema } from "effect"
import { StandaloneConfig } from "../StandaloneConfig.ts"

class DiskUnreadable extends Schema.TaggedError<DiskUnreadable>()("DiskUnreadable", { message: Schema.String }) {}

const MB = 1024 * 1024

/** With less free space, the embedded log cannot create its next file. */
const NEEDED_BYTES = 32 * MB
/** With less free space, an operator should free some. The embedded log uses up to about 250 MB. */
const WANTED_BYTES = 512 * MB

export const diskCheck = Effect.map(StandaloneConfig, ({ dataDirectory, databaseUrl, natsUrl }): Check => {
  if (Option.isSome(databaseUrl) && Option.isSome(natsUrl)) {
    return { name: "disk", find: Effect.succeed(ok("not used, because the log and the database are on servers")) }
  }
  const find = Effect.map(
    Effect.tryPromise({
      try: () => statfs(dataDirectory),
      catch: (cause) => new DiskUnreadable({ message: `the data directory ${dataDirectory} cannot be read: ${String(cause)}` }),
    }),
    ({ bavail, bsize }) => {
      const free = bavail * bsize
      const found = `${Math.floor(free / MB)} MB free for ${dataDirectory}`
      if (free < NEEDED_BYTES) return failed(`${found}, less than ${NEEDED_BYTES / MB} MB: free some space`)
      return free < WANTED_BYTES ? degraded(`${found}, less than ${WANTED_BYTES / MB} MB`) : ok(found)
    },
  )
  return { name: "disk", find }
})
