// Owns what a class of endpoints is: some that are asked alike and whose cost is one number.
import type { Draw } from "../Draw.ts"

export interface MeasuredEndpoint {
  /** As in the contract, below the API's root. */
  readonly path: string
  /** Path and query of one request, below the API's root. */
  readonly address: (draw: Draw) => string
  /** How often it is asked among those of its class; 1 unless told. */
  readonly share?: number
}

export interface EndpointClass {
  readonly name: string
  /** Requests of a hundred in the mixed run. */
  readonly weight: number
  readonly endpoints: ReadonlyArray<MeasuredEndpoint>
  /** Its endpoints are another class's, asked in another way. */
  readonly again?: true
  /** Asked with the tag of the answer before: 304. */
  readonly conditional?: true
}

/** Replaces each `:name` of a path by the next value. */
export const fill = (path: string, ...values: ReadonlyArray<string>): string => {
  let next = 0
  return path.replaceAll(/:[A-Za-z]+/g, () => values[next++] ?? "")
}
