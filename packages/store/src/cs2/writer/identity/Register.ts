/**
 * Who is known to the archive, as far as one call of the writer needs it: loaded in few statements, asked and added to in memory, and
 * written back where it changed. It owns the indexes by which somebody is found, and no rule of who is who.
 */
import type { EventCandidate, PlayerCandidate, SourceKey, Spell, TeamCandidate } from "@matchpoint/domain/cs2/archive/identity"
import type { EventRow, NameRow, PlayerRow, TeamRow } from "../rows.ts"

export type EntityType = "team" | "player" | "event"

/** What teams, players and events have in common. */
interface Known<R> {
  /** 0 until a new one is given its own. */
  number: number
  row: R
  /** As it is stored; undefined: it is new. */
  before: R | undefined
  readonly keys: Array<SourceKey>
  readonly nameKeys: Set<string>
  /** By source and key of the name. */
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

/** One kind: found by number, by a source's key, by the key of a name. */
export class Index<K extends AnyKnown> {
  readonly all: Array<K> = []
  /** Keys that are not stored yet. */
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

  /** A key that is somebody's already stays his. */
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

/** Two candidates that a name fits and that were not taken for each other. */
export interface Rejection {
  readonly type: EntityType
  readonly known: AnyKnown
  readonly candidates: ReadonlyArray<AnyKnown>
  readonly source: string
}

/** What the team `of` does between two times, epoch ms, is done by the team `other`. */
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
  /** By operators. */
  readonly splits: Array<TeamSplit> = []

  /** Teams that one of these plays for. */
  teamsOfHandles(handles: ReadonlyArray<string>): ReadonlySet<KnownTeam> {
    const found = new Set<KnownTeam>()
    for (const handle of handles) for (const player of this.players.ofName(handle)) for (const team of player.teams.keys()) found.add(team)
    return found
  }

  /** The team that an operator has said `team` to be at that time. */
  splitAt(team: KnownTeam, at: number): KnownTeam {
    const split = this.splits.find(({ from, of, until }) => of === team.number && at >= from && at < until)
    return (split && this.teams.ofNumber(split.other)) ?? team
  }

  /** Seen in one line-up. */
  together(team: KnownTeam, player: KnownPlayer, handleKey: string, at: number): void {
    extend(team.roster, handleKey, { firstAt: at, lastAt: at })
    extend(player.teams, team, { firstAt: at, lastAt: at })
  }
}

export const extend = <K>(spells: Map<K, Spell>, key: K, more: Spell): void => {
  const spell = spells.get(key) ?? more
  spells.set(key, { firstAt: Math.min(spell.firstAt, more.firstAt), lastAt: Math.max(spell.lastAt, more.lastAt) })
}
