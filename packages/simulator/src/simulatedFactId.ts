/** Ids of simulated facts of any game. Their order is that of the facts. */
import { FactId } from "@matchpoint/domain/ids"

/** The first fact has the ordinal 1. */
export const simulatedFactId = (ordinal: number): FactId => FactId.make(`sim:${ordinal}`)

/** Undefined if the fact does not come from the simulator. */
export const ordinalOf = (factId: string): number | undefined => {
  const digits = /^sim:([1-9][0-9]{0,9})$/.exec(factId)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
