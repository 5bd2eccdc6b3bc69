// Owns the flags of the engine benchmark and their defaults.
import { parseArgs } from "node:util"
import { alwaysJson, helpIfAsked } from "../lib/help.ts"

export interface Flags {
  readonly matches: number
  /** Measured events per match, after the warm-up. */
  readonly events: number
  readonly warmUp: number
  /** Feed events per second while latency is measured. */
  readonly rate: number
  readonly seconds: number
  /** Maximum number of feed events in flight while throughput is measured. */
  readonly window: number
  readonly nats: string | undefined
  readonly checkpoints: "sql" | "none"
  /** Size of Node's young generation in MB, each half. Undefined: as the service runs. */
  readonly semiSpace: number | undefined
  readonly profile: string | undefined
  /** Starts when other processes use less than this share of a core, or after four minutes. */
  readonly calmShare: number | undefined
}

export const usage = `npm run bench -- engine [flags]
  --matches <n>        live matches, default 500
  --events <n>         measured events per match, default 300
  --warm-up <n>        events per match in the warm-up, default 300, after which documents have their usual size
  --rate <n>           events per second while latency is measured, default 5000
  --seconds <n>        length of that part, default 5
  --window <n>         maximum number of events in flight while throughput is measured, default 2000
  --nats <url>         a NATS server with JetStream instead of the log in memory
  --checkpoints <s>    sql (default): into the embedded PostgreSQL of the same process, as in production settings; none
  --semi-space <mb>    Node's --min-semi-space-size and --max-semi-space-size, default as the service runs
  --calm <share>       start when other processes use less than this share of a core (for example 0.2), or after four minutes
  --profile <dir>      write a CPU profile to this folder
${alwaysJson}`

export const readFlags = (args: ReadonlyArray<string>): Flags => {
  helpIfAsked(usage, args)
  const { values } = parseArgs({
    args: [...args],
    options: {
      matches: { type: "string", default: "500" },
      events: { type: "string", default: "300" },
      "warm-up": { type: "string", default: "300" },
      rate: { type: "string", default: "5000" },
      seconds: { type: "string", default: "5" },
      window: { type: "string", default: "2000" },
      nats: { type: "string" },
      checkpoints: { type: "string", default: "sql" },
      "semi-space": { type: "string" },
      profile: { type: "string" },
      calm: { type: "string" },
      json: { type: "boolean", default: false },
    },
  })
  if (values.checkpoints !== "sql" && values.checkpoints !== "none") throw new Error(usage)
  return {
    matches: positive(values.matches),
    events: positive(values.events),
    warmUp: positive(values["warm-up"]),
    rate: positive(values.rate),
    seconds: positive(values.seconds),
    window: positive(values.window),
    nats: values.nats,
    checkpoints: values.checkpoints,
    semiSpace: values["semi-space"] === undefined ? undefined : positive(values["semi-space"]),
    profile: values.profile,
    calmShare: values.calm === undefined ? undefined : positive(values.calm),
  }
}

const positive = (text: string): number => {
  const number = Number(text)
  if (!(number > 0)) throw new Error(usage)
  return number
}
