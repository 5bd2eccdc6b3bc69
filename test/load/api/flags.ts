// Owns the flags of the archive API benchmark and their defaults.
import { parseArgs } from "node:util"
import { helpIfAsked } from "../lib/help.ts"
import { classes } from "./classes.ts"

export interface Flags {
  readonly database: string | undefined
  readonly postgres: string
  readonly data: string | undefined
  readonly embedded: boolean
  /** Names of classes. */
  readonly classes: ReadonlyArray<string>
  readonly mixed: boolean
  /** Names of classes that peers serve too. */
  readonly peers: ReadonlyArray<string>
  readonly rounds: number
  readonly connections: number
  readonly seconds: number
  readonly addresses: number
  readonly seed: number
  readonly metering: boolean
  /** Whether responses are cached for some seconds, as in production. */
  readonly kept: boolean
  readonly pool: number | undefined
  /** Maximum p99, ms. */
  readonly bar: number | undefined
  readonly calmShare: number | undefined
  readonly profile: string | undefined
  readonly json: boolean
}

export const usage = `npm run bench -- api [flags]
  --database <url>     PostgreSQL with all data imported; without it, --data is imported into a separate database, which is kept
  --data <folder>      recorded data, default MATCHPOINT_DATA, else ../shared/data
  --postgres <url>     server on which to create that database, default postgres://postgres@127.0.0.1:5432/postgres
  --embedded           the embedded database instead, imported into .data/bench-api
  --only <list>        some of: ${classes.map(({ name }) => name.replaceAll(",", "")).join(", ")}; and mixed
  --peers <list>       classes also served by fastify and node:http with a plain pg pool, or none; default one match,match lists
  --rounds <n>         rounds with the peers, in turns, default 3
  --connections <n>    keep-alive connections, each with one request in flight, default 32
  --seconds <n>        per class, default 4
  --addresses <n>      different addresses per class, default 400
  --seed <n>           seed of the requests, default 1
  --metering on|off    default on, as in production
  --kept on|off        whether responses are cached for ten seconds, default on, as in production
  --pool <n>           connections to PostgreSQL, default as in production
  --bar <ms>           exits with 1 if the p99 of a class is above it
  --calm <share>       waits, up to two minutes per class, until other processes use less than this share of a core
  --profile <dir>      writes a CPU profile of the server to this folder
  --json               JSON instead of tables`

export const readFlags = (args: ReadonlyArray<string>): Flags => {
  helpIfAsked(usage, args)
  const { values } = parseArgs({
    args: [...args],
    options: {
      database: { type: "string" },
      data: { type: "string", default: process.env.MATCHPOINT_DATA },
      postgres: { type: "string", default: "postgres://postgres@127.0.0.1:5432/postgres" },
      embedded: { type: "boolean", default: false },
      only: { type: "string" },
      peers: { type: "string", default: "one match,match lists" },
      rounds: { type: "string", default: "3" },
      connections: { type: "string", default: "32" },
      seconds: { type: "string", default: "4" },
      addresses: { type: "string", default: "400" },
      seed: { type: "string", default: "1" },
      metering: { type: "string", default: "on" },
      kept: { type: "string", default: "on" },
      pool: { type: "string" },
      bar: { type: "string" },
      calm: { type: "string" },
      profile: { type: "string" },
      json: { type: "boolean", default: false },
    },
  })
  const only = values.only === undefined ? [...classes.map(({ name }) => name), "mixed"] : named(values.only, ["mixed"])
  return {
    database: values.database,
    postgres: values.postgres,
    data: values.data,
    embedded: values.embedded,
    classes: only.filter((name) => name !== "mixed"),
    mixed: only.includes("mixed"),
    peers: values.embedded || values.peers === "none" ? [] : named(values.peers),
    rounds: within(values.rounds, 1, 50),
    connections: within(values.connections, 1, 1_000),
    seconds: within(values.seconds, 0.5, 300),
    addresses: within(values.addresses, 10, 10_000),
    seed: within(values.seed, 0, 1e9),
    metering: values.metering !== "off",
    kept: values.kept !== "off",
    pool: values.pool === undefined ? undefined : within(values.pool, 1, 90),
    bar: values.bar === undefined ? undefined : within(values.bar, 0.1, 60_000),
    calmShare: values.calm === undefined ? undefined : within(values.calm, 0.01, 64),
    profile: values.profile,
    json: values.json,
  }
}

/** Finds classes by name. Some names contain commas, which are left out here. */
const named = (text: string, more: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  const known = new Map([...classes.map(({ name }) => name), ...more].map((name) => [name.replaceAll(",", ""), name]))
  return text.split(",").map((asked) => {
    const name = known.get(asked.trim())
    if (name === undefined) throw new Error(`Unknown class "${asked}".\n${usage}`)
    return name
  })
}

const within = (text: string, least: number, most: number): number => {
  const value = Number(text)
  if (!(value >= least && value <= most)) throw new Error(usage)
  return value
}
