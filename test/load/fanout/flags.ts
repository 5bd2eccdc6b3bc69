// Owns the flags of the fan-out benchmark and their defaults.
import { parseArgs } from "node:util"
import { helpIfAsked } from "../lib/help.ts"
import type { Load } from "./measureRound.ts"
import { type VariantName, variants } from "./orders.ts"

export interface Flags {
  /** One load per rate. */
  readonly loads: ReadonlyArray<Load>
  readonly rounds: number
  /** Measure only while other processes use less than this share of a core. */
  readonly calmShare: number | undefined
  readonly json: boolean
  /** Measured in this order, in turns. */
  readonly variants: ReadonlyArray<VariantName>
  /** The variant that the others are compared with. */
  readonly baseline: VariantName
  /** Node flags for the servers. */
  readonly execArgv: ReadonlyArray<string>
}

export const usage = `npm run bench -- fanout [flags]
  --sockets <n>     clients per server, default 1000
  --rate <list>     frames per second, default 200; several rates are measured one after the other, to find the knee of the curve
  --payload <kind>  frames (default): synthetic, all of one size; feed: facts of a simulated match, of which raw gets the frames
  --shape <s>       v1 (default): whole documents; v2: deltas
  --bytes <n>       size of a frame, default 1024 (v1) or 532 (v2, the size of real deltas)
  --seconds <n>     length of a round, default 3
  --rounds <n>      default 5
  --calm <share>    count only rounds during which other processes used less than this share of a core (for example 0.1), for up to 10 minutes
  --transport <t>   websocket (default): ours (immediate and adaptive), plain uWebSockets.js, ws, socket.io; sse: compared with our WebSocket
  --only <list>     some of ${variants.join(",")}; the first one is the baseline
  --profile <dir>   write a CPU profile of each server to this folder
  --json            JSON instead of a table; an array for several rates`

export const readFlags = (args: ReadonlyArray<string>): Flags => {
  helpIfAsked(usage, args)
  const { values } = parseArgs({
    args: [...args],
    options: {
      sockets: { type: "string", default: "1000" },
      rate: { type: "string", default: "200" },
      payload: { type: "string", default: "frames" },
      shape: { type: "string", default: "v1" },
      bytes: { type: "string" },
      seconds: { type: "string", default: "3" },
      rounds: { type: "string", default: "5" },
      calm: { type: "string" },
      transport: { type: "string", default: "websocket" },
      only: { type: "string" },
      profile: { type: "string" },
      json: { type: "boolean", default: false },
    },
  })
  const { payload: kind, shape } = values
  if (kind !== "frames" && kind !== "feed") throw new Error(`--payload is frames or feed, not ${kind}\n\n${usage}`)
  if (shape !== "v1" && shape !== "v2") throw new Error(`--shape is v1 or v2, not ${shape}\n\n${usage}`)
  const bytes = positive("bytes", values.bytes ?? (shape === "v1" ? "1024" : "532"))
  return {
    loads: values.rate.split(",").map((rate) => ({
      sockets: positive("sockets", values.sockets),
      rate: positive("rate", rate),
      payload: { kind, shape, bytes },
      seconds: positive("seconds", values.seconds),
    })),
    rounds: positive("rounds", values.rounds),
    calmShare: values.calm === undefined ? undefined : positive("calm", values.calm),
    json: values.json,
    ...comparedBy(values.transport, values.only, kind),
    execArgv: values.profile === undefined ? [] : ["--cpu-prof", "--cpu-prof-dir", values.profile],
  }
}

const comparedBy = (transport: string, only: string | undefined, kind: "frames" | "feed"): Pick<Flags, "variants" | "baseline"> => {
  if (only !== undefined) {
    const names = only.split(",").map(variantOf)
    return { variants: names, baseline: names[0] ?? "raw" }
  }
  if (transport === "websocket") {
    if (kind === "feed") return { variants: ["raw", "feed"], baseline: "raw" }
    return { variants: ["raw", "ours", "adaptive", "ws", "socketio"], baseline: "raw" }
  }
  if (transport === "sse") return { variants: ["ours", "sse"], baseline: "ours" }
  throw new Error(`--transport is websocket or sse, not ${transport}\n\n${usage}`)
}

const variantOf = (name: string): VariantName => {
  const known = variants.find((variant) => variant === name)
  if (known === undefined) throw new Error(`--only takes ${variants.join(", ")}, not ${name}\n\n${usage}`)
  return known
}

const positive = (flag: string, text: string): number => {
  const value = Number(text)
  if (!(value > 0 && value < 1e6)) throw new Error(`--${flag} must be a positive number, not ${text}\n\n${usage}`)
  return value
}
