/**
 * Entity matching: decides whether two sources, or two reports of one source, refer to the same team, player, event or
 * match. Candidates are the known entities of the archive, in any order. Duplicates can be merged later, but a wrong
 * merge cannot be undone. An unclear case therefore returns `undefined` with the rejected candidates.
 */

const DAY = 86_400_000
/** Milliseconds. Players whose period in a team is further from the reported lineup are ignored in the comparison. */
export const ROSTER_WINDOW = 365 * DAY
/**
 * Milliseconds between the players' periods in a team and the reported lineup within which the players identify the
 * team under another name. After a longer time, the same five players may belong to another team.
 */
const RENAME_WINDOW = 90 * DAY
/** Known players that a lineup needs in order to confirm or contradict a team name. */
const ROSTER_KNOWN = 3
/**
 * Shared players that confirm a team with the same name. When a team is rebuilt, at least two of its five players stay,
 * unless the team name is sold. Unrelated teams do not share two players.
 */
const SAME_NAME_OVERLAP = 2
/** Shared players that identify a team under a different name. Higher, because they are the only evidence. */
const RENAME_OVERLAP = 4
/** Milliseconds between two matches of one event. Events with the same name in other seasons are further apart. */
const EVENT_GAP = 120 * DAY
/** A team is active if one of its lineups is at most this many ms away. Breaks between seasons are shorter. */
const ACTIVE_WINDOW = 60 * DAY
/**
 * A name is in use if it was used at most this many milliseconds earlier or later. A team that takes over a name always
 * plays a match within this time.
 */
const NAME_WINDOW = 21 * DAY
/**
 * Milliseconds between the starts that two sources report for one match. One source may report the scheduled start and
 * another the actual start.
 */
const START_TOLERANCE = 6 * 3_600_000

/** The source uses `key` for this entity only. */
export interface SourceKey {
  readonly source: string
  readonly key: string
}

/** Prefix of the keys of sources that identify teams by the name of their organisation, which follows it. */
export const ORGANISATION_KEY = "organisation:"

/** Source name of keys that contain numbers assigned by this service. */
export const OWN_IDS = "matchpoint"

/**
 * Key for a reported name that could not be matched with certainty. If the source reports the name again, this key
 * finds the same entity, so that no second one is created. `context` is what distinguishes entities with equal names: a
 * lineup or a team.
 */
export const unclearKey = (source: string, name: string, context: ReadonlyArray<string> = []): SourceKey => ({
  source,
  key: [`~${name}`, ...context.toSorted()].join("|"),
})

const isUnclear = ({ key }: SourceKey): boolean => key.startsWith("~")

/**
 * Key for a team id of another site that several sources use. Equal keys mean the same team. Different keys prove
 * nothing, because some sources look up the id by name and choose the wrong one.
 */
export const sharedKey = (issuer: string, key: string): SourceKey => ({ source: `@${issuer}`, key })

const isShared = ({ source }: SourceKey): boolean => source.startsWith("@")

export interface TeamStay {
  /** Epoch milliseconds. */
  readonly firstAt: number
  readonly lastAt: number
}

export interface IdentityDecision<A> {
  readonly same: A | undefined
  /** Candidates with the reported name that are ambiguous or contradicted by other evidence. */
  readonly rejected: ReadonlyArray<A>
}

const same = <A>(found: A): IdentityDecision<A> => ({ same: found, rejected: [] })
const noMatch = <A>(rejected: ReadonlyArray<A>): IdentityDecision<A> => ({ same: undefined, rejected })

/**
 * True if the keys prove that the entities are different. A source has one key per entity, so two different keys of one
 * source do. Ids that several sources share, and keys of names that could not be matched with certainty, prove nothing.
 */
const isOtherEntity = (known: ReadonlyArray<SourceKey>, reported: ReadonlyArray<SourceKey>): boolean =>
  reported.some((key) => !isShared(key) && known.some((other) => other.source === key.source && other.key !== key.key && !isUnclear(other)))

/** Milliseconds from `at` to the nearest end of a period; 0 if `at` is inside. */
const apart = ({ firstAt, lastAt }: TeamStay, at: number): number => Math.max(firstAt - at, at - lastAt, 0)

const within = (spell: TeamStay, at: number, window: number): boolean => apart(spell, at) <= window

export interface TeamCandidate {
  readonly keys: ReadonlyArray<SourceKey>
  readonly nameKeys: ReadonlySet<string>
  /** Periods in which sources used names of the team, by normalised name and source. */
  readonly called: ReadonlyMap<string, ReadonlyMap<string, TeamStay>>
  /** Periods in which players belonged to the team, by normalised nickname. */
  readonly roster: ReadonlyMap<string, TeamStay>
}

export interface ReportedTeam {
  readonly source: string
  readonly keys: ReadonlyArray<SourceKey>
  readonly nameKey: string
  /** Time at which the team played, in epoch milliseconds. */
  readonly at: number
  /** Normalised nicknames. */
  readonly roster: ReadonlyArray<string>
  /**
   * Normalised names that the source uses for other teams. A candidate with one of these names is a different team, not
   * this team under another name.
   */
  readonly apartFrom?: ReadonlySet<string> | undefined
}

const overlap = (team: TeamCandidate, reported: ReportedTeam, window: number): number =>
  reported.roster.reduce((count, handle) => {
    const spell = team.roster.get(handle)
    return spell !== undefined && within(spell, reported.at, window) ? count + 1 : count
  }, 0)

const isComparable = (team: TeamCandidate, at: number): boolean => {
  let known = 0
  for (const spell of team.roster.values()) if (within(spell, at, ROSTER_WINDOW)) known++
  return known >= ROSTER_KNOWN
}

const most = <A>(candidates: ReadonlyArray<A>, weight: (candidate: A) => number): A | undefined =>
  candidates.reduce<A | undefined>((best, next) => (best === undefined || weight(next) > weight(best) ? next : best), undefined)

/**
 * The candidate to which the most players of the lineup belonged, at most `window` milliseconds before or after the
 * reported time. Of several, the one whose players belonged to it closest to that time.
 */
const mostOverlap = <A extends TeamCandidate>(candidates: ReadonlyArray<A>, reported: ReportedTeam, window: number): A | undefined => {
  const away = (team: A) =>
    reported.roster.reduce((sum, handle) => sum + Math.min(apart(team.roster.get(handle) ?? NEVER, reported.at), window), 0)
  return most(candidates, (team) => overlap(team, reported, window) - away(team) / (window * (reported.roster.length + 1)))
}

const NEVER: TeamStay = { firstAt: Number.POSITIVE_INFINITY, lastAt: Number.NEGATIVE_INFINITY }

/** Compares names and lineups. The name alone is enough only if no other evidence contradicts it. */
export const sameTeam = <A extends TeamCandidate>(reported: ReportedTeam, candidates: ReadonlyArray<A>): IdentityDecision<A> => {
  const possible = candidates.filter(({ keys }) => !isOtherEntity(keys, reported.keys))
  const named = possible.filter(({ nameKeys }) => nameKeys.has(reported.nameKey))
  return reported.roster.length < ROSTER_KNOWN ? byNameAlone(reported, named) : byRoster(reported, named, possible)
}

const byRoster = <A extends TeamCandidate>(
  reported: ReportedTeam,
  named: ReadonlyArray<A>,
  possible: ReadonlyArray<A>,
): IdentityDecision<A> => {
  const confirmed = mostOverlap(
    named.filter((team) => overlap(team, reported, ROSTER_WINDOW) >= SAME_NAME_OVERLAP),
    reported,
    ROSTER_WINDOW,
  )
  if (confirmed !== undefined) return same(confirmed)
  const renamed = mostOverlap(
    possible.filter((team) => overlap(team, reported, RENAME_WINDOW) >= RENAME_OVERLAP && !isExcluded(team, reported)),
    reported,
    RENAME_WINDOW,
  )
  if (renamed !== undefined) return same(holderOf(reported, named) ?? renamed)
  const [only, ...others] = named.filter((team) => !isComparable(team, reported.at))
  return only !== undefined && others.length === 0 ? same(only) : noMatch(named)
}

const isExcluded = ({ nameKeys }: TeamCandidate, { apartFrom }: ReportedTeam): boolean =>
  apartFrom !== undefined && [...nameKeys].some((key) => apartFrom.has(key))

/**
 * Decides between a takeover and a change of name if the lineup is that of a team with a different name. If another
 * team was using the reported name at that time, that team has taken over the whole lineup and is returned. Undefined
 * means that the name was new or out of use: the team of this lineup changed its name.
 */
const holderOf = <A extends TeamCandidate>(reported: ReportedTeam, named: ReadonlyArray<A>): A | undefined => {
  const inUse = named.filter(({ called }) =>
    [...(called.get(reported.nameKey)?.values() ?? [])].some((spell) => within(spell, reported.at, ROSTER_WINDOW)),
  )
  return inUse.length === 1 ? inUse[0] : undefined
}

/**
 * If several teams have had the name, the one that used it at the reported time. This is safe because a team whose name
 * is taken over by other players continues under a new name.
 */
const byNameAlone = <A extends TeamCandidate>(reported: ReportedTeam, named: ReadonlyArray<A>): IdentityDecision<A> => {
  const spells = ({ called }: A) => called.get(reported.nameKey)
  const playing = (window: number) => named.filter(({ roster }) => [...roster.values()].some((spell) => within(spell, reported.at, window)))
  const choices = [
    named,
    named.filter((team) => [...(spells(team)?.values() ?? [])].some((spell) => within(spell, reported.at, NAME_WINDOW))),
    named.filter((team) => spells(team)?.has(reported.source)),
    playing(ACTIVE_WINDOW),
    playing(ROSTER_WINDOW),
  ]
  const only = choices.find((choice) => choice.length === 1)?.[0]
  return only === undefined ? noMatch(named) : same(only)
}

export interface PlayerCandidate<Team> {
  readonly keys: ReadonlyArray<SourceKey>
  readonly handleKeys: ReadonlySet<string>
  readonly teams: ReadonlyMap<Team, TeamStay>
}

export interface ReportedPlayer<Team> {
  readonly keys: ReadonlyArray<SourceKey>
  readonly handleKey: string
  readonly at: number
  /** Team at the reported time; undefined if unknown. */
  readonly team: Team | undefined
}

const hasAccount = (keys: ReadonlyArray<SourceKey>): boolean => keys.some(({ source }) => source === OWN_IDS)

/**
 * Compares handle and team, or the handle alone if only one known player has it. For players known by a game account,
 * the handle alone proves nothing, because anyone can choose any handle.
 */
export const samePlayer = <Team, A extends PlayerCandidate<Team>>(
  reported: ReportedPlayer<Team>,
  candidates: ReadonlyArray<A>,
): IdentityDecision<A> => {
  const possible = candidates.filter(({ handleKeys, keys }) => handleKeys.has(reported.handleKey) && !isOtherEntity(keys, reported.keys))
  const { team } = reported
  if (team !== undefined) {
    const spellOf = (player: A): TeamStay | undefined => player.teams.get(team)
    const mate = most(
      possible.filter((player) => {
        const spell = spellOf(player)
        return spell !== undefined && within(spell, reported.at, ROSTER_WINDOW)
      }),
      (player) => spellOf(player)?.lastAt ?? 0,
    )
    if (mate !== undefined) return same(mate)
  }
  const [only, ...others] = possible
  const isClear = only !== undefined && others.length === 0 && !hasAccount(only.keys) && !hasAccount(reported.keys)
  return isClear ? same(only) : noMatch(possible)
}

export interface EventCandidate extends TeamStay {
  readonly keys: ReadonlyArray<SourceKey>
  readonly nameKeys: ReadonlySet<string>
}

/** Compares name and time, so that an event of the same name in another season is not chosen. */
export const sameEvent = <A extends EventCandidate>(
  reported: { readonly keys: ReadonlyArray<SourceKey>; readonly nameKey: string; readonly at: number },
  candidates: ReadonlyArray<A>,
): A | undefined =>
  most(
    candidates.filter(
      (event) => event.nameKeys.has(reported.nameKey) && !isOtherEntity(event.keys, reported.keys) && within(event, reported.at, EVENT_GAP),
    ),
    (event) => -apart(event, reported.at),
  )

/**
 * After its two teams have been identified. All reports of a match list the teams in the same order, so that their
 * scores and winners can be compared.
 */
export interface ReportedMatch {
  readonly keys: ReadonlyArray<SourceKey>
  readonly startsAt: number
  readonly startsPrecision: "minute" | "day"
  readonly score: readonly [number, number] | undefined
  readonly winner: 0 | 1 | undefined
}

/**
 * The match that starts closest and whose result does not contradict the report. If a source reports only the date, the
 * day before or after is also accepted, because sources report dates in different time zones.
 */
export const sameMatch = <A extends ReportedMatch>(reported: ReportedMatch, candidates: ReadonlyArray<A>): A | undefined =>
  most(
    candidates.filter(
      (match) => !isOtherEntity(match.keys, reported.keys) && distance(match, reported) !== undefined && agree(match, reported),
    ),
    (match) => -(distance(match, reported) ?? Number.POSITIVE_INFINITY),
  )

/**
 * Milliseconds between the starts; a multiple of 24 hours if only a date is known. Undefined if they are too far apart
 * to be the same match.
 */
const distance = (a: ReportedMatch, b: ReportedMatch): number | undefined => {
  const byTheMinute = a.startsPrecision === "minute" && b.startsPrecision === "minute"
  const gap = byTheMinute ? Math.abs(a.startsAt - b.startsAt) : Math.abs(Math.floor(a.startsAt / DAY) - Math.floor(b.startsAt / DAY)) * DAY
  return gap <= (byTheMinute ? START_TOLERANCE : DAY) ? gap : undefined
}

const agree = (a: ReportedMatch, b: ReportedMatch): boolean =>
  (a.winner === undefined || b.winner === undefined || a.winner === b.winner) &&
  (a.score === undefined || b.score === undefined || (a.score[0] === b.score[0] && a.score[1] === b.score[1]))
