/**
 * Finds the teams, players and events in the register to which reported names belong, and adds new ones. The source's
 * own keys are compared first, then names, lineups and dates by the rules of `rules/archive/identity`. Rejected
 * candidates with the same name are recorded for the changelog.
 */
import type { EventRef, PlayerRef, TeamRef } from "../../../rules/archive/ArchivedMatch.ts"
import { OWN_IDS, type SourceKey, sameEvent, samePlayer, sameTeam, sharedKey, unclearKey } from "../../../rules/archive/identity.ts"
import { handleKey, nameKey } from "../../../rules/archive/names.ts"
import type { ReportOrigin } from "../reports.ts"
import { newEvent, newPlayer, newTeam } from "./newEntities.ts"
import type { AnyKnown, Index, KnownEvent, KnownPlayer, KnownTeam, Register } from "./Register.ts"
import { see } from "./seenNames.ts"

/** The source's own key and the archive's number, if reported. A key that only repeats the name adds no information. */
const ownKeys = (
  source: string,
  key: string | undefined,
  isName: (key: string) => boolean,
  number: number | undefined,
): ReadonlyArray<SourceKey> => [
  ...(key === undefined || isName(key) ? [] : [{ source, key }]),
  ...(number === undefined ? [] : [{ source: OWN_IDS, key: String(number) }]),
]

export const teamKeys = (team: TeamRef, source: string): ReadonlyArray<SourceKey> => [
  ...ownKeys(source, team.key, (key) => nameKey(key) === nameKey(team.name), team.teamNumber),
  ...(team.issuer === undefined || team.key === undefined ? [] : [sharedKey(team.issuer, team.key)]),
]

export const playerKeys = (player: PlayerRef, source: string): ReadonlyArray<SourceKey> =>
  ownKeys(source, player.key, (key) => handleKey(key) === handleKey(player.nickname), player.playerNumber)

export const eventKeys = (event: EventRef, source: string): ReadonlyArray<SourceKey> =>
  ownKeys(source, event.key, (key) => nameKey(key) === nameKey(event.name), undefined)

export interface Seen extends ReportOrigin {
  /** The name was reported in a match. No key is needed then: the stored match records who took part. */
  readonly isInMatch?: boolean
}

/** Substitute for a missing source key, for a team whose name is ambiguous: the source, the name and the roster. */
export const unclearTeamKey = (source: string, { name }: TeamRef, roster: ReadonlyArray<PlayerRef>): SourceKey =>
  unclearKey(source, nameKey(name), handlesOf(roster))

/** Like `unclearTeamKey`, for an ambiguous nickname and the team for which the source reported the player. */
export const unclearPlayerKey = (source: string, { nickname }: PlayerRef, teamNumber: number | undefined): SourceKey =>
  unclearKey(source, handleKey(nickname), teamNumber === undefined ? [] : [String(teamNumber)])

const handlesOf = (roster: ReadonlyArray<PlayerRef>): ReadonlyArray<string> => [
  ...new Set(roster.map(({ nickname }) => handleKey(nickname))),
]

/** Lowest (oldest) number first: equally good candidates must not depend on the order of database rows. */
const inOrder = <K extends AnyKnown>(candidates: Iterable<K>): ReadonlyArray<K> =>
  [...candidates].sort((a, b) => (a.number || Number.POSITIVE_INFINITY) - (b.number || Number.POSITIVE_INFINITY) || 0)

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
  seen: ReportOrigin,
  name: string,
  key: string,
) => {
  for (const own of keys) index.addKey(known, own)
  see(index, known, { source: seen.source, at: seen.at, name: name.trim(), nameKey: key })
  return known
}

/**
 * Finds or adds the team. `opponent` is the other team of the match, which cannot be it. `apartFrom` lists names that
 * the source uses for other teams: an existing team with one of these names is not the reported one.
 */
export const resolveTeam = (
  register: Register,
  team: TeamRef,
  seen: Seen,
  roster: ReadonlyArray<PlayerRef>,
  opponent?: KnownTeam,
  apartFrom: ReadonlySet<string> = new Set(),
): KnownTeam => {
  const { teams } = register
  const keys = teamKeys(team, seen.source)
  const key = nameKey(team.name)
  const found = ofKeys(teams, keys, team.teamNumber) ?? byName()
  const split = found && register.splitAt(found, seen.at)
  const known = settle(teams, (split === opponent ? found : split) ?? teams.add(newTeam(team, seen)), keys, seen, team.name, key)
  // The name may become ambiguous when other teams use it. No key is needed if at least two of the reported players
  // already identify the team.
  const shown = roster.filter(({ nickname }) => known.roster.has(handleKey(nickname))).length
  if (keys.length === 0 && seen.isInMatch !== true && roster.length > 0 && shown < 2) {
    teams.addKey(known, unclearTeamKey(seen.source, team, roster))
  }
  return known

  function byName(): KnownTeam | undefined {
    const handles = handlesOf(roster)
    const candidates = new Set([...teams.ofName(key), ...register.teamsOfHandles(handles)])
    if (opponent !== undefined) candidates.delete(opponent)
    const reported = {
      source: seen.source,
      keys,
      nameKey: key,
      at: seen.at,
      roster: handles,
      apartFrom: new Set([...apartFrom].map(nameKey)),
    }
    const { rejected, same } = sameTeam<KnownTeam>(reported, inOrder(candidates))
    if (same !== undefined || rejected.length === 0) return same
    const isKept = keys.length === 0 && (seen.isInMatch !== true || handles.length === 0)
    const unclear = isKept ? unclearTeamKey(seen.source, team, roster) : undefined
    const again = unclear && teams.ofKey(unclear)
    if (again !== undefined && again !== opponent) return again
    const known = teams.add(newTeam(team, seen))
    if (unclear !== undefined) teams.addKey(known, unclear)
    register.rejections.push({ type: "team", known, candidates: rejected, source: seen.source })
    return known
  }
}

/** Finds or adds the player. `taken` are the other players of the match, which cannot be it. */
export const resolvePlayer = (
  register: Register,
  player: PlayerRef,
  seen: Seen,
  team: KnownTeam | undefined,
  taken: ReadonlySet<KnownPlayer> = new Set(),
): KnownPlayer => {
  const { players } = register
  const keys = playerKeys(player, seen.source)
  const key = handleKey(player.nickname)
  const found = ofKeys(players, keys, player.playerNumber) ?? byName()
  const known = settle(players, found ?? players.add(newPlayer(player, seen)), keys, seen, player.nickname, key)
  if (team !== undefined) {
    // The team cannot identify a player that is not known to play for it. The substitute key does, unless the source
    // reported a key or the report is part of a match.
    if (keys.length === 0 && seen.isInMatch !== true && !known.teams.has(team)) {
      players.addKey(known, unclearPlayerKey(seen.source, player, team.number))
    }
    register.together(team, known, key, seen.at)
  }
  return known

  function byName(): KnownPlayer | undefined {
    const candidates = inOrder(players.ofName(key)).filter((candidate) => !taken.has(candidate))
    const { rejected, same } = samePlayer<KnownTeam, KnownPlayer>({ keys, handleKey: key, at: seen.at, team }, candidates)
    if (same !== undefined || rejected.length === 0) return same
    const isKept = keys.length === 0 && (seen.isInMatch !== true || team === undefined)
    const unclear = isKept ? unclearPlayerKey(seen.source, player, team?.number) : undefined
    const again = unclear && players.ofKey(unclear)
    if (again !== undefined && !taken.has(again)) return again
    const created = players.add(newPlayer(player, seen))
    if (unclear !== undefined) players.addKey(created, unclear)
    register.rejections.push({ type: "player", known: created, candidates: rejected, source: seen.source })
    return created
  }
}

export const resolveEvent = (register: Register, event: EventRef, seen: ReportOrigin): KnownEvent => {
  const { events } = register
  const keys = eventKeys(event, seen.source)
  const key = nameKey(event.name)
  const candidates = inOrder(events.ofName(key))
  candidates.forEach(dateBySightings)
  const found = ofKeys(events, keys, undefined) ?? sameEvent({ keys, nameKey: key, at: seen.at }, candidates)
  const known = settle(events, found ?? events.add(newEvent(event, seen)), keys, seen, event.name, key)
  known.firstAt = Math.min(known.firstAt, seen.at)
  known.lastAt = Math.max(known.lastAt, seen.at)
  return known
}

/** Without reported dates, an event lasts from the first to the last time at which its name was reported. */
const dateBySightings = (event: KnownEvent): void => {
  if (event.firstAt <= event.lastAt) return
  for (const { first_seen_at, last_seen_at } of event.names.values()) {
    event.firstAt = Math.min(event.firstAt, first_seen_at)
    event.lastAt = Math.max(event.lastAt, last_seen_at)
  }
}
