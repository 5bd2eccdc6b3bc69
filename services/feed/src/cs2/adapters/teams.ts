/** Who the teams of a match are: ids of recorded teams, and how the names a feed uses find the registered ones. */
import type { TeamSheet } from "@matchpoint/domain/cs2/feedEvents"
import { type TeamId, teamId } from "@matchpoint/domain/cs2/ids"
import type { TeamIndex } from "@matchpoint/domain/cs2/rules"
import type { MatchState } from "@matchpoint/domain/cs2/state"
import { fnv1a32 } from "../../fingerprint.ts"
import { clipped } from "./text.ts"

const normal = (name: string): string => name.trim().toLowerCase()

/** A recorded file names its teams and nothing more: the same name is the same team, in every file. */
export const teamIdOfName = (name: string): TeamId => teamId(fnv1a32(normal(name)) || 1)

/** The sheets of two teams; a second team of the same name is told apart by a number. */
export const sheetsOf = (first: string, second: string): readonly [TeamSheet, TeamSheet] => {
  const one = clipped(first.trim() || "Team 1")
  const two = clipped(second.trim() || "Team 2")
  const other = normal(one) === normal(two) ? `${clipped(two, 116)} (2)` : two
  return [
    { id: teamIdOfName(one), name: one },
    { id: teamIdOfName(other), name: other },
  ]
}

/** The registered team of that name, whatever its case; undefined if neither or both have it. */
export const teamNamed = (state: MatchState, name: string): TeamIndex | undefined => {
  const [one, two] = state.teams.map((team) => normal(team.name) === normal(name))
  if (one === two) return undefined
  return one ? 0 : 1
}
