/** The first fact of a match, from its registration. Pure. */
import type { MatchTeam } from "@matchpoint/store/live/Matches"
import { Result } from "effect"
import type { TennisRegistration } from "../../contract/http/TennisRegistration.ts"
import type { FeedEventOf, SideSheet } from "../../rules/live/feedEvents.ts"
import { bestOfThree } from "../../rules/live/format.ts"

/** Fails if parts of the registration contradict each other. */
export const createdPayload = ({
  format,
  sides,
  tour,
  tournament,
}: TennisRegistration): Result.Result<FeedEventOf<"MatchCreated">["payload"], string> => {
  const rules = { ...bestOfThree, ...format }
  const sheets = [sheetOf(sides[0]), sheetOf(sides[1])] as const
  const expected = rules.doubles ? 2 : 1
  if (sheets.some(({ players }) => players.length !== expected)) {
    return Result.fail(`each side must have ${expected === 1 ? "one player" : "two players"}; \`format.doubles\` is ${rules.doubles}`)
  }
  const players = sheets.flatMap((side) => side.players)
  const ids = players.flatMap(({ id }) => id ?? [])
  if (new Set(ids).size < ids.length) return Result.fail("a player is listed twice")
  if (new Set(players.map(({ id, name }) => id ?? name)).size < players.length)
    return Result.fail("two players have the same name and no id")
  const { drawSize = null, editionId = null, level = null, name, round = null, surface = null } = tournament
  if (editionId !== null && !editionId.startsWith(tour)) return Result.fail(`the edition ${editionId} does not belong to the tour ${tour}`)
  return Result.succeed({ tour, tournament: { name, editionId, surface, level, drawSize, round }, format: rules, sides: sheets })
}

const sheetOf = ({ players }: TennisRegistration["sides"][number]): SideSheet => ({
  players: players.map(({ id = null, name }) => ({ id, name })),
})

/** Side as the register of matches stores it. A player without an id is identified by its name. */
export const matchTeam = ({ players }: SideSheet): MatchTeam => ({
  id: players.map(({ id, name }) => id ?? name).join("+"),
  name: players.map(({ name }) => name).join(" / "),
})
