// Owns the flags of the webhooks benchmark and their defaults.
import { parseArgs } from "node:util"
import { alwaysJson, helpIfAsked } from "../lib/help.ts"

export const scenarios = ["capacity", "steady", "backlog", "dead"] as const
export type Scenario = (typeof scenarios)[number]

export interface Flags {
  readonly only: ReadonlyArray<Scenario>
  readonly endpoints: number
  readonly matches: number
  readonly rate: number
  readonly seconds: number
  readonly deliveries: number
  readonly backlog: number
  readonly rounds: number
  readonly postgres: string
}

const usage = `npm run bench -- webhooks [flags]
  --only <list>        capacity, steady, backlog, dead; default all
  --endpoints <n>      receivers, each with its own port and webhook, default 100
  --matches <n>        matches; each is sent to one of the receivers, default 200
  --rate <n>           new events per second in steady, backlog and dead, default 300
  --seconds <n>        duration of steady and dead, default 15
  --deliveries <n>     deliveries of capacity, default 20000
  --backlog <n>        deliveries that wait when backlog starts, default 100000
  --rounds <n>         pairs of dead (without and with a receiver that never answers), default 3
  --postgres <url>     server on which to create a database, default postgres://postgres@127.0.0.1:5432/postgres
${alwaysJson}`

const within = (text: string, minimum: number, maximum: number): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < minimum || value > maximum)
    throw new Error(`expected a number from ${minimum} to ${maximum}, not ${text}`)
  return value
}

export const readFlags = (args: ReadonlyArray<string>): Flags => {
  helpIfAsked(usage, args)
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string", default: scenarios.join(",") },
      endpoints: { type: "string", default: "100" },
      matches: { type: "string", default: "200" },
      rate: { type: "string", default: "300" },
      seconds: { type: "string", default: "15" },
      deliveries: { type: "string", default: "20000" },
      backlog: { type: "string", default: "100000" },
      rounds: { type: "string", default: "3" },
      postgres: { type: "string", default: "postgres://postgres@127.0.0.1:5432/postgres" },
      json: { type: "boolean", default: false },
    },
  })
  return {
    only: values.only.split(",").map((name) => {
      const found = scenarios.find((scenario) => scenario === name)
      if (found === undefined) throw new Error(`unknown scenario "${name}": ${scenarios.join(", ")}`)
      return found
    }),
    endpoints: within(values.endpoints, 2, 1_000),
    matches: within(values.matches, 1, 10_000),
    rate: within(values.rate, 1, 100_000),
    seconds: within(values.seconds, 1, 600),
    deliveries: within(values.deliveries, 100, 1_000_000),
    backlog: within(values.backlog, 100, 1_000_000),
    rounds: within(values.rounds, 1, 20),
    postgres: values.postgres,
  }
}
