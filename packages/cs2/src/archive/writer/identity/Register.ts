/**
 * In-memory register of the teams, players and events that one call of the archive writer needs: loaded with a few SQL
 * statements, queried and extended in memory, then written back. It contains the indexes by which entities are found,
 * but not the rules that decide which entity a reported name belongs to.
 */
import type { EventCandidate, PlayerCandidate, SourceKey, TeamCandidate, TeamStay } from "../../../rules/archive/identity.ts"
import type { EventRow, NameRow, PlayerRow, TeamRow } from "../rows.ts"

export type EntityType = "team" | "player" | "event"

interface Known<R> {
  /** 0 for a new entity that has no number yet. */
  number: number
  row: R
  /** As stored in the database. Undefined if the entity is new. */
  before: R | undefined
  readonly keys: Array<SourceKey>
  readonly nameKeys: Set<string>
  /** Keyed by source and normalized name. */
  readonly names: Map<string, ReportedName>
}

export interface ReportedName extends Omit<NameRow, "entity_type" | "entity_number"> {
  readonly isStored: boolean
}

export interface KnownTeam extends Known<TeamRow>, TeamCandidate {
  readonly keys: Array<SourceKey>
  readonly nameKeys: Set<string>
  readonly called: Map<string, Map<string, TeamStay>>
  readonly roster: Map<string, TeamStay>
}

export interface KnownPlayer extends Known<PlayerRow>, PlayerCandidate<KnownTeam> {
  readonly keys: Array<SourceKey>
  readonly teams: Map<KnownTeam, TeamStay>
}

export interface KnownEvent extends Known<EventRow>, EventCandidate {
  readonly keys: Array<SourceKey>
  readonly nameKeys: Set<string>
  firstAt: number
  lastAt: number
}

export type AnyKnown = KnownTeam | KnownPlayer | KnownEvent

const base = () => ({ keys: [], nameKeys: new Set<string>(), names: new Map<string, ReportedName>() })

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

/** Index of the entities of one type by number, by source key (a source's own id for the entity) and by normalized name. */
export class Index<K extends AnyKnown> {
  readonly all: Array<K> = []
  /** Not stored in the database yet. */
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

  /** Does nothing if the key already belongs to an entity. */
  addKey(known: K, key: SourceKey): void {
    if (this.keys.has(keyText(key))) return
    this.addStoredKey(known, key)
    this.newKeys.push({ known, key })
  }

  addName(known: K, seen: ReportedName): void {
    const { first_seen_at: firstAt, last_seen_at: lastAt, name_key, source } = seen
    known.names.set(`${source}\n${name_key}`, seen)
    known.nameKeys.add(name_key)
    const of = this.named.get(name_key)
    if (of === undefined) this.named.set(name_key, new Set([known]))
    else of.add(known)
    if (!("called" in known)) return
    const called = known.called.get(name_key) ?? new Map<string, TeamStay>()
    known.called.set(name_key, called.set(source, { firstAt, lastAt }))
  }
}

const keyText = ({ source, key }: SourceKey): string => `${source}\n${key}`

/** A new entity was created although existing candidates have the same name, because no candidate was certain. */
export interface Rejection {
  readonly type: EntityType
  readonly known: AnyKnown
  readonly candidates: ReadonlyArray<AnyKnown>
  readonly source: string
}

/** An operator's decision that data of the team `of` in a period belongs to `other`. Times are epoch ms. */
export interface TeamSplit {
  readonly of: number
  readonly other: number
  /** Inclusive. */
  readonly from: number
  /** Exclusive. */
  readonly until: number
}

export class Register {
  readonly teams = new Index<KnownTeam>()
  readonly players = new Index<KnownPlayer>()
  readonly events = new Index<KnownEvent>()
  readonly rejections: Array<Rejection> = []
  /** Newest first. */
  readonly splits: Array<TeamSplit> = []

  /** Teams for which at least one of the players has played. */
  teamsOfHandles(handles: ReadonlyArray<string>): ReadonlySet<KnownTeam> {
    const found = new Set<KnownTeam>()
    for (const handle of handles) for (const player of this.players.ofName(handle)) for (const team of player.teams.keys()) found.add(team)
    return found
  }

  /** The team to which data at this time really belongs: `team` or, after a split by an operator, possibly another one. */
  splitAt(team: KnownTeam, at: number): KnownTeam {
    const split = this.splits.find(({ from, of, until }) => of === team.number && at >= from && at < until)
    return (split && this.teams.ofNumber(split.other)) ?? team
  }

  together(team: KnownTeam, player: KnownPlayer, handleKey: string, at: number): void {
    extend(team.roster, handleKey, { firstAt: at, lastAt: at })
    extend(player.teams, team, { firstAt: at, lastAt: at })
  }
}

export const extend = <K>(spells: Map<K, TeamStay>, key: K, more: TeamStay): void => {
  const spell = spells.get(key) ?? more
  spells.set(key, { firstAt: Math.min(spell.firstAt, more.firstAt), lastAt: Math.max(spell.lastAt, more.lastAt) })
}
