// Owns the addresses that are asked for: of a class, and of all classes as traffic mixes them.
import { API_ROOT } from "@matchpoint/contracts/http/MatchpointApi"
import { childSeed } from "@matchpoint/simulator/random"
import type { EndpointClass } from "./classes/EndpointClass.ts"
import { Draw, NothingSampled } from "./Draw.ts"
import type { Address } from "./orders.ts"
import type { Samples } from "./samples.ts"

export interface Pool {
  readonly addresses: ReadonlyArray<Address>
  /** Endpoints that cannot be asked, since the database holds nothing to ask them for. */
  readonly unasked: ReadonlyArray<string>
}

/** `count` addresses, in no order; the same ones for the same seed. */
export const poolOf = ({ endpoints, name }: EndpointClass, samples: Samples, seed: number, count: number): Pool => {
  const draw = new Draw(samples, childSeed(seed, nameSeed(name)))
  const shares = endpoints.reduce((sum, { share = 1 }) => sum + share, 0)
  const unasked: Array<string> = []
  const addresses = endpoints.flatMap(({ address, path, share = 1 }) => {
    try {
      return Array.from({ length: Math.ceil((count * share) / shares) }, () => ({ endpoint: path, path: API_ROOT + address(draw) }))
    } catch (error) {
      if (!(error instanceof NothingSampled)) throw error
      unasked.push(`${path}: ${error.message}`)
      return []
    }
  })
  return { addresses: draw.random.shuffle(addresses), unasked }
}

/** By the weights of the classes. */
export const mixedPool = (classes: ReadonlyArray<EndpointClass>, samples: Samples, seed: number, count: number): ReadonlyArray<Address> => {
  const weights = classes.reduce((sum, { weight }) => sum + weight, 0)
  const all = classes.flatMap((one) => poolOf(one, samples, seed + 1, Math.round((count * one.weight) / weights)).addresses)
  return new Draw(samples, seed).random.shuffle(all)
}

/** A class keeps its addresses when others come or go. */
const nameSeed = (name: string): number => [...name].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0, 7)
