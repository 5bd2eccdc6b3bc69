/** The first fact of a match, from its registration. Pure. */
import type { MatchTeam } from "@matchpoint/store/live/Matches"
import { Result, Schema } from "effect"
import type { CodRegistration } from "../../contract/http/CodRegistration.ts"
import { playerIdOf, slugOf } from "../../rules/archive/names.ts"
import type { FeedEventOf, TeamSheet } from "../../rules/live/feedEvents.ts"
import { PlayerId, TeamSlug } from "../../rules/live/registry.ts"

const isPlayerId = Schema.is(PlayerId)
const isTeamSlug = Schema.is(TeamSlug)

/** Fails if parts of the registration contradict each other. */
export const createdPayload = ({
  bestOf = 5,
  maps = [],
  teams,
  tournament,
}: CodRegistration): Result.Result<FeedEventOf<"MatchCreated">["payload"], string> => {
  const ids = teams.flatMap(({ players }) => players.map(({ id, ign }) => id ?? playerIdOf(ign)))
  const invalid = teams.flatMap(({ players }) => players).find(({ id, ign }) => id === undefined && !isPlayerId(playerIdOf(ign)))
  if (invalid !== undefined) return Result.fail(`no id can be made of the handle ${invalid.ign}; send the \`id\` of the player`)
  const twice = ids.find((id, index) => ids.indexOf(id) < index)
  if (twice !== undefined) return Result.fail(`the player ${twice} is listed twice; give each player an \`id\` of its own`)
  const sheets = [sheetOf(teams[0]), sheetOf(teams[1])] as const
  if (sheets[0].slug !== null && sheets[0].slug === sheets[1].slug)
    return Result.fail(`the team ${sheets[0].slug} cannot play against itself`)
  if (maps.length > bestOf) return Result.fail(`a best of ${bestOf} has at most ${bestOf} maps, not ${maps.length}`)
  const { id = null, isLan = null, name, round = null } = tournament
  return Result.succeed({
    tournament: { id, name, round, isLan },
    bestOf,
    teams: sheets,
    maps: maps.map(({ mode, name: map, pickedBy = null }) => ({ name: map, mode, pickedBy })),
  })
}

const sheetOf = ({ name, players, slug }: CodRegistration["teams"][number]): TeamSheet => {
  const own = slugOf(name)
  return {
    slug: slug === undefined ? (isTeamSlug(own) ? own : null) : slug,
    name,
    players: players.map(({ id, ign }) => ({ id: id ?? PlayerId.make(playerIdOf(ign)), ign })),
  }
}

/** Team as the register of matches stores it. A team without a slug is identified by its name. */
export const matchTeam = ({ name, slug }: Pick<TeamSheet, "name" | "slug">): MatchTeam => ({ id: slug ?? name, name })
