/**
 * Entity matching: decides whether two sources, or two reports of one source, refer to the same team, player, event or
 * match. Pure. Candidates are the known entities of the archive, in any order. Duplicates can be merged later; a wrong
 * merge cannot be undone. An unclear case therefore returns `undefined` with the rejected candidates.
 */

const DAY = 86_400_000
/** Line-ups of one team are compared within this window, in milliseconds. */
export const ROSTER_WINDOW = 365 * DAY
/**
 * A team with another name is recognised by its players only within this window, in milliseconds. After a longer time,
 * the same five players can belong to another team.
 */
const RENAME_WINDOW = 90 * DAY
/** Minimum size of a line-up that can confirm or contradict a name. */
const ROSTER_KNOWN = 3
/**
 * Minimum number of shared players for a team with the same name. When a team is rebuilt, at least two of five players
 * stay, unless its name is sold. Unrelated teams do not share two players.
 */
const SAME_NAME_OVERLAP = 2
/** Minimum number of shared players for a team with another name, where the players are the only evidence. */
const RENAME_OVERLAP = 4
/**
 * Maximum time between two matches of one event, in milliseconds. Events of the same name are a season apart, which is
 * longer.
 */
const EVENT_GAP = 120 * DAY
/**
 * A team is active at a time if it has a line-up within this window, in milliseconds. Breaks between seasons are
 * shorter.
 */
const ACTIVE_WINDOW = 60 * DAY
/**
 * A name is in use at a time if a source used it within this window, in milliseconds. A team that has taken on a name
 * always plays within it.
 */
const NAME_WINDOW = 21 * DAY
/**
 * Maximum difference between two start times of one match, in milliseconds. One source may report the scheduled start
 * and another the actual one.
 */
const START_TOLERANCE = 6 * 3_600_000

/** The id that a source uses for an entity, and for no other entity. */
export interface SourceKey {
  readonly source: string
  readonly key: string
}

/** Prefix of the keys of sources that identify organisations by name. The name follows. */
export const ORGANISATION_KEY = "organisation:"

/** Source name for keys that are numbers of this service. */
export const OUR_NUMBERS = "matchpoint"

/**
 * Returns the key of an unclear reference. When the source repeats the reference, this key finds the same entity
 * instead of creating another one. `beside` is the context of the reference: a line-up or a team.
 */
export const unclearKey = (source: string, name: string, beside: ReadonlyArray<string> = []): SourceKey => ({
  source,
  key: [`~${name}`, ...beside.toSorted()].join("|"),
})

const isUnclear = ({ key }: SourceKey): boolean => key.startsWith("~")

/**
 * Returns the key of an id that was issued by another site and that several sources use. Equal keys mean the same team.
 * Different keys prove nothing, because sources look some of them up by name and choose the wrong one.
 */
export const sharedKey = (issuer: string, key: string): SourceKey => ({ source: `@${issuer}`, key })

const isShared = ({ source }: SourceKey): boolean => source.startsWith("@")

export interface Spell {
  /** Epoch milliseconds. */
  readonly firstAt: number
  readonly lastAt: number
}

export interface Verdict<A> {
  readonly same: A | undefined
  /** Candidates of that name which are unclear or contradicted. Empty if there are none. */
  readonly rejected: ReadonlyArray<A>
}

const same = <A>(found: A): Verdict<A> => ({ same: found, rejected: [] })
const nobody = <A>(rejected: ReadonlyArray<A>): Verdict<A> => ({ same: undefined, rejected })

/**
 * Returns true if the keys contradict each other. A source has one key for one entity, so another key of the same
 * source means another entity.
 */
const isSomebodyElse = (known: ReadonlyArray<SourceKey>, told: ReadonlyArray<SourceKey>): boolean =>
  told.some((key) => !isShared(key) && known.some((other) => other.source === key.source && other.key !== key.key && !isUnclear(other)))

/** Returns the distance between a time and a period in milliseconds; 0 if the time is inside the period. */
const apart = ({ firstAt, lastAt }: Spell, at: number): number => Math.max(firstAt - at, at - lastAt, 0)

const within = (spell: Spell, at: number, window: number): boolean => apart(spell, at) <= window

export interface TeamCandidate {
  readonly keys: ReadonlyArray<SourceKey>
  readonly nameKeys: ReadonlySet<string>
  /** Periods in which sources used each name for the team: by name key, then by source. */
  readonly called: ReadonlyMap<string, ReadonlyMap<string, Spell>>
  /** Periods in which each player played for the team, by handle key. */
  readonly roster: ReadonlyMap<string, Spell>
}

export interface ToldTeam {
  readonly source: string
  readonly keys: ReadonlyArray<SourceKey>
  readonly nameKey: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Handle keys of the line-up. */
  readonly roster: ReadonlyArray<string>
  /**
   * Name keys that the source uses for other teams. A candidate with one of these names cannot be this team under
   * another name.
   */
  readonly apartFrom?: ReadonlySet<string> | undefined
}

const overlap = (team: TeamCandidate, told: ToldTeam, window: number): number =>
  told.roster.reduce((count, handle) => {
    const spell = team.roster.get(handle)
    return spell !== undefined && within(spell, told.at, window) ? count + 1 : count
  }, 0)

const isComparable = (team: TeamCandidate, at: number): boolean => {
  let known = 0
  for (const spell of team.roster.values()) if (within(spell, at, ROSTER_WINDOW)) known++
  return known >= ROSTER_KNOWN
}

const most = <A>(candidates: ReadonlyArray<A>, weight: (candidate: A) => number): A | undefined =>
  candidates.reduce<A | undefined>((best, next) => (best === undefined || weight(next) > weight(best) ? next : best), undefined)

/**
 * Returns the candidate for which the most players of the line-up played within the window. If several have the same
 * number, returns the one for which they played closest to that time.
 */
const mostOverlap = <A extends TeamCandidate>(candidates: ReadonlyArray<A>, told: ToldTeam, window: number): A | undefined => {
  const away = (team: A) => told.roster.reduce((sum, handle) => sum + Math.min(apart(team.roster.get(handle) ?? NEVER, told.at), window), 0)
  return most(candidates, (team) => overlap(team, told, window) - away(team) / (window * (told.roster.length + 1)))
}

const NEVER: Spell = { firstAt: Number.POSITIVE_INFINITY, lastAt: Number.NEGATIVE_INFINITY }

/** Matches a team by its name and players. The name alone decides only if nothing contradicts it. */
export const sameTeam = <A extends TeamCandidate>(told: ToldTeam, candidates: ReadonlyArray<A>): Verdict<A> => {
  const possible = candidates.filter(({ keys }) => !isSomebodyElse(keys, told.keys))
  const named = possible.filter(({ nameKeys }) => nameKeys.has(told.nameKey))
  return told.roster.length < ROSTER_KNOWN ? byNameAlone(told, named) : byRoster(told, named, possible)
}

const byRoster = <A extends TeamCandidate>(told: ToldTeam, named: ReadonlyArray<A>, possible: ReadonlyArray<A>): Verdict<A> => {
  const confirmed = mostOverlap(
    named.filter((team) => overlap(team, told, ROSTER_WINDOW) >= SAME_NAME_OVERLAP),
    told,
    ROSTER_WINDOW,
  )
  if (confirmed !== undefined) return same(confirmed)
  const renamed = mostOverlap(
    possible.filter((team) => overlap(team, told, RENAME_WINDOW) >= RENAME_OVERLAP && !isToldApart(team, told)),
    told,
    RENAME_WINDOW,
  )
  if (renamed !== undefined) return same(holderOf(told, named) ?? renamed)
  const [only, ...others] = named.filter((team) => !isComparable(team, told.at))
  return only !== undefined && others.length === 0 ? same(only) : nobody(named)
}

const isToldApart = ({ nameKeys }: TeamCandidate, { apartFrom }: ToldTeam): boolean =>
  apartFrom !== undefined && [...nameKeys].some((key) => apartFrom.has(key))

/**
 * For a line-up that matches another team: returns the team that uses the reported name at that time, which is then an
 * organisation that took over the whole line-up. Returns undefined if the name is new or out of use: then the other
 * team has changed its name.
 */
const holderOf = <A extends TeamCandidate>(told: ToldTeam, named: ReadonlyArray<A>): A | undefined => {
  const inUse = named.filter(({ called }) =>
    [...(called.get(told.nameKey)?.values() ?? [])].some((spell) => within(spell, told.at, ROSTER_WINDOW)),
  )
  return inUse.length === 1 ? inUse[0] : undefined
}

/**
 * Matches a team by its name only. If several teams have had the name, chooses the one that uses it at that time: when
 * a name moves to other players, the team that loses it gets a new one.
 */
const byNameAlone = <A extends TeamCandidate>(told: ToldTeam, named: ReadonlyArray<A>): Verdict<A> => {
  const spells = ({ called }: A) => called.get(told.nameKey)
  const playing = (window: number) => named.filter(({ roster }) => [...roster.values()].some((spell) => within(spell, told.at, window)))
  const choices = [
    named,
    named.filter((team) => [...(spells(team)?.values() ?? [])].some((spell) => within(spell, told.at, NAME_WINDOW))),
    named.filter((team) => spells(team)?.has(told.source)),
    playing(ACTIVE_WINDOW),
    playing(ROSTER_WINDOW),
  ]
  const only = choices.find((choice) => choice.length === 1)?.[0]
  return only === undefined ? nobody(named) : same(only)
}

export interface PlayerCandidate<Team> {
  readonly keys: ReadonlyArray<SourceKey>
  readonly handleKeys: ReadonlySet<string>
  readonly teams: ReadonlyMap<Team, Spell>
}

export interface ToldPlayer<Team> {
  readonly keys: ReadonlyArray<SourceKey>
  readonly handleKey: string
  readonly at: number
  /** Team of the player at that time; undefined if it is unknown. */
  readonly team: Team | undefined
}

const hasAccount = (keys: ReadonlyArray<SourceKey>): boolean => keys.some(({ source }) => source === OUR_NUMBERS)

/**
 * Matches a player by handle and team, or by the handle alone if only one player has it. Handles of game accounts can
 * be chosen freely by anyone, so a handle alone proves nothing for them.
 */
export const samePlayer = <Team, A extends PlayerCandidate<Team>>(told: ToldPlayer<Team>, candidates: ReadonlyArray<A>): Verdict<A> => {
  const possible = candidates.filter(({ handleKeys, keys }) => handleKeys.has(told.handleKey) && !isSomebodyElse(keys, told.keys))
  const { team } = told
  if (team !== undefined) {
    const spellOf = (player: A): Spell | undefined => player.teams.get(team)
    const mate = most(
      possible.filter((player) => {
        const spell = spellOf(player)
        return spell !== undefined && within(spell, told.at, ROSTER_WINDOW)
      }),
      (player) => spellOf(player)?.lastAt ?? 0,
    )
    if (mate !== undefined) return same(mate)
  }
  const [only, ...others] = possible
  const isClear = only !== undefined && others.length === 0 && !hasAccount(only.keys) && !hasAccount(told.keys)
  return isClear ? same(only) : nobody(possible)
}

export interface EventCandidate extends Spell {
  readonly keys: ReadonlyArray<SourceKey>
  readonly nameKeys: ReadonlySet<string>
}

/** Matches an event by its name and season, so that last year's event does not match. */
export const sameEvent = <A extends EventCandidate>(
  told: { readonly keys: ReadonlyArray<SourceKey>; readonly nameKey: string; readonly at: number },
  candidates: ReadonlyArray<A>,
): A | undefined =>
  most(
    candidates.filter(
      (event) => event.nameKeys.has(told.nameKey) && !isSomebodyElse(event.keys, told.keys) && within(event, told.at, EVENT_GAP),
    ),
    (event) => -apart(event, told.at),
  )

/**
 * A match as one source reports it. The two teams are already matched. Score and winner of all reports have the same
 * order of teams.
 */
export interface MatchTelling {
  readonly keys: ReadonlyArray<SourceKey>
  readonly startsAt: number
  readonly startsPrecision: "minute" | "day"
  readonly score: readonly [number, number] | undefined
  readonly winner: 0 | 1 | undefined
}

/**
 * Returns the match closest in time that has no contradicting result. Adjacent dates match too, because sources report
 * dates in any time zone.
 */
export const sameMatch = <A extends MatchTelling>(told: MatchTelling, candidates: ReadonlyArray<A>): A | undefined =>
  most(
    candidates.filter((match) => !isSomebodyElse(match.keys, told.keys) && distance(match, told) !== undefined && agree(match, told)),
    (match) => -(distance(match, told) ?? Number.POSITIVE_INFINITY),
  )

/**
 * Returns the distance between two starts in milliseconds, or in whole days if one of them has only a date. Returns
 * undefined if they are too far apart to be the same match.
 */
const distance = (a: MatchTelling, b: MatchTelling): number | undefined => {
  const byTheMinute = a.startsPrecision === "minute" && b.startsPrecision === "minute"
  const gap = byTheMinute ? Math.abs(a.startsAt - b.startsAt) : Math.abs(Math.floor(a.startsAt / DAY) - Math.floor(b.startsAt / DAY)) * DAY
  return gap <= (byTheMinute ? START_TOLERANCE : DAY) ? gap : undefined
}

const agree = (a: MatchTelling, b: MatchTelling): boolean =>
  (a.winner === undefined || b.winner === undefined || a.winner === b.winner) &&
  (a.score === undefined || b.score === undefined || (a.score[0] === b.score[0] && a.score[1] === b.score[1]))
