/** The first fact of a lobby, from its registration. Pure. */
import type { MatchRegistration } from "@matchpoint/store/live/Matches"
import { Result } from "effect"
import type { ApexRegistration } from "../../contract/http/ApexRegistration.ts"
import type { LobbySheet } from "../../rules/live/lobby.ts"

/** Games of a lobby whose registration states none. */
const GAMES = 6

/** Fails if parts of the registration contradict each other. */
export const lobbySheet = ({ format, name, region, stage, teams, tournament }: ApexRegistration): Result.Result<LobbySheet, string> => {
  const names = teams.map((team) => team.name)
  const twice = names.find((team, index) => names.indexOf(team) < index)
  if (twice !== undefined) return Result.fail(`two teams are called ${twice}; give each team its own name`)
  const ids = teams.flatMap(({ players }) => players.flatMap(({ id }) => id ?? []))
  const repeated = ids.find((id, index) => ids.indexOf(id) < index)
  if (repeated !== undefined) return Result.fail(`the player ${repeated} is listed twice`)
  return Result.succeed({
    name,
    stage: stage ?? null,
    region: region ?? null,
    tournament: { id: tournament.id ?? null, name: tournament.name },
    format: { games: format?.games ?? GAMES, matchPoint: format?.matchPoint ?? null },
    teams: teams.map((team) => ({
      id: team.id ?? null,
      name: team.name,
      players: team.players.map((player) => ({ id: player.id ?? null, name: player.name })),
    })),
  })
}

/** The register of matches has two sides per match. A lobby has none, so the sides are the tournament and the lobby itself. */
export const registeredLobby = ({ format, name, tournament }: LobbySheet): Omit<MatchRegistration, "config"> => ({
  bestOf: format.games,
  team1: { id: tournament.id ?? tournament.name, name: tournament.name },
  team2: { id: name, name },
})
