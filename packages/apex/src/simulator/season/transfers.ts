/**
 * Between the splits: transfers within a region, changes of roles, a new team name, and a player who replaces another.
 */
import type { Random } from "@matchpoint/simulator/random"
import type { ApexTransaction } from "../../rules/archive/series.ts"
import { SIMULATED } from "../../rules/archive/simulated.ts"
import type { ApexSquad, ApexSquadPlayer } from "../apexTeams.ts"

/** Pairs of players that change their teams. */
const SWAPS = 3

/** Squads of a region before its first moves: one has another name, and one another player. */
export const formerSquads = (squads: ReadonlyArray<ApexSquad>): ReadonlyArray<ApexSquad> =>
  squads.map((squad, index) => {
    if (index === squads.length - 1) return { ...squad, name: `${squad.name} Rising` }
    if (index !== squads.length - 2) return squad
    const [first, ...others] = squad.players
    if (first === undefined) return squad
    return { ...squad, players: [{ ...first, id: `${first.id}-elder`, name: `${first.name}Elder` }, ...others] }
  })

/**
 * Squads after the moves, in the same order, and the moves. `squads` are those before the moves, and `current` those
 * with the names and players of today. `at` is in epoch milliseconds.
 */
export const rostersAfter = (random: Random, squads: ReadonlyArray<ApexSquad>, current: ReadonlyArray<ApexSquad>, at: number) => {
  const next = current.map((squad) => ({ ...squad, players: [...squad.players] }))
  const transactions: Array<ApexTransaction> = []
  const day = new Date(at).toISOString().slice(0, 10)
  const add = (
    type: ApexTransaction["type"],
    squad: ApexSquad,
    { id, name }: ApexSquadPlayer,
    before: string | null,
    after: string | null,
  ) =>
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
  for (const [index, squad] of current.entries()) {
    const former = squads[index]
    if (former === undefined) continue
    if (former.name !== squad.name) {
      transactions.push({
        transactionId: `sim-${day}-team_rename-${squad.id}`,
        type: "team_rename",
        day,
        playerId: null,
        playerName: null,
        teamName: squad.name,
        before: former.name,
        after: squad.name,
        region: squad.region,
        source: SIMULATED,
      })
    }
    const has = (players: ReadonlyArray<ApexSquadPlayer>, { id }: ApexSquadPlayer) => players.some((player) => player.id === id)
    for (const player of former.players) if (!has(squad.players, player)) add("leave", squad, player, squad.name, null)
    for (const player of squad.players) if (!has(former.players, player)) add("join", squad, player, null, squad.name)
  }
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
