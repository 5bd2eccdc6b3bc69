/** Limits analytics to a season and to the history of the caller's plan, and finds players and teams. */
import { NotCovered, NotFound } from "@matchpoint/contracts/http/errors"
import { since, withinHistory } from "@matchpoint/game/edge/archive"
import { Effect } from "effect"
import type { AnalyticsPlayer, AnalyticsScope, PlayerAnalytics } from "../../archive/analytics/PlayerAnalytics.ts"
import type { AnalyticsTeam, TeamAnalytics } from "../../archive/analytics/TeamAnalytics.ts"
import type { CodLeague } from "../../archive/league/CodLeague.ts"
import { playerIdOf } from "../../rules/archive/names.ts"
import { endOfSeason } from "../archive/pages.ts"

/** Fails if the archive does not have the season, or if it ended before the caller's history. */
export const scopeOf = Effect.fnUntraced(function* (league: CodLeague["Service"], season: number | undefined) {
  if (season !== undefined) {
    const seasons = yield* league.seasons
    if (!seasons.includes(season)) return yield* NotCovered.of("season", String(season), seasons.map(String))
    yield* withinHistory(endOfSeason(season))
  }
  const scope: AnalyticsScope = { season, from: yield* since() }
  return scope
})

/** Finds players by id or handle, in the given order. Fails with 404 if one is unknown. */
export const findPlayers = Effect.fnUntraced(function* (analytics: PlayerAnalytics["Service"], names: ReadonlyArray<string>) {
  const found = new Map((yield* analytics.players([...new Set(names.map(playerIdOf))])).map((player) => [player.playerId, player]))
  const players: Array<AnalyticsPlayer> = []
  for (const name of names) {
    const player = found.get(playerIdOf(name))
    if (player === undefined) return yield* NotFound.of(`no player has the id or handle ${name}; GET /cod/search?q=<name> finds players`)
    players.push(player)
  }
  return players
})

export const findPlayer = (analytics: PlayerAnalytics["Service"], name: string) =>
  Effect.flatMap(findPlayers(analytics, [name]), ([player]) =>
    player === undefined ? Effect.die(new Error("a player that was found is missing")) : Effect.succeed(player),
  )

/** Finds teams in the order of the slugs. Fails with 404 if one is unknown. */
export const findTeams = Effect.fnUntraced(function* (analytics: TeamAnalytics["Service"], slugs: ReadonlyArray<string>) {
  const found = new Map((yield* analytics.teams(slugs)).map((team) => [team.slug, team]))
  const teams: Array<AnalyticsTeam> = []
  for (const slug of slugs) {
    const team = found.get(slug)
    if (team === undefined) return yield* NotFound.of(`no team has the slug ${slug}; GET /cod/search?q=<name>&type=team finds teams`)
    teams.push(team)
  }
  return teams
})
