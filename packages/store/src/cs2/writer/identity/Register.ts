/**
 * In-memory register of the entities that one call of the writer needs. It is loaded with few statements, queried and
 * extended in memory, and its changes are written back. It owns the indexes for finding entities, but not the rules
 * that decide which entity a name belongs to.
 */
import type { EventCandidate, PlayerCandidate, SourceKey, Spell, TeamCandidate } from "@matchpoint/domain/cs2/archive/identity"
import type { EventRow, NameRow, PlayerRow, TeamRow } from "../rows.ts"

export type EntityType = "team" | "player" | "event"

/** Common fields of known teams, players and events. */
interface Known<R> {
  /** Number of the entity. 0 until a new entity is assigned one. */
  number: number
  row: R
  /** The stored row. Undefined if the entity is new. */
  before: R | undefined
  readonly keys: Array<SourceKey>
  readonly nameKeys: Set<string>
  /** Reported names, by source and name key. */
  readonly names: Map<string, SeenName>
}

export interface SeenName extends Omit<NameRow, "entity_type" | "entity_number"> {
  readonly isStored: boolean
}

export interface KnownTeam extends Known<TeamRow>, TeamCandidate {
  readonly keys: Array<SourceKey>
  readonly nameKeys: Set<string>
  readonly called: Map<string, Map<string, Spell>>
  readonly roster: Map<string, Spell>
}

export interface KnownPlayer extends Known<PlayerRow>, PlayerCandidate<KnownTeam> {
  readonly keys: Array<SourceKey>
  readonly teams: Map<KnownTeam, Spell>
}

export interface KnownEvent extends Known<EventRow>, EventCandidate {
  readonly keys: Array<SourceKey>
  readonly nameKeys: Set<string>
  firstAt: number
  lastAt: number
}

export type AnyKnown = KnownTeam | KnownPlayer | KnownEvent

const base = () => ({ keys: [], nameKeys: new Set<string>(), names: new Map<string, SeenName>() })

export const knownTeam = (row: TeamRow, before?: TeamRow): KnownTeam => ({
  number: row.team_number,
  row,
  before,
  ...base(),
  called: new Map(),
  roster: new Map(),
})

export const knownPlayer = (row: PlayerRow, before?: PlayerRow): KnownPlayer => {
  const names = base()
  return { number: row.player_number, row, before, ...names, handleKeys: names.nameKeys, teams: new Map() }
}

export const knownEvent = (row: EventRow, before?: EventRow): KnownEvent => ({
  number: row.event_number,
  row,
  before,
  ...base(),
  firstAt: row.starts_at ?? Number.POSITIVE_INFINITY,
  lastAt: row.ends_at ?? Number.NEGATIVE_INFINITY,
})

/** Index of one entity type by number, source key and name key. */
export class Index<K extends AnyKnown> {
  readonly all: Array<K> = []
  /** Keys that have not been stored yet. */
  readonly newKeys: Array<{ readonly known: K; readonly key: SourceKey }> = []
  private readonly numbers = new Map<number, K>()
  private readonly keys = new Map<string, K>()
  private readonly named = new Map<string, Set<K>>()

  add(known: K): K {
    this.all.push(known)
    if (known.number > 0) this.numbers.set(known.number, known)
    return known
  }

  ofNumber(number: number): K | undefined {
    return this.numbers.get(number)
  }

  ofKey(key: SourceKey): K | undefined {
    return this.keys.get(keyText(key))
  }

  ofName(nameKey: string): ReadonlyArray<K> {
    return [...(this.named.get(nameKey) ?? [])]
  }

  addStoredKey(known: K, key: SourceKey): void {
    known.keys.push(key)
    this.keys.set(keyText(key), known)
  }

  /** Adds a key, unless it already belongs to an entity. */
  addKey(known: K, key: SourceKey): void {
    if (this.keys.has(keyText(key))) return
    this.addStoredKey(known, key)
    this.newKeys.push({ known, key })
  }

  addName(known: K, seen: SeenName): void {
    const { first_seen_at: firstAt, last_seen_at: lastAt, name_key, source } = seen
    known.names.set(`${source}\n${name_key}`, seen)
    known.nameKeys.add(name_key)
    const of = this.named.get(name_key)
    if (of === undefined) this.named.set(name_key, new Set([known]))
    else of.add(known)
    if (!("called" in known)) return
    const called = known.called.get(name_key) ?? new Map<string, Spell>()
    known.called.set(name_key, called.set(source, { firstAt, lastAt }))
  }
}

const keyText = ({ source, key }: SourceKey): string => `${source}\n${key}`

/**
 * An entity that was created although its name matches existing candidates, because none of them was certain to be the
 * same.
 */
export interface Rejection {
  readonly type: EntityType
  readonly known: AnyKnown
  readonly candidates: ReadonlyArray<AnyKnown>
  readonly source: string
}

/** A split by an operator: data of the team `of` between two times (epoch ms) belongs to the team `other`. */
export interface TeamSplit {
  readonly of: number
  readonly other: number
  /** Start of the period, inclusive. */
  readonly from: number
  /** End of the period, exclusive. */
  readonly until: number
}

export class Register {
  readonly teams = new Index<KnownTeam>()
  readonly players = new Index<KnownPlayer>()
  readonly events = new Index<KnownEvent>()
  readonly rejections: Array<Rejection> = []
  /** Team splits made by operators, newest first. */
  readonly splits: Array<TeamSplit> = []

  /** Returns the teams that any of these players plays for. */
  teamsOfHandles(handles: ReadonlyArray<string>): ReadonlySet<KnownTeam> {
    const found = new Set<KnownTeam>()
    for (const handle of handles) for (const player of this.players.ofName(handle)) for (const team of player.teams.keys()) found.add(team)
    return found
  }

  /** Returns the team that `team` counts as at this time, according to the splits by operators. */
  splitAt(team: KnownTeam, at: number): KnownTeam {
    const split = this.splits.find(({ from, of, until }) => of === team.number && at >= from && at < until)
    return (split && this.teams.ofNumber(split.other)) ?? team
  }

  /** Records that the player was in the team's lineup at this time. */
  together(team: KnownTeam, player: KnownPlayer, handleKey: string, at: number): void {
    extend(team.roster, handleKey, { firstAt: at, lastAt: at })
    extend(player.teams, team, { firstAt: at, lastAt: at })
  }
}

export const extend = <K>(spells: Map<K, Spell>, key: K, more: Spell): void => {
  const spell = spells.get(key) ?? more
  spells.set(key, { firstAt: Math.min(spell.firstAt, more.firstAt), lastAt: Math.max(spell.lastAt, more.lastAt) })
}
