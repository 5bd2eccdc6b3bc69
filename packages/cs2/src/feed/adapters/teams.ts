/** Ids for the teams in recordings, and team names in feeds that belong to neither registered team. */
import { fnv1a32 } from "@matchpoint/game/feed/fingerprint"
import { type TeamId, teamId } from "../../rules/ids.ts"
import type { FeedEventOf, TeamSheet } from "../../rules/live/feedEvents.ts"
import { otherTeam, type TeamIndex } from "../../rules/live/rules.ts"
import type { MatchState } from "../../rules/live/state.ts"
import { hasNewNames, teamNamed, teamNameKey } from "../../rules/live/teamNames.ts"
import { clipped } from "./text.ts"

/** The same name gives the same id in every file. */
export const teamIdOfName = (name: string): TeamId => teamId(fnv1a32(teamNameKey(name)) || 1)

/** If both names are equal, a number is added to the second one. */
export const sheetsOf = (first: string, second: string): readonly [TeamSheet, TeamSheet] => {
  const one = clipped(first.trim() || "Team 1")
  const two = clipped(second.trim() || "Team 2")
  const other = teamNameKey(one) === teamNameKey(two) ? `${clipped(two, 116)} (2)` : two
  return [
    { id: teamIdOfName(one), name: one },
    { id: teamIdOfName(other), name: other },
  ]
}

/** Placeholder names of servers on which no team names are set. */
const sideNames: ReadonlySet<string> = new Set(["ct", "t", "counter-terrorists", "counter-terrorist", "terrorists", "terrorist"])

/**
 * Names of which none is registered, each with the team that it is assumed to mean. Undefined if at least one name is
 * registered or if the same names have been reported before.
 */
export const unknownNames = (
  state: MatchState,
  names: { readonly ct: string | null | undefined; readonly t: string | null | undefined },
  ctTeam: TeamIndex,
): FeedEventOf<"TeamNamesUnknown">["payload"] | undefined => {
  const shown = [
    { name: names.ct, team: ctTeam },
    { name: names.t, team: otherTeam(ctTeam) },
  ].flatMap(({ name, team }) =>
    name == null || name.trim() === "" || sideNames.has(teamNameKey(name)) ? [] : [{ name: clipped(name), teamId: state.teams[team].id }],
  )
  const isUnknown = shown.every(({ name }) => teamNamed(state, name) === undefined)
  return isUnknown && shown.length > 0 && hasNewNames(state, shown) ? { names: shown } : undefined
}
