/** Label of the pages while the archive has the simulated seasons. */
import type { Client } from "@matchpoint/client"
import { simulatedMark } from "../../archive/sectionParts.ts"

/** Number of coming matches among which a scheduled one is looked for. The first ones may be live. */
const COMING = 10

/**
 * Returns the label if the archive is simulated, and nothing otherwise. The simulated seasons always have scheduled
 * matches, and the import of real matches removes them.
 */
export const simulatedLabel = async (client: Client): Promise<ReadonlyArray<Node | string>> => {
  const coming = await client.get("/cod/matches/upcoming", { query: { limit: COMING } })
  const scheduled = coming.data.find(({ status }) => status === "scheduled")
  if (scheduled === undefined) return []
  const { data } = await client.get("/cod/matches/:matchId", { params: { matchId: scheduled.id } })
  return data.source === "simulator" ? [" ", simulatedMark()] : []
}
