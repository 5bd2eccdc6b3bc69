/** Groups of a round robin: players that are linked by matches form a group. */
import type { DrawMatch } from "./bracket.ts"

export interface GroupPlayer<M extends DrawMatch> {
  readonly player: M["winner"]
  readonly played: number
  readonly won: number
  readonly lost: number
}

export interface Group<M extends DrawMatch> {
  /** Most wins first, then fewest defeats. The tie-break rules of tournaments are not applied. */
  readonly players: ReadonlyArray<GroupPlayer<M>>
  readonly matches: ReadonlyArray<M>
  /**
   * True if the group has as many matches as a round robin of its size. The size is one more than the most matches of a
   * player, so that a replaced player does not count.
   */
  readonly isComplete: boolean
}

/** Groups in the order of their first matches. */
export const buildGroups = <M extends DrawMatch>(matches: ReadonlyArray<M>): ReadonlyArray<Group<M>> => {
  const groups: Array<Array<M>> = []
  for (const match of matches) {
    const linked = groups.filter((group) => group.some((other) => isLinked(match, other)))
    const [first] = linked
    if (first === undefined) {
      groups.push([match])
      continue
    }
    for (const group of linked.slice(1)) {
      for (const other of group) first.push(other)
      groups.splice(groups.indexOf(group), 1)
    }
    first.push(match)
  }
  return groups.map(groupOf)
}

const isLinked = (a: DrawMatch, b: DrawMatch): boolean =>
  [a.winner.id, a.loser.id].some((player) => player === b.winner.id || player === b.loser.id)

const groupOf = <M extends DrawMatch>(matches: ReadonlyArray<M>): Group<M> => {
  const players = new Map<string, GroupPlayer<M>>()
  const add = (player: M["winner"], won: number) => {
    const known = players.get(player.id) ?? { player, played: 0, won: 0, lost: 0 }
    players.set(player.id, { ...known, played: known.played + 1, won: known.won + won, lost: known.lost + 1 - won })
  }
  for (const { loser, winner } of matches) {
    add(winner, 1)
    add(loser, 0)
  }
  const most = Math.max(...[...players.values()].map(({ played }) => played))
  return {
    players: [...players.values()].sort((a, b) => b.won - a.won || a.lost - b.lost || (a.player.id < b.player.id ? -1 : 1)),
    matches,
    isComplete: matches.length === (most * (most + 1)) / 2,
  }
}
