// Owns one measurement: starts the service as `npm start` does, samples its resident memory, and stops it.
import { setTimeout as delay } from "node:timers/promises"
import { startService } from "../lib/npmStart.ts"

export interface Load {
  readonly seconds: number
  /** Seconds between two samples. */
  readonly every: number
  readonly matches: number
  readonly speed: number
}

export interface Sample {
  /** Seconds since the first response of the service. */
  readonly second: number
  readonly rssMb: number
}

export interface StartMemory {
  /** The first sample of each minute, and the last one. */
  readonly minutes: ReadonlyArray<Sample>
  readonly peakMb: number
  /** The highest of the last minute, because the value right after a garbage collection is lower. */
  readonly endMb: number
}

export const measureStart = async (load: Load, onSample: (sample: Sample) => void): Promise<StartMemory> => {
  const service = await startService({
    MATCHPOINT_SIMULATED_MATCHES: String(load.matches),
    MATCHPOINT_SIMULATION_SPEED: String(load.speed),
  })
  try {
    const samples: Array<Sample> = []
    const since = performance.now()
    for (let n = 0; n * load.every <= load.seconds; n++) {
      await delay(Math.max(0, since + n * load.every * 1_000 - performance.now()))
      const sample = { second: Math.round(n * load.every), rssMb: Math.round(service.residentBytes() / 2 ** 20) }
      if (isFirstOfMinute(sample, samples.at(-1))) onSample(sample)
      samples.push(sample)
    }
    return summaryOf(samples)
  } finally {
    await service.stop()
  }
}

export const summaryOf = (samples: ReadonlyArray<Sample>): StartMemory => {
  const last = samples.at(-1)
  if (last === undefined) throw new Error("There is no sample")
  const highest = (some: ReadonlyArray<Sample>) => Math.max(...some.map(({ rssMb }) => rssMb))
  return {
    minutes: samples.filter((sample, n) => sample === last || isFirstOfMinute(sample, samples[n - 1])),
    peakMb: highest(samples),
    endMb: highest(samples.filter(({ second }) => second > last.second - 60)),
  }
}

const isFirstOfMinute = ({ second }: Sample, before: Sample | undefined): boolean =>
  before === undefined || Math.floor(second / 60) > Math.floor(before.second / 60)
