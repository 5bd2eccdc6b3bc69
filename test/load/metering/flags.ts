// Owns the flags of the measurement of metering and their defaults.
import { parseArgs } from "node:util"
import { type Crowd, crowds, type Database, databases, type Metering, meterings } from "./orders.ts"

export interface Flags {
  readonly crowds: ReadonlyArray<Crowd>
  readonly databases: ReadonlyArray<Database>
  readonly meterings: ReadonlyArray<Metering>
  readonly sets: number
  readonly rounds: number
  readonly seconds: number
  readonly connections: number
  readonly postgres: string
  readonly profile: string | undefined
  /** Count only turns in which other processes used less than this share of a core; after ten minutes all of them. */
  readonly calmShare: number | undefined
}

const usage = `npm run bench -- metering [flags]
  --crowd <list>       scale, pro, exact (a quota so small that it is leased request by request); default all
  --database <list>    postgres, pglite: where keys, accounts and the ledger are; default both
  --metering <list>    off, memory, stored; the first is what the others are held against; default all
  --sets <n>           each with a fresh process that has a server for each metering, default 4
  --rounds <n>         of each server in a set, taking turns, default 24
  --seconds <n>        length of a round, default 0.5: short, so that neighbours meet the same machine
  --connections <n>    keep-alive, each with one request in flight, default 64
  --postgres <url>     where databases may be made, default postgres://postgres@127.0.0.1:5432/postgres
  --calm <share>       count only turns in which other processes used less than this share of a core (0.3, say), PostgreSQL among them;
                       after ten minutes of a comparison all of them
  --profile <dir>      write a CPU profile of each set there`

export const readFlags = (args: ReadonlyArray<string>): Flags => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      crowd: { type: "string", default: crowds.join(",") },
      database: { type: "string", default: databases.join(",") },
      metering: { type: "string", default: meterings.join(",") },
      sets: { type: "string", default: "4" },
      rounds: { type: "string", default: "24" },
      seconds: { type: "string", default: "0.5" },
      connections: { type: "string", default: "64" },
      postgres: { type: "string", default: "postgres://postgres@127.0.0.1:5432/postgres" },
      calm: { type: "string" },
      profile: { type: "string" },
    },
  })
  return {
    crowds: listed(values.crowd, crowds),
    databases: listed(values.database, databases),
    meterings: listed(values.metering, meterings),
    sets: within(values.sets, 1, 20),
    rounds: within(values.rounds, 1, 50),
    seconds: within(values.seconds, 0.5, 30),
    // No more than the smallest crowd has keys.
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
