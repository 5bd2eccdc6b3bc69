/**
 * Converts documents and events from message format v1 to v2. Each section (team, map, player, round) has its own
 * function: a caller that caches sections, such as the match actor, converts only the changed ones and joins all of
 * them with `compactFrom`.
 */
import type { CompactEvent, CompactMatch } from "./CompactMatch.ts"
import type { LiveEvent } from "./LiveEvent.ts"
import type { LiveGame, LiveMap, LiveMatch, LivePlayer, LiveRound, LiveTeam, optionalFields } from "./LiveMatch.ts"

type Compact<A> = { readonly [K in keyof A as null extends A[K] ? never : K]: A[K] } & {
  readonly [K in keyof A as null extends A[K] ? K : never]?: Exclude<A[K], null>
}

/** Fields that are identical in both message formats, except that v2 omits fields that are null. */
export type SharedFields = Omit<
  LiveMatch,
  | "updatedAt"
  | "lastEvent"
  | "teams"
  | "maps"
  | "game"
  | "players"
  | "rounds"
  | "timeout"
  | "unavailableFields"
  | keyof typeof optionalFields
> & {
  /** Fields that may be absent. The value `null` means the same as an absent field. */
  readonly [K in keyof typeof optionalFields]?: LiveMatch[K] | null
}

export type CompactParts = Pick<CompactMatch, "team1" | "team2" | "maps" | "players" | "rounds" | "unavailableFields"> & {
  readonly game: CompactMatch["game"] | null
  readonly timeout: CompactMatch["timeout"] | null
}

export const compactOf = (match: LiveMatch): CompactMatch => {
  const { updatedAt: _, lastEvent: __, teams, maps, game, players, rounds, timeout, unavailableFields, ...shared } = match
  return compactFrom(shared, {
    team1: compactTeam(teams[0]),
    team2: compactTeam(teams[1]),
    maps: byKey(maps, keyOfMap, compactMap),
    game: game === null ? null : compactGame(game),
    players: byKey(players, keyOfPlayer, compactPlayer),
    rounds: byKey(rounds, keyOfRound, compactRound),
    timeout: timeout === null ? null : withoutNulls(timeout),
    unavailableFields,
  })
}

/** The keys have the same order regardless of which fields are null, so equal documents have equal JSON text. */
export const compactFrom = (shared: SharedFields, { game, timeout, ...parts }: CompactParts): CompactMatch => ({
  ...withoutNulls(shared),
  unavailableFields: parts.unavailableFields,
  team1: parts.team1,
  team2: parts.team2,
  maps: parts.maps,
  ...(game == null ? undefined : { game }),
  players: parts.players,
  rounds: parts.rounds,
  ...(timeout == null ? undefined : { timeout }),
})

/** Has the ids of players but not their names, which clients can look up in the match document. */
export const compactEvent = (event: LiveEvent): CompactEvent => {
  const { playerName: _, playerNick: __, source: ___, payload, ...row } = event
  const details = Object.entries(payload).filter(([key, value]) => value !== null && !(key in event) && !key.endsWith("Nick"))
  return { ...withoutNulls(row), ...(details.length === 0 ? {} : { details: Object.fromEntries(details) }) }
}

export const keyOfMap = (map: LiveMap): string => String(map.mapNumber)
export const keyOfPlayer = (player: LivePlayer): LivePlayer["id"] => player.id
export const keyOfRound = (round: LiveRound): string => String(round.round)

export const compactTeam = (team: LiveTeam): CompactMatch["team1"] => withoutNulls(team)

export const compactMap = ({ mapNumber: _, players, ...map }: LiveMap): CompactMatch["maps"][string] => ({
  ...withoutNulls(map),
  players: byKey(
    players,
    (line) => line.id,
    ({ id: _, ...line }) => withoutNulls(line),
  ),
})

export const compactGame = ({ clockSeconds, bomb, ...game }: LiveGame): NonNullable<CompactMatch["game"]> => ({
  ...withoutNulls(game),
  ...(clockSeconds === null || game.clockEndsAt !== null ? {} : { clockSeconds }),
  ...(bomb === null ? {} : { bomb: withoutNulls(bomb) }),
})

export const compactPlayer = ({ id: _, ...player }: LivePlayer): CompactMatch["players"][LivePlayer["id"]] => withoutNulls(player)

export const compactRound = ({ round: _, ...row }: LiveRound): CompactMatch["rounds"][string] => withoutNulls(row)

const byKey = <A extends object, K extends string, B>(
  items: ReadonlyArray<A>,
  key: (item: A) => K,
  compact: (item: A) => B,
): Record<K, B> => {
  const record = {} as Record<K, B>
  for (const item of items) record[key(item)] = compact(item)
  return record
}

export const withoutNulls = <A extends object>(object: A): Compact<A> => {
  const compact: Record<string, unknown> = {}
  for (const key in object) {
    const value = object[key]
    if (value !== null) compact[key] = value
  }
  return compact as Compact<A>
}
