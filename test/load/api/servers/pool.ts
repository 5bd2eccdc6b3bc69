// Owns how a peer serves an address: it runs the same statements that our server sends for it, on a plain pool, and
// returns their rows as JSON.
import { createHash } from "node:crypto"
import { plannerSettings } from "@matchpoint/store/database/plannerSettings"
import pg from "pg"
import type { PeerOptions, SentStatement, Statements } from "../orders.ts"

const options: PeerOptions = JSON.parse(process.argv[2] ?? "")

const pool = new pg.Pool({
  connectionString: options.databaseUrl,
  max: options.maxConnections,
  application_name: "matchpoint peer",
  // The same settings as our server.
  options: Object.entries(plannerSettings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(" "),
})

/** Name of a statement. Statements are prepared once per session, as on our server. */
const nameOf = (text: string): string => createHash("sha1").update(text).digest("hex")

const names = new Map<string, string>()

const run = async ({ text, values }: SentStatement): Promise<ReadonlyArray<{ readonly row?: unknown }>> => {
  const name = names.get(text) ?? nameOf(text)
  names.set(text, name)
  const { rows } = await pool.query({ name, text, values: [...values] })
  return rows
}

let known: Statements = {}

/** Undefined: not an address of this measurement. */
export const answer = async (path: string): Promise<object | undefined> => {
  const statements = known[path]
  if (statements === undefined) return undefined
  const answers: Array<ReadonlyArray<{ readonly row?: unknown }>> = []
  for (const statement of statements) answers.push(await run(statement))
  // A list also has a count statement. Only its rows are returned.
  const rows = (answers.findLast((found) => found.some(({ row }) => row !== undefined)) ?? []).map(({ row }) => row)
  return { success: true, data: rows.length === 1 ? rows[0] : rows, meta: {} }
}

/** Receives its statements, reports its port, and ends with its parent. */
export const peer = (listen: () => Promise<number>): void => {
  process.on("message", (message: Statements | { readonly ask: "counters" }) => {
    if ("ask" in message) {
      const { system, user } = process.cpuUsage()
      process.send?.({ cpuUs: user + system, databaseCpuUs: null })
      return
    }
    known = message
    void listen().then((port) => process.send?.({ port }))
  })
  process.on("disconnect", () => process.exit(0))
}
