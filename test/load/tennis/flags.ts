// Owns the flags of the tennis benchmark and their defaults.
import { parseArgs } from "node:util"
import { helpIfAsked } from "../lib/help.ts"
import { classes } from "./classes.ts"

export interface Flags {
  readonly imports: boolean
  readonly embedded: boolean
  readonly rows: number
  readonly data: string | undefined
  /** Server on which the database of the import is created. */
  readonly postgres: string
  /** Database whose endpoints are measured. Undefined: the one into which rows were imported. */
  readonly database: string | undefined
  /** Names of measured classes. */
  readonly classes: ReadonlyArray<string>
  readonly connections: number
  readonly seconds: number
  readonly addresses: number
  readonly seed: number
  readonly json: boolean
}

const usage = `npm run bench -- tennis [flags]
  --database <url>     PostgreSQL with an imported archive, whose endpoints are measured; default DATABASE_URL;
                       without it, the endpoints of the rows that the import has written
  --postgres <url>     server on which a database for the import is created and dropped; default: that of --database,
                       else postgres://postgres@127.0.0.1:5432/postgres
  --import on|off      default on
  --embedded on|off    whether the import into the embedded database is measured too, default on
  --rows <n>           generated match rows for the import, default 200000
  --data <folder>      imports this archive instead of generated rows
  --only <list>        endpoint classes, or none; some of: ${classes.map(({ name }) => name).join(", ")}
  --connections <n>    keep-alive connections, each with one request in flight, default 32
  --seconds <n>        per class and response cache, default 3
  --addresses <n>      different addresses per class, default 400
  --seed <n>           seed of the rows and requests, default 1
  --json               JSON instead of tables`

export const readFlags = (args: ReadonlyArray<string>): Flags => {
  helpIfAsked(usage, args)
  const { values } = parseArgs({
    args: [...args],
    options: {
      database: { type: "string", default: process.env.DATABASE_URL },
      postgres: { type: "string" },
      import: { type: "string", default: "on" },
      embedded: { type: "string", default: "on" },
      rows: { type: "string", default: "200000" },
      data: { type: "string" },
      only: { type: "string" },
      connections: { type: "string", default: "32" },
      seconds: { type: "string", default: "3" },
      addresses: { type: "string", default: "400" },
      seed: { type: "string", default: "1" },
      json: { type: "boolean", default: false },
    },
  })
  return {
    imports: values.import !== "off",
    embedded: values.embedded !== "off",
    rows: within(values.rows, 1_000, 10_000_000),
    data: values.data,
    postgres: values.postgres ?? values.database ?? "postgres://postgres@127.0.0.1:5432/postgres",
    database: values.database,
    classes: named(values.only),
    connections: within(values.connections, 1, 1_000),
    seconds: within(values.seconds, 0.5, 300),
    addresses: within(values.addresses, 10, 10_000),
    seed: within(values.seed, 0, 1e9),
    json: values.json,
  }
}

const named = (only: string | undefined): ReadonlyArray<string> => {
  if (only === "none") return []
  const known = classes.map(({ name }) => name)
  const asked = only?.split(",").map((name) => name.trim()) ?? known
  const unknown = asked.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`Unknown class "${unknown}".\n${usage}`)
  return asked
}

const within = (text: string, least: number, most: number): number => {
  const value = Number(text)
  if (!(value >= least && value <= most)) throw new Error(usage)
  return value
}
