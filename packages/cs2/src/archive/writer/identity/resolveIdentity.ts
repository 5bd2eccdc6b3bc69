/**
 * Finds the teams, players and events in the register to which reported names belong, and adds new ones. First the
 * source's own keys are compared, then names, lineups and dates by the rules of the domain package. If candidates with
 * the same name were rejected, they are recorded for the changelog.
 */
import type { EventRef, PlayerRef, TeamRef } from "../../../rules/archive/ArchivedMatch.ts"
import { OWN_IDS, type SourceKey, sameEvent, samePlayer, sameTeam, sharedKey, unclearKey } from "../../../rules/archive/identity.ts"
import { handleKey, nameKey } from "../../../rules/archive/names.ts"
import type { ReportOrigin } from "../reports.ts"
import { newEvent, newPlayer, newTeam } from "./newEntities.ts"
import type { AnyKnown, Index, KnownEvent, KnownPlayer, KnownTeam, Register } from "./Register.ts"
import { see } from "./seenNames.ts"

/**
 * Returns the keys by which a reported entity can be found: the source's own key and the archive's number, if they were
 * reported. A key that only repeats the entity's name is left out, because it adds no information.
 */
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
  /**
   * True if the name was reported as part of a match. In that case no key needs to be stored for the entity, because
   * the stored match already records which teams and players took part.
   */
  readonly isInMatch?: boolean
}

/**
 * Returns a substitute for a missing source key, for a team whose name is ambiguous. The substitute consists of the
 * source, the name and the roster.
 */
export const unclearTeamKey = (source: string, { name }: TeamRef, roster: ReadonlyArray<PlayerRef>): SourceKey =>
  unclearKey(source, nameKey(name), handlesOf(roster))

/**
 * Returns a substitute for a missing source key, for a player whose nickname is ambiguous. `teamNumber` is the team for
 * which the source reported the player.
 */
export const unclearPlayerKey = (source: string, { nickname }: PlayerRef, teamNumber: number | undefined): SourceKey =>
  unclearKey(source, handleKey(nickname), teamNumber === undefined ? [] : [String(teamNumber)])

const handlesOf = (roster: ReadonlyArray<PlayerRef>): ReadonlyArray<string> => [
  ...new Set(roster.map(({ nickname }) => handleKey(nickname))),
]

/**
 * Sorts candidates by entity number, lowest (oldest) first, so that the choice between equally good candidates does not
 * depend on the order in which the database returns rows.
 */
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
 * Finds the team that a source reports, or adds a new team. `opponent` is the other team of the match, which cannot be
 * the reported team. `apartFrom` lists names that the source uses for other teams: an existing team with one of these
 * names is not the reported team.
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
  // Stores a key by which this team can be found again, because its name may become ambiguous when other teams use the
  // same name. The key is not needed if at least two of the reported players already identify the team.
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

/**
 * Finds the player that a source reports, or adds a new player. `taken` contains the other players of the same match,
 * who cannot be the reported player.
 */
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
    // If the player is not known to play for this team, the team cannot be used to find the player again. A substitute
    // key is therefore stored, unless the source reported a key or the report is part of a match.
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

/**
 * Estimates the dates of an event for which no dates were reported: from the first to the last time at which its name
 * was reported.
 */
const dateBySightings = (event: KnownEvent): void => {
  if (event.firstAt <= event.lastAt) return
  for (const { first_seen_at, last_seen_at } of event.names.values()) {
    event.firstAt = Math.min(event.firstAt, first_seen_at)
    event.lastAt = Math.max(event.lastAt, last_seen_at)
  }
}
