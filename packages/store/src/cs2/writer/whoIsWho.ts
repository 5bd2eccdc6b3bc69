/**
 * Finds in the register who a source speaks of, or adds them to it. Keys first, then the domain's rules of names, line-ups and dates;
 * what was turned down is noted for the changelog.
 */
import type { EventRef, PlayerRef, TeamRef } from "@matchpoint/domain/cs2/archive/ArchivedMatch"
import { OUR_NUMBERS, type SourceKey, sameEvent, samePlayer, sameTeam } from "@matchpoint/domain/cs2/archive/identity"
import { handleKey, nameKey } from "@matchpoint/domain/cs2/archive/names"
import type { Sighting } from "../ArchiveWriter.ts"
import { newEvent, newPlayer, newTeam } from "./newEntities.ts"
import type { AnyKnown, Index, KnownEvent, KnownPlayer, KnownTeam, Register } from "./Register.ts"
import { see } from "./seenNames.ts"

/** A key that is the name again tells no more than the name. */
const ownKeys = (
  source: string,
  key: string | undefined,
  isName: (key: string) => boolean,
  number: number | undefined,
): ReadonlyArray<SourceKey> => [
  ...(key === undefined || isName(key) ? [] : [{ source, key }]),
  ...(number === undefined ? [] : [{ source: OUR_NUMBERS, key: String(number) }]),
]

export const teamKeys = (team: TeamRef, source: string): ReadonlyArray<SourceKey> =>
  ownKeys(source, team.key, (key) => nameKey(key) === nameKey(team.name), team.teamNumber)

export const playerKeys = (player: PlayerRef, source: string): ReadonlyArray<SourceKey> =>
  ownKeys(source, player.key, (key) => handleKey(key) === handleKey(player.nickname), player.playerNumber)

export const eventKeys = (event: EventRef, source: string): ReadonlyArray<SourceKey> =>
  ownKeys(source, event.key, (key) => nameKey(key) === nameKey(event.name), undefined)

/** The key under which a source's unclear name is found again, so that it does not become another entity each time it is told. */
export const unclearKey = (source: string, name: string): SourceKey => ({ source, key: `~${name}` })

const ofKeys = <K extends AnyKnown>(index: Index<K>, keys: ReadonlyArray<SourceKey>, number: number | undefined): K | undefined => {
  for (const key of keys) {
    const known = index.ofKey(key)
    if (known !== undefined) return known
  }
  return number === undefined ? undefined : index.ofNumber(number)
}

const settle = <K extends AnyKnown>(
  index: Index<K>,
  known: K,
  keys: ReadonlyArray<SourceKey>,
  seen: Sighting,
  name: string,
  key: string,
) => {
  for (const own of keys) index.addKey(known, own)
  see(index, known, { source: seen.source, at: seen.at, name: name.trim(), nameKey: key })
  return known
}

/** `opponent`: cannot be it. */
export const whichTeam = (
  register: Register,
  team: TeamRef,
  seen: Sighting,
  roster: ReadonlyArray<PlayerRef>,
  opponent?: KnownTeam,
): KnownTeam => {
  const { teams } = register
  const keys = teamKeys(team, seen.source)
  const key = nameKey(team.name)
  const found = ofKeys(teams, keys, team.teamNumber) ?? byName()
  return settle(teams, found ?? teams.add(newTeam(team, seen)), keys, seen, team.name, key)

  function byName(): KnownTeam | undefined {
    const handles = [...new Set(roster.map(({ nickname }) => handleKey(nickname)))]
    const candidates = new Set([...teams.ofName(key), ...register.teamsOfHandles(handles)])
    if (opponent !== undefined) candidates.delete(opponent)
    const told = { source: seen.source, keys, nameKey: key, at: seen.at, roster: handles }
    const { rejected, same } = sameTeam<KnownTeam>(told, [...candidates])
    if (same !== undefined || rejected.length === 0) return same
    const again = keys.length === 0 && handles.length === 0 ? teams.ofKey(unclearKey(seen.source, key)) : undefined
    if (again !== undefined) return again
    const known = teams.add(newTeam(team, seen))
    if (keys.length === 0 && handles.length === 0) teams.addKey(known, unclearKey(seen.source, key))
    register.rejections.push({ type: "team", known, candidates: rejected, source: seen.source })
    return known
  }
}

/** `taken`: others of the same match, who cannot be him. */
export const whichPlayer = (
  register: Register,
  player: PlayerRef,
  seen: Sighting,
  team: KnownTeam | undefined,
  taken: ReadonlySet<KnownPlayer> = new Set(),
): KnownPlayer => {
  const { players } = register
  const keys = playerKeys(player, seen.source)
  const key = handleKey(player.nickname)
  const found = ofKeys(players, keys, player.playerNumber) ?? byName()
  const known = settle(players, found ?? players.add(newPlayer(player, seen)), keys, seen, player.nickname, key)
  if (team !== undefined) register.together(team, known, key, seen.at)
  return known

  function byName(): KnownPlayer | undefined {
    const candidates = players.ofName(key).filter((candidate) => !taken.has(candidate))
    const { rejected, same } = samePlayer<KnownTeam, KnownPlayer>({ keys, handleKey: key, at: seen.at, team }, candidates)
    if (same !== undefined || rejected.length === 0) return same
    const isUnclear = keys.length === 0 && team === undefined
    const again = isUnclear ? players.ofKey(unclearKey(seen.source, key)) : undefined
    if (again !== undefined) return again
    const created = players.add(newPlayer(player, seen))
    if (isUnclear) players.addKey(created, unclearKey(seen.source, key))
    register.rejections.push({ type: "player", known: created, candidates: rejected, source: seen.source })
    return created
  }
}

export const whichEvent = (register: Register, event: EventRef, seen: Sighting): KnownEvent => {
  const { events } = register
  const keys = eventKeys(event, seen.source)
  const key = nameKey(event.name)
  const found = ofKeys(events, keys, undefined) ?? sameEvent({ keys, nameKey: key, at: seen.at }, events.ofName(key))
  const known = settle(events, found ?? events.add(newEvent(event, seen)), keys, seen, event.name, key)
  known.firstAt = Math.min(known.firstAt, seen.at)
  known.lastAt = Math.max(known.lastAt, seen.at)
  return known
}
