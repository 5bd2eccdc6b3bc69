/** Rows of players and teams that a source only names. */
import { Result } from "effect"
import { teamNamed } from "../../rules/archive/franchises.ts"
import { playerIdOf } from "../../rules/archive/names.ts"
import type { Player, Team } from "../../rules/archive/rows.ts"

const noLetters = (name: string) => `the name has no letter or digit: ${name}`

export const teamRow = (name: string): Result.Result<Team, string> => {
  const team = teamNamed(name)
  return team.slug === "" ? Result.fail(noLetters(name)) : Result.succeed({ ...team, logoUrl: null, simulated: false })
}

export const playerRow = (handle: string, imageUrl: string | null = null): Result.Result<Player, string> => {
  const playerId = playerIdOf(handle)
  return playerId === ""
    ? Result.fail(noLetters(handle))
    : Result.succeed({ playerId, ign: handle.trim(), realName: null, imageUrl, simulated: false })
}

/** Start of matches of which only the day is known. */
export const midnight = (day: string): string => `${day}T00:00:00.000Z`
