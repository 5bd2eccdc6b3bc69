// Owns the gateway processes of the reconnect benchmark, and the keys in their database.
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { setTimeout as delay } from "node:timers/promises"
import { digest } from "@matchpoint/store/keys/ApiKeys"
import { findFreePort } from "@matchpoint/testing/freePorts"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { bundled } from "../../../infra/bundle.mjs"
import { keyOf } from "./orders.ts"

const main = await bundled("services/gateway/src/main.ts")
const START_WITHIN_MS = 60_000

/** Creates one account per key, with a plan that has WebSockets. */
export const createKeys = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  const hashes = Array.from({ length: count }, (_, index) => Buffer.from(digest(Redacted.make(keyOf(index)))).toString("hex"))
  yield* sql`
    WITH key AS (
      SELECT hash, gen_random_uuid() AS account_id FROM unnest(${hashes}::text[]) AS wanted (hash)
    ), account AS (
      INSERT INTO accounts (account_id, name, plan, requests_per_month, requests_per_second, add_ons)
      SELECT account_id, 'bench', 'scale', 50000000, 500, '{}' FROM key
    )
    INSERT INTO api_keys (key_id, account_id, prefix, hash, label)
    SELECT gen_random_uuid(), account_id, 'mp_bench', decode(hash, 'hex'), 'bench' FROM key`
})

export interface Gateway {
  readonly child: ChildProcess
  readonly port: number
}

/** Linux counts the CPU time of processes in hundredths of a second. */
const TICKS_PER_SECOND = 100

/** CPU seconds that a gateway has used so far. */
export const cpuSecondsOf = ({ child }: Gateway): number => {
  const fields = readFileSync(`/proc/${child.pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Starts a gateway with an empty cache and waits until it accepts requests. */
export const startGateway = async (env: Readonly<Record<string, string>>): Promise<Gateway> => {
  const port = await findFreePort()
  const child = spawn(process.execPath, [main], { env: { ...env, PORT: String(port), HOST: "127.0.0.1" }, stdio: "ignore" })
  const until = performance.now() + START_WITHIN_MS
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error(`A gateway exited with code ${child.exitCode}`)
    const isUp = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(1_000) }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return { child, port }
    await delay(100)
  }
  child.kill("SIGKILL")
  throw new Error("A gateway did not start")
}
