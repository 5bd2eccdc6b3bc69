/** Determines the teams, players and event of a reported match. A match that is already stored keeps its participants. */
import type { ArchivedMatch, PlayerRef, TeamSlot } from "../../../rules/archive/ArchivedMatch.ts"
import { handleKey, nameKey } from "../../../rules/archive/names.ts"
import type { MatchDraft } from "../merge/MatchBook.ts"
import { mergeEventRef } from "../sheets.ts"
import { newTeam } from "./newEntities.ts"
import type { KnownEvent, KnownPlayer, KnownTeam, Register } from "./Register.ts"
import { eventKeys, playerKeys, resolveEvent, resolvePlayer, resolveTeam, teamKeys } from "./resolveIdentity.ts"

export interface ResolvedMatch {
  readonly reported: ArchivedMatch
  readonly teams: readonly [KnownTeam, KnownTeam]
  readonly lineups: readonly [ReadonlyArray<KnownPlayer>, ReadonlyArray<KnownPlayer>]
  readonly event: KnownEvent | undefined
  /** `slot` is the index of the player's team in the match, or undefined if the source did not report the team. */
  readonly playerOf: (player: PlayerRef, slot: TeamSlot | undefined) => KnownPlayer
}

const slots = [0, 1] as const

/** The lineup, and everyone with statistics on at least one map. */
export const rosterOf = (match: ArchivedMatch, slot: TeamSlot): ReadonlyArray<PlayerRef> => {
  const players = new Map<string, PlayerRef>()
  const add = (player: PlayerRef) => {
    if (!players.has(refId(player))) players.set(refId(player), player)
  }
  match.lineups[slot].forEach(add)
  for (const { lines } of match.games) for (const { player, team } of lines) if (team === slot) add(player)
  return [...players.values()]
}

/** Every player in round events, once: also substitutes without statistics, and names reported by mistake. */
export const playersInEvents = (match: ArchivedMatch): ReadonlyArray<PlayerRef> => {
  const players = new Map<string, PlayerRef>()
  for (const { events } of match.games) {
    for (const { assister, player, victim } of events) {
      for (const ref of [player, victim, assister]) if (ref !== undefined) players.set(refId(ref), ref)
    }
  }
  return [...players.values()]
}

const refId = ({ key, nickname, playerNumber }: PlayerRef): string =>
  key ?? (playerNumber === undefined ? handleKey(nickname) : `#${playerNumber}`)

/** As determined when the match was last written. */
export interface StoredParticipants {
  readonly teams: readonly [KnownTeam, KnownTeam]
  readonly members: ReadonlyArray<{ readonly player: KnownPlayer; readonly team: KnownTeam }>
  readonly event: KnownEvent | undefined
  /** The match has not started yet, so its teams may still change. */
  readonly isOpen: boolean
}

export const rememberStored = (register: Register, { lineup, series }: MatchDraft): StoredParticipants | undefined => {
  const [one, two] = [register.teams.ofNumber(series.team1_number), register.teams.ofNumber(series.team2_number)]
  if (one === undefined || two === undefined) return undefined
  const members = [...lineup.values()].flatMap(({ player_number, team_number }) => {
    const [player, team] = [register.players.ofNumber(player_number), register.teams.ofNumber(team_number)]
    return player === undefined || team === undefined ? [] : [{ player, team }]
  })
  const event = series.event_number === null ? undefined : register.events.ofNumber(series.event_number)
  return { teams: [one, two], members, event, isOpen: series.status === "upcoming" }
}

export const rememberResolved = ({ event, lineups, teams, reported }: ResolvedMatch): StoredParticipants => ({
  teams,
  members: slots.flatMap((slot) => lineups[slot].map((player) => ({ player, team: teams[slot] }))),
  event,
  isOpen: reported.status === "upcoming",
})

export const resolveMatch = (register: Register, reported: ArchivedMatch, stored: StoredParticipants | undefined): ResolvedMatch => {
  const seen = { source: reported.source, at: reported.startsAt, isInMatch: true }
  const rosters = [rosterOf(reported, 0), rosterOf(reported, 1)] as const
  const teams = storedTeams(register, reported, stored) ?? newTeams()
  const found = new Map<string, KnownPlayer>()
  const taken = new Set<KnownPlayer>()

  const find = (player: PlayerRef, slot: TeamSlot | undefined): KnownPlayer => {
    const team = slot === undefined ? undefined : teams[slot]
    const before = slot === undefined ? undefined : storedPlayer(register, player, reported.source, teams[slot], stored)
    const known = before ?? resolvePlayer(register, player, seen, team, taken)
    found.set(`${slot}|${refId(player)}`, known)
    taken.add(known)
    return known
  }
  const lineup = (slot: TeamSlot): ReadonlyArray<KnownPlayer> => [...new Set(rosters[slot].map((player) => find(player, slot)))]
  const lineups = [lineup(0), lineup(1)] as const

  const event =
    reported.event === undefined ? undefined : (storedEvent(register, reported, stored) ?? resolveEvent(register, reported.event, seen))
  if (event !== undefined && reported.event !== undefined) mergeEventRef(event, reported.event, reported.source, reported.isLan)

  const playerOf = (player: PlayerRef, slot: TeamSlot | undefined): KnownPlayer =>
    (slot === undefined ? slots : [slot]).map((one) => found.get(`${one}|${refId(player)}`)).find((known) => known !== undefined) ??
    found.get(`undefined|${refId(player)}`) ??
    find(player, undefined)
  for (const player of playersInEvents(reported)) playerOf(player, undefined)

  return { reported, teams, lineups, event, playerOf }

  function newTeams(): readonly [KnownTeam, KnownTeam] {
    const first = resolveTeam(register, reported.teams[0], seen, rosters[0])
    const second = resolveTeam(register, reported.teams[1], seen, rosters[1], first)
    // If a source uses the same key for both teams, the second becomes a new team: no team plays against itself.
    return [first, second === first ? register.teams.add(newTeam({ name: reported.teams[1].name }, seen)) : second]
  }
}

/** Teams in the order of the new report. Undefined if the match is not stored, or is open and the report names others. */
const storedTeams = (
  register: Register,
  reported: ArchivedMatch,
  stored: StoredParticipants | undefined,
): readonly [KnownTeam, KnownTeam] | undefined => {
  if (stored === undefined) return undefined
  const [one, two] = stored.teams
  const weight = (team: KnownTeam, slot: TeamSlot) => likeness(register, reported, slot, team, stored)
  const direct = weight(one, 0) + weight(two, 1)
  const crossed = weight(one, 1) + weight(two, 0)
  if (direct === 0 && crossed === 0 && stored.isOpen) return undefined
  return direct >= crossed ? [one, two] : [two, one]
}

/**
 * An equal key counts more than an equal name, and an equal name more than any number of common players, because two
 * teams with the same name may play each other.
 */
const likeness = (
  register: Register,
  reported: ArchivedMatch,
  slot: TeamSlot,
  team: KnownTeam,
  { members }: StoredParticipants,
): number => {
  const isKeyed = teamKeys(reported.teams[slot], reported.source).some((key) => register.teams.ofKey(key) === team)
  const isNamed = team.nameKeys.has(nameKey(reported.teams[slot].name))
  const handles = rosterOf(reported, slot).map(({ nickname }) => handleKey(nickname))
  const mates = members.filter((member) => member.team === team && handles.some((handle) => member.player.handleKeys.has(handle)))
  return (isKeyed ? 1000 : 0) + (isNamed ? 100 : 0) + Math.min(mates.length, 99)
}

const storedPlayer = (
  register: Register,
  player: PlayerRef,
  source: string,
  team: KnownTeam,
  stored: StoredParticipants | undefined,
): KnownPlayer | undefined => {
  const hasKnownKey = playerKeys(player, source).some((key) => register.players.ofKey(key) !== undefined)
  const key = handleKey(player.nickname)
  return hasKnownKey ? undefined : stored?.members.find((member) => member.team === team && member.player.handleKeys.has(key))?.player
}

const storedEvent = (register: Register, reported: ArchivedMatch, stored: StoredParticipants | undefined): KnownEvent | undefined => {
  const event = stored?.event
  if (event === undefined || reported.event === undefined) return undefined
  const isIt =
    event.nameKeys.has(nameKey(reported.event.name)) ||
    eventKeys(reported.event, reported.source).some((key) => register.events.ofKey(key) === event)
  return isIt ? event : undefined
}
