// Owns the flags of the metering benchmark and their defaults.
import { parseArgs } from "node:util"
import { alwaysJson, helpIfAsked } from "../lib/help.ts"
import { type Crowd, crowds, type Database, databases, type Metering, meterings } from "./orders.ts"

export interface Flags {
  readonly crowds: ReadonlyArray<Crowd>
  readonly databases: ReadonlyArray<Database>
  readonly meterings: ReadonlyArray<Metering>
  readonly sets: number
  readonly rounds: number
  readonly seconds: number
  /** Milliseconds of load on one server before the next one's turn. */
  readonly slice: number
  readonly connections: number
  readonly postgres: string
  readonly profile: string | undefined
  /** Count only turns in which other processes used less than this share of a core. After ten minutes, count all. */
  readonly calmShare: number | undefined
}

const usage = `npm run bench -- metering [flags]
  --crowd <list>       scale, pro, exact (a quota so small that each request is leased separately); default all
  --database <list>    postgres, pglite: database of keys, accounts and the ledger; default both
  --metering <list>    off, memory, stored; the base of the ratios is every server like the first; default off,off,stored: two equal servers show the accuracy
  --sets <n>           number of sets, each with new processes, default 15: equal processes differ more than the rounds of one process
  --rounds <n>         rounds per set, in each of which all servers take turns, default 5
  --seconds <n>        load on each server per round, default 1
  --slice <ms>         load on one server before the next one's turn, default 50: short, so that disturbances affect all servers
  --connections <n>    keep-alive connections, each with one request in flight, default 64
  --postgres <url>     server on which to create databases, default postgres://postgres@127.0.0.1:5432/postgres
  --calm <share>       count only turns in which other processes used less than this share of a core (for example 0.3), including PostgreSQL;
                       after ten minutes of a comparison, all turns count
  --profile <dir>      write a CPU profile of each set to this folder
${alwaysJson}`

export const readFlags = (args: ReadonlyArray<string>): Flags => {
  helpIfAsked(usage, args)
  const { values } = parseArgs({
    args: [...args],
    options: {
      crowd: { type: "string", default: crowds.join(",") },
      database: { type: "string", default: databases.join(",") },
      metering: { type: "string", default: "off,off,stored" },
      sets: { type: "string", default: "15" },
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "1" },
      slice: { type: "string", default: "50" },
      connections: { type: "string", default: "64" },
      postgres: { type: "string", default: "postgres://postgres@127.0.0.1:5432/postgres" },
      calm: { type: "string" },
      profile: { type: "string" },
      json: { type: "boolean", default: false },
    },
  })
  return {
    crowds: listed(values.crowd, crowds),
    databases: listed(values.database, databases),
    meterings: listed(values.metering, meterings),
    sets: within(values.sets, 1, 20),
    rounds: within(values.rounds, 1, 50),
    seconds: within(values.seconds, 0.5, 30),
    slice: within(values.slice, 5, 1_000),
    // At most the number of keys of the smallest crowd.
    connections: within(values.connections, 1, 64),
    postgres: values.postgres,
    calmShare: values.calm === undefined ? undefined : within(values.calm, 0.01, 64),
    profile: values.profile,
  }
}

const listed = <A extends string>(text: string, known: ReadonlyArray<A>): ReadonlyArray<A> => {
  const names = text.split(",").map((name) => known.find((one) => one === name))
  return names.map((name) => {
    if (name === undefined) throw new Error(usage)
    return name
  })
}

const within = (text: string, least: number, most: number): number => {
  const value = Number(text)
  if (!(value >= least && value <= most)) throw new Error(usage)
  return value
}
