// Owns the definition of an endpoint class: endpoints that are requested alike and whose cost is one number.
import type { Draw } from "../Draw.ts"

export interface MeasuredEndpoint {
  /** Path as in the contract, below the API's root. */
  readonly path: string
  /** Path and query of one request, below the API's root. */
  readonly address: (draw: Draw) => string
  /** Relative frequency within its class. Default: 1. */
  readonly share?: number
}

export interface EndpointClass {
  readonly name: string
  /** Share of this class in the mixed run, in percent. */
  readonly weight: number
  readonly endpoints: ReadonlyArray<MeasuredEndpoint>
  /** Its endpoints belong to another class and are requested in another way. */
  readonly again?: true
  /** Requested with the entity tag of the previous response, so that the response is 304. */
  readonly conditional?: true
}

/** Replaces each `:name` of a path with the next value. */
export const fill = (path: string, ...values: ReadonlyArray<string>): string => {
  let next = 0
  return path.replaceAll(/:[A-Za-z]+/g, () => values[next++] ?? "")
}
