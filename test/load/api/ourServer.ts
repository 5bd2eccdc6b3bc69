// Owns how our server is started for a measurement, and how the statements behind addresses are requested.
import type { ChildProcess } from "node:child_process"
import { nodeFlags } from "../../../infra/nodeFlags.mjs"
import { ask, receive, start, stop } from "../lib/child.ts"
import type { FullDatabase } from "./database.ts"
import type { Flags } from "./flags.ts"
import type { Address, Listening, ServerOptions, ServerQuestion, Statements } from "./orders.ts"

const START_MS = 120_000

/** Flags that the server depends on. */
type ServerFlags = Pick<Flags, "kept" | "metering" | "pool" | "profile" | "seed">

export const ourServer = ({ directory, url }: FullDatabase, flags: ServerFlags, records = false): ChildProcess => {
  const { kept, metering, pool, profile, seed } = flags
  const options: ServerOptions = { databaseUrl: url, directory, kept, metering, maxConnections: pool, seed, records }
  const profiled = profile === undefined || records ? [] : ["--cpu-prof", "--cpu-prof-dir", profile]
  return start(new URL("server.ts", import.meta.url), [JSON.stringify(options)], [...nodeFlags, ...profiled])
}

/** Records the statements on a separate server, so that recording is not measured. */
export const statementsOf = async (addresses: ReadonlyArray<Address>, database: FullDatabase, flags: Flags): Promise<Statements> => {
  const child = ourServer(database, flags, true)
  try {
    await receive<Listening>(child, START_MS)
    return await ask<ServerQuestion, Statements>(child, { ask: "statements", paths: addresses.map(({ path }) => path) }, START_MS)
  } finally {
    await stop(child)
  }
}
