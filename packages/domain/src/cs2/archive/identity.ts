/**
 * Who is who: when two sources, or one source twice, speak of the same team, player, event or match. Pure; candidates are what the
 * archive knows, in any order. A wrong merge cannot be undone, two entities that are one can be merged later: what is not clear is
 * `undefined`, with the candidates that were turned down.
 */

const DAY = 86_400_000
/** Line-ups of one team are compared within this. Ms. */
export const ROSTER_WINDOW = 365 * DAY
/** A team that goes by another name is recognised by its players only within this: five people move on together after a while. Ms. */
const RENAME_WINDOW = 90 * DAY
/** From this many players on a line-up can confirm a name, or contradict it. */
const ROSTER_KNOWN = 3
/** Of a name's known players: two of five survive any rebuilding that is not a sale of the name; strangers do not share two. */
const SAME_NAME_OVERLAP = 2
/** Without the name the players are all there is. */
const RENAME_OVERLAP = 4
/** Events of one name are a season apart; the matches of one are not further from each other. Ms. */
const EVENT_GAP = 120 * DAY
/** A line-up this near says that a team plays at that time. A break between seasons is shorter. Ms. */
const ACTIVE_WINDOW = 60 * DAY
/** A name that was heard this near is in use at that time: nobody who has taken it on is quiet for longer. Ms. */
const NAME_WINDOW = 21 * DAY
/** Two clocks of one start, the later one set when the match really began. Ms. */
const START_TOLERANCE = 6 * 3_600_000

/** What a source calls an entity, which it calls nobody else. */
export interface SourceKey {
  readonly source: string
  readonly key: string
}

/** Begins the keys of a source that names organisations: behind it is the name. */
export const ORGANISATION_KEY = "organisation:"

/** Keys of our own numbers, where a source carries them. */
export const OUR_NUMBERS = "matchpoint"

/**
 * The key under which what a source has told unclearly is found again, so that it does not become another entity each time it is told.
 * `beside`: what it was told with, a line-up or a team.
 */
export const unclearKey = (source: string, name: string, beside: ReadonlyArray<string> = []): SourceKey => ({
  source,
  key: [`~${name}`, ...beside.toSorted()].join("|"),
})

const isUnclear = ({ key }: SourceKey): boolean => key.startsWith("~")

/**
 * A key that several sources tell of one site. The same key is the same team; another one says nothing, for sources look a few of them
 * up by name and take the wrong one.
 */
export const sharedKey = (issuer: string, key: string): SourceKey => ({ source: `@${issuer}`, key })

const isShared = ({ source }: SourceKey): boolean => source.startsWith("@")

export interface Spell {
  /** Epoch ms. */
  readonly firstAt: number
  readonly lastAt: number
}

export interface Verdict<A> {
  readonly same: A | undefined
  /** Not clear enough, or contradicted; empty where there was nobody of that name. */
  readonly rejected: ReadonlyArray<A>
}

const same = <A>(found: A): Verdict<A> => ({ same: found, rejected: [] })
const nobody = <A>(rejected: ReadonlyArray<A>): Verdict<A> => ({ same: undefined, rejected })

/** A source has one key for one entity: another key of the same source is somebody else. */
const isSomebodyElse = (known: ReadonlyArray<SourceKey>, told: ReadonlyArray<SourceKey>): boolean =>
  told.some((key) => !isShared(key) && known.some((other) => other.source === key.source && other.key !== key.key && !isUnclear(other)))

/** How long before or after a spell. Ms; 0: in it. */
const apart = ({ firstAt, lastAt }: Spell, at: number): number => Math.max(firstAt - at, at - lastAt, 0)

const within = (spell: Spell, at: number, window: number): boolean => apart(spell, at) <= window

export interface TeamCandidate {
  readonly keys: ReadonlyArray<SourceKey>
  readonly nameKeys: ReadonlySet<string>
  /** When sources have called it by a name: by name key, then by source. */
  readonly called: ReadonlyMap<string, ReadonlyMap<string, Spell>>
  /** By handle key. */
  readonly roster: ReadonlyMap<string, Spell>
}

export interface ToldTeam {
  readonly source: string
  readonly keys: ReadonlyArray<SourceKey>
  readonly nameKey: string
  /** Epoch ms. */
  readonly at: number
  /** Handle keys. */
  readonly roster: ReadonlyArray<string>
  /** Name keys that the source uses for other teams: whoever bears one is not this team under another name. */
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

/** Who of those that are told played for it within the window: how many, and of equals for whom they played nearer to that time. */
const mostOverlap = <A extends TeamCandidate>(candidates: ReadonlyArray<A>, told: ToldTeam, window: number): A | undefined => {
  const away = (team: A) => told.roster.reduce((sum, handle) => sum + Math.min(apart(team.roster.get(handle) ?? NEVER, told.at), window), 0)
  return most(candidates, (team) => overlap(team, told, window) - away(team) / (window * (told.roster.length + 1)))
}

const NEVER: Spell = { firstAt: Number.POSITIVE_INFINITY, lastAt: Number.NEGATIVE_INFINITY }

/** The name and who plays: a name alone decides only where nothing speaks against it. */
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
 * Of a line-up that another team is known to have had: the team that goes by the told name at that time. It is an organisation that has
 * taken over a whole line-up. Undefined: the name is new or out of use, so the other team goes by another name now.
 */
const holderOf = <A extends TeamCandidate>(told: ToldTeam, named: ReadonlyArray<A>): A | undefined => {
  const inUse = named.filter(({ called }) =>
    [...(called.get(told.nameKey)?.values() ?? [])].some((spell) => within(spell, told.at, ROSTER_WINDOW)),
  )
  return inUse.length === 1 ? inUse[0] : undefined
}

/** Of several the one that goes by the name at that time: a name that goes on with other people leaves a team behind, which gets another. */
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
  /** Whom he plays for at that time; undefined: not told. */
  readonly team: Team | undefined
}

const hasAccount = (keys: ReadonlyArray<SourceKey>): boolean => keys.some(({ source }) => source === OUR_NUMBERS)

/**
 * The handle and the team; the handle alone where only one has it. Handles of accounts are picked by anybody, in any game: there the
 * handle alone says nothing.
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

/** The name, and not last year's. */
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

/** Of two teams that are known to be the same two; scores and winner are told in the same order of them. */
export interface MatchTelling {
  readonly keys: ReadonlyArray<SourceKey>
  readonly startsAt: number
  readonly startsPrecision: "minute" | "day"
  readonly score: readonly [number, number] | undefined
  readonly winner: 0 | 1 | undefined
}

/** The nearest of that day with the same result; a day is told in anybody's time zone. */
export const sameMatch = <A extends MatchTelling>(told: MatchTelling, candidates: ReadonlyArray<A>): A | undefined =>
  most(
    candidates.filter((match) => !isSomebodyElse(match.keys, told.keys) && distance(match, told) !== undefined && agree(match, told)),
    (match) => -(distance(match, told) ?? Number.POSITIVE_INFINITY),
  )

/** Ms, or whole days where one of both knows only the day. Undefined: too far to be one. */
const distance = (a: MatchTelling, b: MatchTelling): number | undefined => {
  const byTheMinute = a.startsPrecision === "minute" && b.startsPrecision === "minute"
  const gap = byTheMinute ? Math.abs(a.startsAt - b.startsAt) : Math.abs(Math.floor(a.startsAt / DAY) - Math.floor(b.startsAt / DAY)) * DAY
  return gap <= (byTheMinute ? START_TOLERANCE : DAY) ? gap : undefined
}

const agree = (a: MatchTelling, b: MatchTelling): boolean =>
  (a.winner === undefined || b.winner === undefined || a.winner === b.winner) &&
  (a.score === undefined || b.score === undefined || (a.score[0] === b.score[0] && a.score[1] === b.score[1]))
