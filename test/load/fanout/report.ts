// Owns the report of a run: medians over rounds, ratios within a round, and warnings about unreliable numbers.
import { describeMachine } from "../lib/machine.ts"
import { median, rounded } from "../lib/statistics.ts"
import type { Flags } from "./flags.ts"
import type { Load, Round } from "./measureRound.ts"
import type { VariantName } from "./orders.ts"
import type { Turns } from "./takeTurns.ts"

export interface Numbers {
  readonly cpuUsPerFrame: number
  readonly deliveredPerSecond: number
  /** Measured from when a frame was due, so that a server that is behind cannot hide it. */
  readonly p50Ms: number
  readonly p99Ms: number
  /** Latency from when a frame was due until the last socket had it. */
  readonly lastP50Ms: number
  readonly lastP99Ms: number
  readonly generatorCpuShare: number
  readonly othersCpuShare: number
  /** Share of the requested rate that was published. */
  readonly keptUp: number
  /** Frames over all rounds that did not arrive. */
  readonly lost: number
}

export interface Report extends Partial<Record<VariantName, Numbers>> {
  readonly machine: string
  readonly node: string
  readonly parameters: Load & { readonly rounds: number; readonly discardedRounds: number; readonly frameBytes: number }
  /**
   * `<variant>_<baseline>`: ratio of CPU per frame. The median over the ratios of single rounds, so that drift of the
   * machine cancels out.
   */
  readonly ratios: Readonly<Record<string, number>>
  /** Lowest and highest ratio of a round. If they are far apart, a median close to a bar is not conclusive. */
  readonly ratioRanges: Readonly<Record<string, readonly [number, number]>>
  readonly generator: { readonly cpuShare: number }
  /** Empty if nothing was lost and nothing was saturated. */
  readonly warnings: ReadonlyArray<string>
}

export const reportOf = async ({ rounds, discarded }: Turns, { baseline, rounds: count }: Flags, load: Load): Promise<Report> => {
  const numbers = new Map([...rounds].map(([name, all]) => [name, numbersOf(all)]))
  const generatorShare = Math.max(...[...numbers.values()].map((one) => one.generatorCpuShare))
  const each = ratiosByRound(rounds, baseline)
  const frameBytes = rounds.get(baseline)?.[0]?.frameBytes ?? load.payload.bytes
  return {
    machine: await describeMachine(),
    node: process.version,
    parameters: { ...load, rounds: count, discardedRounds: discarded, frameBytes },
    ...Object.fromEntries(numbers),
    ratios: Object.fromEntries(each.map(([name, all]) => [name, rounded(median(all), 2)])),
    ratioRanges: Object.fromEntries(each.map(([name, all]) => [name, [rounded(Math.min(...all), 2), rounded(Math.max(...all), 2)]])),
    generator: { cpuShare: rounded(generatorShare, 2) },
    warnings: [...numbers].flatMap(([name, one]) => doubts(name, one, rounds.get(name) ?? [])),
  }
}

const numbersOf = (rounds: ReadonlyArray<Round>): Numbers => {
  const middle = (field: (round: Round) => number, digits: number) => rounded(median(rounds.map(field)), digits)
  return {
    cpuUsPerFrame: middle((round) => round.cpuUsPerFrame, 2),
    deliveredPerSecond: middle((round) => round.deliveredPerSecond, 0),
    p50Ms: middle((round) => round.p50Ms, 2),
    p99Ms: middle((round) => round.p99Ms, 2),
    lastP50Ms: middle((round) => round.lastP50Ms, 2),
    lastP99Ms: middle((round) => round.lastP99Ms, 2),
    generatorCpuShare: middle((round) => round.generatorCpuShare, 2),
    othersCpuShare: middle((round) => round.othersCpuShare, 2),
    keptUp: middle((round) => round.keptUp, 2),
    lost: rounds.reduce((sum, round) => sum + round.lost, 0),
  }
}

const ratiosByRound = (rounds: Turns["rounds"], baseline: VariantName): ReadonlyArray<readonly [string, ReadonlyArray<number>]> => {
  const base = rounds.get(baseline) ?? []
  return [...rounds]
    .filter(([name]) => name !== baseline)
    .map(([name, all]) => [
      `${name}_${baseline}`,
      all.map((round, index) => round.cpuUsPerFrame / (base[index]?.cpuUsPerFrame ?? Number.NaN)),
    ])
}

const doubts = (name: VariantName, numbers: Numbers, rounds: ReadonlyArray<Round>): ReadonlyArray<string> => {
  const found: Array<string> = []
  if (rounds.some((round) => round.lost !== 0 || round.unevenSockets !== 0)) {
    const uneven = Math.max(...rounds.map((round) => round.unevenSockets))
    found.push(`${name}: delivered frames differ from published x sockets (${numbers.lost} frames missing, up to ${uneven} sockets off)`)
  }
  if (numbers.keptUp < 0.99) {
    found.push(`${name}: could not keep up, published ${Math.round(numbers.keptUp * 100)} % of the rate; its latency grows with --seconds`)
  }
  if (numbers.othersCpuShare > 0.2) {
    found.push(
      `${name}: other processes used ${Math.round(numbers.othersCpuShare * 100)} % of a core meanwhile; measure on a quiet machine`,
    )
  }
  if (numbers.generatorCpuShare > 0.9) found.push(`${name}: the load generator was saturated, so it caused part of the latency`)
  return found
}

const columns = {
  cpuUsPerFrame: "CPU us/frame",
  deliveredPerSecond: "delivered/s",
  p50Ms: "p50 ms",
  p99Ms: "p99 ms",
  lastP50Ms: "last p50",
  lastP99Ms: "last p99",
  keptUp: "kept up",
  lost: "lost",
  generatorCpuShare: "generator CPU",
  othersCpuShare: "others' CPU",
} as const satisfies Record<keyof Numbers, string>

const fields = [
  "cpuUsPerFrame",
  "deliveredPerSecond",
  "p50Ms",
  "p99Ms",
  "lastP50Ms",
  "lastP99Ms",
  "keptUp",
  "lost",
  "generatorCpuShare",
  "othersCpuShare",
] as const

const WIDTH = 14

export const table = (report: Report, order: Iterable<VariantName>): string => {
  const { sockets, rate, payload, frameBytes, rounds, discardedRounds, seconds } = report.parameters
  const rows = [...order].map((name) => {
    const cells = fields.map((field) => String(report[name]?.[field] ?? "").padStart(WIDTH))
    return name.padEnd(10) + cells.join("")
  })
  return [
    `Fan-out to ${sockets} sockets, ${rate} frames/s of ${payload.kind === "feed" ? "at least " : ""}${frameBytes} bytes (${payload.shape}), median of ${rounds} rounds of ${seconds} s, ${discardedRounds} disturbed rounds discarded`,
    `${report.machine}, node ${report.node}`,
    " ".repeat(10) + fields.map((field) => columns[field].padStart(WIDTH)).join(""),
    ...rows,
    ...Object.entries(report.ratios).map(
      ([name, ratio]) => `${name.replace("_", " / ")}: ${ratio} (rounds ${report.ratioRanges[name]?.join(" to ")})`,
    ),
    ...report.warnings.map((warning) => `Warning: ${warning}`),
  ].join("\n")
}
