// Owns the measurement of the endpoint classes over a database, with the response cache off and on.
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { childSeed } from "@matchpoint/simulator/random"
import { type Measured, measure } from "../api/measure.ts"
import type { Listening } from "../api/orders.ts"
import { ourServer } from "../api/ourServer.ts"
import { receive, start, stop } from "../lib/child.ts"
import { classes, type TennisClass, TennisDraw } from "./classes.ts"
import type { Flags } from "./flags.ts"
import { type Samples, takeSamples } from "./samples.ts"

const START_MS = 120_000

export interface ClassResult {
  readonly name: string
  readonly cacheOff: Measured
  readonly cacheOn: Measured
}

export const measureEndpoints = async (url: string, flags: Flags): Promise<ReadonlyArray<ClassResult>> => {
  const chosen = classes.filter(({ name }) => flags.classes.includes(name))
  if (chosen.length === 0) return []
  const samples = await takeSamples(url, flags.seed)
  const cacheOff = await measureClasses(url, flags, chosen, samples, false)
  const cacheOn = await measureClasses(url, flags, chosen, samples, true)
  return chosen.flatMap(({ name }) => {
    const [off, on] = [cacheOff.get(name), cacheOn.get(name)]
    return off === undefined || on === undefined ? [] : [{ name, cacheOff: off, cacheOn: on }]
  })
}

const measureClasses = async (
  url: string,
  flags: Flags,
  chosen: ReadonlyArray<TennisClass>,
  samples: Samples,
  kept: boolean,
): Promise<ReadonlyMap<string, Measured>> => {
  const generator = start(new URL("../api/generator.ts", import.meta.url))
  const settings = { kept, metering: true, pool: undefined, profile: undefined, seed: flags.seed }
  const child = ourServer({ url, directory: "" }, settings)
  try {
    const listening = await receive<Listening>(child, START_MS)
    const results = new Map<string, Measured>()
    for (const one of chosen) {
      const result = await measure({ child, ...listening }, generator, addressesOf(one, samples, flags), { ...flags, calmShare: undefined })
      results.set(one.name, result)
      const { failed, p99Ms, requestsPerSecond } = result
      process.stderr.write(`${one.name}, cache ${kept ? "on" : "off"}: ${requestsPerSecond}/s, p99 ${p99Ms} ms, failed ${failed}\n`)
    }
    return results
  } finally {
    await Promise.all([stop(child), stop(generator)])
  }
}

/** Draws about as many addresses as the flags state, in random order. The same seed draws the same addresses. */
export const addressesOf = ({ endpoints, name }: TennisClass, samples: Samples, { addresses, seed }: Pick<Flags, "addresses" | "seed">) => {
  const draw = new TennisDraw(samples, childSeed(seed, name.length))
  const each = Math.ceil(addresses / endpoints.length)
  const all = endpoints.flatMap(({ address, path }) =>
    Array.from({ length: each }, () => ({ endpoint: path, path: API_ROOT + address(draw) })),
  )
  return draw.random.shuffle(all)
}
