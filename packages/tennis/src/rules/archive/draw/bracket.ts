/**
 * Reconstructs a knockout bracket from its matches. The winner of a match plays in the next round, so the matches of a
 * player link the rounds. Archives have holes: a match that is missing becomes a place without a match, and a match
 * whose winner does not appear in the next round is placed below a missing one.
 *
 * The order of the two matches that feed a match is not part of the archive. The one with the lower match number comes
 * first, because most sources number the matches of a round from the top of the draw to its bottom.
 */

export interface DrawPlayer {
  readonly id: string
  readonly seed: string | null
}

export interface DrawMatch {
  readonly id: string
  /** Within the tournament. Only its order matters. */
  readonly number: number | null
  readonly winner: DrawPlayer
  readonly loser: DrawPlayer
}

/**
 * Why a place has no match. `bye`: the player had no opponent. `bye_or_missing`: the player enters the draw in the next
 * round, and the archive does not state whether a match is missing. `missing_match`: a match was played or planned, and
 * the archive does not have it. `not_played_or_missing`: no later match states a winner, so the tournament may be in
 * progress.
 */
export type Gap = "bye" | "bye_or_missing" | "missing_match" | "not_played_or_missing"

export interface BracketPlace<M extends DrawMatch> {
  /** Within the round, from 1 at the top. The winner continues at position `ceil(position / 2)`. */
  readonly position: number
  readonly match: M | null
  /** Null if there is a match. */
  readonly gap: Gap | null
  /** False if the match could also be at another place of this round, or another match at this place. */
  readonly isCertain: boolean
  /**
   * In the order of the two places that feed this one; null if unknown. Without a match, the winners of these places.
   */
  readonly players: readonly [M["winner"] | null, M["winner"] | null]
  /** Winner as the next round or the match states it. Null if neither does. */
  readonly winner: M["winner"] | null
}

export interface Bracket<M extends DrawMatch> {
  /** Places by position, in the order of the given rounds. Places below a bye do not exist. */
  readonly rounds: ReadonlyArray<ReadonlyArray<BracketPlace<M>>>
  /** Matches for which the bracket has no place. */
  readonly unplaced: ReadonlyArray<M>
}

/**
 * `rounds` are the matches of consecutive rounds, first round first. The last round has a place for each of `winners`:
 * one unknown winner (null) in a main draw, and each qualifier in a qualifying draw. `drawSize` is the number of players
 * as its source states it, often rounded up.
 */
export const buildBracket = <M extends DrawMatch>(
  rounds: ReadonlyArray<ReadonlyArray<M>>,
  winners: ReadonlyArray<M["winner"] | null>,
  drawSize: number | null,
): Bracket<M> => {
  const { tops, unplaced } = grow(rounds, winners)
  pairOpenPlaces(tops, rounds.length)
  const places = rounds.map((): Array<Emitted<M>> => [])
  for (const [index, node] of tops.sort((a, b) => lowestOf(a) - lowestOf(b)).entries()) emit(node, index + 1, places)
  const entries = (places[0] ?? []).filter(({ isEntry }) => isEntry).length
  const size = winners.length * 2 ** rounds.length
  const areByes = drawSize !== null && drawSize < size && size - drawSize === entries
  return {
    rounds: places.map((round) =>
      round
        .sort((a, b) => a.position - b.position)
        .map(({ isEntry, ...place }): BracketPlace<M> => {
          if (place.match !== null) return { ...place, gap: null }
          if (!isEntry) return { ...place, gap: place.winner === null ? "not_played_or_missing" : "missing_match" }
          return { ...place, gap: areByes || place.players[0]?.seed != null ? "bye" : "bye_or_missing" }
        }),
    ),
    unplaced,
  }
}

/** A place while the bracket is built. `known` is its winner if the next round states it. */
interface Node<M extends DrawMatch> {
  readonly level: number
  readonly match: M | null
  readonly known: M["winner"] | null
  readonly isCertain: boolean
  /** False if the archive does not state which players meet here. */
  hasKnownPair: boolean
  children: [Node<M> | undefined, Node<M> | undefined]
}

/** A place that must be filled. `rank` orders places without a known winner: it is higher where a match is less likely. */
interface Request<M extends DrawMatch> {
  readonly winner: M["winner"] | null
  readonly rank: number
  readonly attach: (node: Node<M>) => void
}

/** Fills the bracket from the last round to the first. */
const grow = <M extends DrawMatch>(rounds: ReadonlyArray<ReadonlyArray<M>>, winners: ReadonlyArray<M["winner"] | null>) => {
  const firstLevels = firstLevelsOf(rounds)
  const tops: Array<Node<M>> = []
  const unplaced: Array<M> = []
  let requests = winners.map((winner): Request<M> => ({ winner, rank: 0, attach: (node) => tops.push(node) }))
  for (let level = rounds.length - 1; level >= 0; level -= 1) {
    const hasEarlier = (player: M["winner"]) => (firstLevels.get(player.id) ?? level) < level
    const open = new Openings(rounds[level] ?? [])
    const next: Array<Request<M>> = []
    const put = (request: Request<M>, match: M | null, isCertain: boolean) => {
      const node: Node<M> = { level, match, known: request.winner, isCertain, hasKnownPair: true, children: [undefined, undefined] }
      request.attach(node)
      const ask = (at: 0 | 1, winner: M["winner"] | null, rank: number) =>
        next.push({ winner, rank, attach: (child) => (node.children[at] = child) })
      if (match !== null) {
        ask(0, match.winner, 0)
        ask(1, match.loser, 0)
      } else if (request.winner === null) {
        ask(0, null, 0)
        ask(1, null, 0)
      } else {
        const wasPlaying = hasEarlier(request.winner)
        if (wasPlaying) ask(0, request.winner, 0)
        ask(1, null, wasPlaying ? 1 : 2)
      }
    }
    for (const request of requests) {
      if (request.winner !== null) put(request, open.takeWonBy(request.winner.id), !open.hasWonBy(request.winner.id))
    }
    const unknown = requests.filter(({ winner }) => winner === null).sort((a, b) => a.rank - b.rank)
    const left = open.left((match) => Number(hasEarlier(match.winner)) + Number(hasEarlier(match.loser)))
    for (const [index, request] of unknown.entries()) put(request, left[index] ?? null, unknown.length === 1 && left.length <= 1)
    for (const match of left.slice(unknown.length)) unplaced.push(match)
    requests = next
  }
  return { tops, unplaced }
}

/** Index of the first round in which each player has a match. */
const firstLevelsOf = <M extends DrawMatch>(rounds: ReadonlyArray<ReadonlyArray<M>>) => {
  const levels = new Map<string, number>()
  rounds.forEach((round, level) => {
    for (const { loser, winner } of round) {
      for (const { id } of [winner, loser]) if (!levels.has(id)) levels.set(id, level)
    }
  })
  return levels
}

/** The matches of a round that have no place yet. */
class Openings<M extends DrawMatch> {
  private readonly matches: Set<M>
  private readonly byWinner = new Map<string, Array<M>>()

  constructor(matches: ReadonlyArray<M>) {
    const sorted = [...matches].sort((a, b) => numberOf(a) - numberOf(b) || (a.id < b.id ? -1 : 1))
    this.matches = new Set(sorted)
    for (const match of sorted) {
      const known = this.byWinner.get(match.winner.id)
      if (known === undefined) this.byWinner.set(match.winner.id, [match])
      else known.push(match)
    }
  }

  /** First match that this player has won. */
  takeWonBy(player: string): M | null {
    const match = this.byWinner.get(player)?.shift()
    if (match === undefined) return null
    this.matches.delete(match)
    return match
  }

  hasWonBy(player: string): boolean {
    return (this.byWinner.get(player)?.length ?? 0) > 0
  }

  /** Matches that were not taken. Those with more support come first, then those with lower numbers. */
  left(supportOf: (match: M) => number): ReadonlyArray<M> {
    return [...this.matches].sort((a, b) => supportOf(b) - supportOf(a))
  }
}

const numberOf = ({ number }: DrawMatch): number => number ?? Number.MAX_SAFE_INTEGER

/** Neither the place nor any place below it has a match or a known player. */
const isBlank = <M extends DrawMatch>(node: Node<M>): boolean =>
  node.match === null && node.known === null && node.children.every((child) => child === undefined || isBlank(child))

/**
 * Pairs the places of a draw in progress that feed unknown places, in the order of match numbers, which go from the top
 * of the draw to its bottom. If players with byes have not played yet, or places have no numbers to compare, the archive
 * does not state the order. Then no players are paired from there on.
 */
const pairOpenPlaces = <M extends DrawMatch>(tops: ReadonlyArray<Node<M>>, levels: number): void => {
  const byLevel: ReadonlyArray<Array<Node<M>>> = Array.from({ length: levels }, () => [])
  const collect = (node: Node<M>): void => {
    byLevel[node.level]?.push(node)
    for (const child of node.children) if (child !== undefined) collect(child)
  }
  for (const top of tops) collect(top)
  let arePairsKnown = true
  for (const nodes of byLevel.slice(1)) {
    const open = nodes.filter((node) => node.match === null && node.known === null)
    const feeding = open.flatMap((node) => node.children.flatMap((child) => (child === undefined || isBlank(child) ? [] : [child])))
    const ordered = arePairsKnown && feeding.length === 2 * open.length ? inDrawOrder(feeding) : undefined
    if (ordered === undefined) {
      arePairsKnown = false
      for (const node of open) node.hasKnownPair = false
      continue
    }
    for (const [index, node] of open.entries()) node.children = [ordered[2 * index], ordered[2 * index + 1]]
  }
}

/**
 * Sorts places of a round by the numbers of their matches, or of those in the latest earlier round that all of them
 * have. Undefined if there is no such round, for example if two players with byes met while others have not played yet.
 */
const inDrawOrder = <M extends DrawMatch>(nodes: ReadonlyArray<Node<M>>): ReadonlyArray<Node<M>> | undefined => {
  const level = nodes[0]?.level ?? 0
  for (let at = level; at >= 0; at -= 1) {
    const keyed = nodes.map((node) => ({ node, key: lowestAt(node, at) }))
    if (keyed.every(({ key }) => key !== Number.MAX_SAFE_INTEGER)) return keyed.sort((a, b) => a.key - b.key).map(({ node }) => node)
  }
  return undefined
}

/** Lowest match number of a round in a subtree. */
const lowestAt = <M extends DrawMatch>(node: Node<M> | undefined, level: number): number => {
  if (node === undefined || node.level < level) return Number.MAX_SAFE_INTEGER
  if (node.level === level) return node.match === null ? Number.MAX_SAFE_INTEGER : numberOf(node.match)
  return Math.min(...node.children.map((child) => lowestAt(child, level)))
}

/** Lowest match number in a subtree. */
const lowestOf = <M extends DrawMatch>(node: Node<M> | undefined): number =>
  node === undefined
    ? Number.MAX_SAFE_INTEGER
    : Math.min(node.match === null ? Number.MAX_SAFE_INTEGER : numberOf(node.match), ...node.children.map(lowestOf))

interface Emitted<M extends DrawMatch> extends Omit<BracketPlace<M>, "gap"> {
  /** The player of a place without a match has no earlier match either. */
  readonly isEntry: boolean
}

const winnerOf = <M extends DrawMatch>(node: Node<M> | undefined): M["winner"] | null => node?.match?.winner ?? node?.known ?? null

/** Adds the place and all places below it to the rounds, except those about which nothing is known. */
const emit = <M extends DrawMatch>(node: Node<M>, position: number, places: ReadonlyArray<Array<Emitted<M>>>): void => {
  const { isCertain, known, level, match } = node
  const [one, other] = node.children.map((child) => (child === undefined || isBlank(child) ? undefined : child))
  const players: readonly [M["winner"] | null, M["winner"] | null] =
    match !== null ? [match.winner, match.loser] : node.hasKnownPair ? [known ?? winnerOf(one), winnerOf(other)] : [known, null]
  const isSwapped = lowestOf(other) < lowestOf(one)
  places[level]?.push({
    position,
    match,
    // The players of a place without a match are as certain as the places that feed it.
    isCertain: isCertain && (match !== null || [one, other].every((child) => child?.isCertain ?? true)),
    winner: winnerOf(node),
    players: isSwapped ? [players[1], players[0]] : players,
    isEntry: known !== null && one === undefined && other === undefined,
  })
  const [first, second] = isSwapped ? [other, one] : [one, other]
  if (first !== undefined) emit(first, position * 2 - 1, places)
  if (second !== undefined) emit(second, position * 2, places)
}
