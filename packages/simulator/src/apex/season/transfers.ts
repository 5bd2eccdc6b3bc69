/** Moves of players between the splits of a simulated season: transfers within a region, and changes of roles. */
import type { ApexTransaction } from "@matchpoint/domain/apex/archive/series"
import { SIMULATED } from "@matchpoint/domain/apex/archive/simulated"
import type { Random } from "../../random.ts"
import type { ApexSquad, ApexSquadPlayer } from "../apexTeams.ts"

/** Number of pairs of players that change their teams. */
const SWAPS = 3

/** Returns the squads after the moves, in the same order, and the moves. `at` is in epoch milliseconds. */
export const rostersAfter = (random: Random, squads: ReadonlyArray<ApexSquad>, at: number) => {
  const next = squads.map((squad) => ({ ...squad, players: [...squad.players] }))
  const transactions: Array<ApexTransaction> = []
  const day = new Date(at).toISOString().slice(0, 10)
  const add = (type: ApexTransaction["type"], squad: ApexSquad, { id, name }: ApexSquadPlayer, before: string, after: string) =>
    transactions.push({
      transactionId: `sim-${day}-${type}-${id}`,
      type,
      day,
      playerId: id,
      playerName: name,
      teamName: squad.name,
      before,
      after,
      region: squad.region,
      source: SIMULATED,
    })
  const order = random.shuffle(next)
  for (let pair = 0; pair < SWAPS; pair += 1) {
    const [one, other] = [order[2 * pair], order[2 * pair + 1]]
    const place = random.int(0, 2)
    const [left, right] = [one?.players[place], other?.players[place]]
    if (one === undefined || other === undefined || left === undefined || right === undefined) continue
    one.players[place] = right
    other.players[place] = left
    add("transfer", one, right, other.name, one.name)
    add("transfer", other, left, one.name, other.name)
  }
  const changed = order[2 * SWAPS]
  const [first, second, ...rest] = changed?.players ?? []
  if (changed !== undefined && first !== undefined && second !== undefined) {
    changed.players = [{ ...first, role: second.role }, { ...second, role: first.role }, ...rest]
    add("role_change", changed, first, first.role, second.role)
    add("role_change", changed, second, second.role, first.role)
  }
  return { squads: next, transactions }
}
