/**
 * Shape v2 of a document and of an event in shape v1. Pure. Parts of the document that are the same objects as before give the same
 * objects again, so that a projection that keeps what did not change costs a delta nothing for it.
 */
import type { LiveEvent } from "../LiveEvent.ts"
import type { LiveGame, LiveMap, LiveMatch, LivePlayer, LiveRound } from "../LiveMatch.ts"
import type { CompactEvent, CompactMatch } from "./CompactMatch.ts"

type Compact<A> = { readonly [K in keyof A as null extends A[K] ? never : K]: A[K] } & {
  readonly [K in keyof A as null extends A[K] ? K : never]?: Exclude<A[K], null>
}

export const compactOf = (match: LiveMatch): CompactMatch => {
  const { updatedAt: _, lastEvent: __, teams, maps, game, players, rounds, timeout, ...rest } = match
  return {
    ...withoutNulls(rest),
    team1: cached(teams[0], withoutNulls),
    team2: cached(teams[1], withoutNulls),
    maps: byKey(maps, (map) => String(map.mapNumber), compactMap),
    ...(game === null ? {} : { game: cached(game, compactGame) }),
    players: byKey(players, (player) => player.id, compactPlayer),
    rounds: byKey(rounds, (round) => String(round.round), compactRound),
    ...(timeout === null ? {} : { timeout: withoutNulls(timeout) }),
  }
}

/** Names resolve through the document's players, so the row carries ids alone. */
export const compactEvent = (event: LiveEvent): CompactEvent => {
  const { playerName: _, playerNick: __, source: ___, payload, ...row } = event
  const details = Object.entries(payload).filter(([key, value]) => value !== null && !(key in event) && !key.endsWith("Nick"))
  return { ...withoutNulls(row), ...(details.length === 0 ? {} : { details: Object.fromEntries(details) }) }
}

const compactMap = ({ mapNumber: _, players, ...map }: LiveMap) => ({
  ...withoutNulls(map),
  players: byKey(
    players,
    (line) => line.id,
    ({ id: _, ...line }) => withoutNulls(line),
  ),
})

const compactGame = ({ clockSeconds, bomb, ...game }: LiveGame) => ({
  ...withoutNulls(game),
  ...(clockSeconds === null || game.clockEndsAt !== null ? {} : { clockSeconds }),
  ...(bomb === null ? {} : { bomb: withoutNulls(bomb) }),
})

const compactPlayer = ({ id: _, ...player }: LivePlayer) => withoutNulls(player)

const compactRound = ({ round: _, ...row }: LiveRound) => withoutNulls(row)

const byKey = <A extends object, K extends string, B extends object>(
  items: ReadonlyArray<A>,
  key: (item: A) => K,
  compact: (item: A) => B,
): Record<K, B> => {
  const record = {} as Record<K, B>
  for (const item of items) record[key(item)] = cached(item, compact)
  return record
}

/** Per kind of part, what its objects became; forgotten with the objects. */
const caches = new WeakMap<object, WeakMap<object, object>>()

const cached = <A extends object, B extends object>(part: A, compact: (part: A) => B): B => {
  let cache = caches.get(compact)
  if (cache === undefined) {
    cache = new WeakMap()
    caches.set(compact, cache)
  }
  const known = cache.get(part)
  if (known !== undefined) return known as B
  const made = compact(part)
  cache.set(part, made)
  return made
}

const withoutNulls = <A extends object>(object: A): Compact<A> => {
  const compact: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(object)) if (value !== null) compact[key] = value
  return compact as Compact<A>
}
