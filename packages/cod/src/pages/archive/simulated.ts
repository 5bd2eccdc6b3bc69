import type { Client } from "@matchpoint/client"
import { simulatedMark } from "@matchpoint/game/pages/archive/sectionParts"

/** Coming matches among which one of the simulated seasons is looked for. The first ones may be live. */
const COMING = 50

/**
 * Label of the pages, or nothing if the archive is real. The simulated seasons always have scheduled matches, their
 * tournaments have names that end with "(simulated)", and the import of real matches removes them.
 */
export const simulatedLabel = async (client: Client): Promise<ReadonlyArray<Node | string>> => {
  const { data } = await client.get("/cod/matches/upcoming", { query: { limit: COMING } })
  return data.some(({ tournament }) => tournament.name.endsWith("(simulated)")) ? [" ", simulatedMark()] : []
}
