// Owns the requested addresses: those of one class, and those of all classes mixed as in real traffic.
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { childSeed } from "@matchpoint/simulator/random"
import type { EndpointClass } from "./classes/EndpointClass.ts"
import { Draw, NothingSampled } from "./Draw.ts"
import type { Address } from "./orders.ts"
import type { Samples } from "./samples.ts"

export interface Pool {
  readonly addresses: ReadonlyArray<Address>
  /** Endpoints that cannot be requested, because the database has no rows for them. */
  readonly unasked: ReadonlyArray<string>
}

/** Draws about `count` addresses in random order. The same seed draws the same addresses. */
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

/** Draws addresses of all classes in proportion to the weights of the classes. */
export const mixedPool = (classes: ReadonlyArray<EndpointClass>, samples: Samples, seed: number, count: number): ReadonlyArray<Address> => {
  const weights = classes.reduce((sum, { weight }) => sum + weight, 0)
  const all = classes.flatMap((one) => poolOf(one, samples, seed + 1, Math.round((count * one.weight) / weights)).addresses)
  return new Draw(samples, seed).random.shuffle(all)
}

/** Derived from the name, so that the addresses of a class do not change when other classes are added or removed. */
const nameSeed = (name: string): number => [...name].reduce((sum, letter) => (Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0)) | 0, 7)
