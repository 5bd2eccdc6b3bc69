/**
 * Finds out which team a name in the feeds means. A team is recognised by its name and aliases. If a feed uses a name
 * of neither team, and nothing else in its data shows which team is meant, the name is provisionally assigned to one of
 * them. It is then unresolved until an operator assigns it to the correct team.
 */
import type { BackupSeries, FeedEventOf } from "./feedEvents.ts"
import { otherTeam, type TeamIndex } from "./rules.ts"
import type { GameMap, MatchState, Team } from "./state.ts"
import { teamIndexOf } from "./state.ts"

/** Case and surrounding spaces are ignored. */
export const teamNameKey = (name: string): string => name.trim().toLowerCase()

const isNameOf = (team: Team, key: string): boolean =>
  teamNameKey(team.name) === key || team.aliases.some((alias) => teamNameKey(alias) === key)

/** Finds a team by name or alias. Undefined if neither team has the name or if both do. */
export const teamKnownAs = ({ teams }: MatchState, name: string): TeamIndex | undefined => {
  const key = teamNameKey(name)
  const [one, two] = [isNameOf(teams[0], key), isNameOf(teams[1], key)]
  return one === two ? undefined : one ? 0 : 1
}

/** Also accepts an unresolved name: the team to which it was provisionally assigned. */
export const teamNamed = (state: MatchState, name: string): TeamIndex | undefined => {
  const known = teamKnownAs(state, name)
  if (known !== undefined) return known
  const key = teamNameKey(name)
  return state.unresolvedNames.find((one) => teamNameKey(one.name) === key)?.team
}

/** Unresolved names that a match can store. */
const MOST_NAMES = 8

/** At least one name is unknown, and the match can store another one. */
export const hasNewNames = (state: MatchState, names: FeedEventOf<"TeamNamesUnknown">["payload"]["names"]): boolean =>
  state.unresolvedNames.length < MOST_NAMES && names.some(({ name }) => teamNamed(state, name) === undefined)

export const evolveNamesUnknown = (state: MatchState, { names }: FeedEventOf<"TeamNamesUnknown">["payload"]): MatchState => {
  const added = names.flatMap(({ name, teamId }) => {
    const team = teamIndexOf(state, teamId)
    return team === undefined || teamNamed(state, name) !== undefined ? [] : [{ name, team }]
  })
  return { ...state, unresolvedNames: [...state.unresolvedNames, ...added].slice(0, MOST_NAMES) }
}

/** If a name had been assigned to the wrong team, the teams are swapped in everything that has been counted so far. */
export const evolveAliased = (state: MatchState, { aliases }: FeedEventOf<"TeamAliased">["payload"]): MatchState => {
  const keys = new Map(aliases.map(({ name, teamId }) => [teamNameKey(name), teamIndexOf(state, teamId)]))
  const resolved = state.unresolvedNames.flatMap(({ name, team }) => {
    const is = keys.get(teamNameKey(name))
    return is === undefined ? [] : [is === team]
  })
  const named = (team: TeamIndex): Team => {
    const { aliases: known, ...rest } = state.teams[team]
    const added = aliases.filter(({ name, teamId }) => teamId === rest.id && teamKnownAs(state, name) === undefined)
    return { ...rest, aliases: [...known, ...added.map(({ name }) => name)] }
  }
  const next: MatchState = { ...state, teams: [named(0), named(1)] }
  if (resolved.length === 0) return next
  // Once one name is resolved, none remains unresolved, because any other name belongs to the other team.
  const settled = { ...next, unresolvedNames: [] }
  return resolved.includes(false) ? withTeamsSwapped(settled) : settled
}

type Pair<A> = readonly [A, A]

const swapped = <A>([one, two]: Pair<A>): Pair<A> => [two, one]

const otherWinner = (winner: GameMap["winner"]): GameMap["winner"] => (winner === 0 || winner === 1 ? otherTeam(winner) : winner)

const withTeamsSwapped = (state: MatchState): MatchState => ({
  ...state,
  teams: [
    { ...state.teams[0], timeoutsRemaining: state.teams[1].timeoutsRemaining },
    { ...state.teams[1], timeoutsRemaining: state.teams[0].timeoutsRemaining },
  ],
  seriesScore: swapped(state.seriesScore),
  winner: otherWinner(state.winner),
  maps: state.maps.map((map) => ({
    ...map,
    startingCtTeam: otherTeam(map.startingCtTeam),
    score: swapped(map.score),
    halves: map.halves.map(swapped),
    winner: otherWinner(map.winner),
    rounds: map.rounds.map((round) => ({ ...round, winnerTeam: otherTeam(round.winnerTeam) })),
    lines: map.lines.map((line) => ({ ...line, team: otherTeam(line.team) })),
  })),
  players: state.players.map((player) => ({ ...player, team: otherTeam(player.team) })),
  round:
    state.round === null
      ? null
      : {
          ...state.round,
          ctTeam: otherTeam(state.round.ctTeam),
          clutches: state.round.clutches.map((clutch) => ({ ...clutch, team: otherTeam(clutch.team) })),
        },
  timeout:
    state.timeout === null || state.timeout.team === null ? state.timeout : { ...state.timeout, team: otherTeam(state.timeout.team) },
  backup: state.backup === null ? null : withSeriesSwapped(state.backup),
})

const withSeriesSwapped = ({ maps, seriesScore }: BackupSeries): BackupSeries => ({
  seriesScore: swapped(seriesScore),
  maps: maps.map((map) => ({
    ...map,
    startingCtTeam: otherTeam(map.startingCtTeam),
    score: swapped(map.score),
    winner: otherWinner(map.winner),
  })),
})
