/**
 * Converts the registration of a match to its first event: adds stable ids for teams and players without one, and
 * completes the rules.
 */
import { Result } from "effect"
import type { Registration } from "../../contract/http/feed/Cs2FeedApi.ts"
import { type PlayerId, playerIdOfSteamId64 } from "../../rules/ids.ts"
import { competitiveRules } from "../../rules/live/rules.ts"
import type { MatchCreated } from "../adapters/Recording.ts"
import { teamIdOfName } from "../adapters/teams.ts"

/** Fails if parts of the registration contradict each other. */
export const createdPayload = (registration: Registration): Result.Result<MatchCreated, string> => {
  const { bestOf, eventName, roster = [], rules } = registration
  const [one, two] = registration.teams
  const teams = [
    { ...one, id: one.id ?? teamIdOfName(one.name) },
    { ...two, id: two.id ?? teamIdOfName(two.name) },
  ] as const
  if (teams[0].id === teams[1].id) return Result.fail("the two teams have the same id")
  const players = new Set<PlayerId>()
  const entries: Array<NonNullable<MatchCreated["roster"]>[number]> = []
  for (const { name, nickname, playerId, steamId64, team } of roster) {
    const id = playerId ?? playerIdOfSteamId64(steamId64 ?? "")
    if (id === undefined) return Result.fail(`${steamId64} is not a player's SteamID`)
    if (players.has(id)) return Result.fail(`${id} is on the roster twice`)
    players.add(id)
    entries.push({ playerId: id, teamId: teams[team - 1]?.id ?? teams[0].id, nickname, ...(name === undefined ? {} : { name }) })
  }
  const payload: MatchCreated = {
    bestOf,
    teams,
    rules: { ...competitiveRules, ...rules },
    ...(eventName === undefined ? {} : { eventName }),
    roster: entries,
  }
  return Result.succeed(payload)
}
