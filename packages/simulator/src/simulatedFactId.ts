/** Ids of the facts (events) of simulated matches of any game. Their order is the order of the facts. */
import { FactId } from "@matchpoint/domain/ids"

/** Returns the id of the n-th fact (event) of a match. The first fact has the ordinal 1. */
export const simulatedFactId = (ordinal: number): FactId => FactId.make(`sim:${ordinal}`)

/** Returns the ordinal of a fact from its id, or undefined if the fact does not come from the simulator. */
export const ordinalOf = (factId: string): number | undefined => {
  const digits = /^sim:([1-9][0-9]{0,9})$/.exec(factId)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
