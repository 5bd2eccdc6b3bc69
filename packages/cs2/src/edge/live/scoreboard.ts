/** Response of `GET /cs2/live/{matchId}/scoreboard`, and the rows of the list of live matches. */
import type { LiveListItem, Scoreboard } from "../../contract/http/liveModels.ts"
import type { LiveMatch } from "../../contract/LiveMatch.ts"
import { availabilityOf, coverageOf, type IsLegitimateNull, unavailableIn } from "./availability.ts"
import { sideOfTeam } from "./sides.ts"

/** `latencyMs`: from the time at which the source saw the last event to the time at which we received it. */
export const scoreboard = (match: LiveMatch, latencyMs: number | null): Scoreboard => {
  const board = boardOf(match)
  return {
    ...board,
    // The API specification requires a string: empty if the player has no weapon or the feed does not report it.
    players: board.players.map((player) => ({ ...player, weapon: player.weapon ?? "" })),
    meta: {
      updatedAt: match.updatedAt,
      latencyMs,
      coverage: coverageOf(match),
      source: match.source,
      ...availabilityOf(match),
      unavailableFields: [...new Set([...match.unavailableFields.filter(isOnBoard), ...unavailableIn(board, natural)])].sort(),
    },
  }
}

/** Shortens the list of unavailable fields, which also names fields of the match document that the scoreboard omits. */
const isOnBoard = (path: string): boolean => /^(game|teams|players|lastEvent)\b/.test(path) && path !== "game.clockEndsAt"

/**
 * Legitimate nulls: no bomb is planted, the bomb was defused, nothing has happened yet, the event has no killer, or the
 * player is dead and holds no weapon.
 */
const natural: IsLegitimateNull = (path, holder) => {
  switch (path) {
    case "game.bomb":
    case "lastEvent":
    case "lastEvent.id":
    case "lastEvent.killerPlayerId":
    case "lastEvent.victimPlayerId":
      return true
    case "lastEvent.weapon":
    case "lastEvent.headshot":
    case "lastEvent.throughSmoke":
      return holder["type"] !== "PlayerKilled" && holder["type"] !== "Kill"
    case "game.bomb.explodesAt":
      return holder["plantedAt"] !== null || !isPlanted(holder)
    case "game.bomb.playerId":
    case "game.bomb.site":
    case "game.bomb.plantedAt":
      return !isPlanted(holder)
    case "players.weapon":
      return holder["alive"] === false
    default:
      return false
  }
}

const isPlanted = (bomb: Readonly<Record<string, unknown>>): boolean => bomb["state"] === "planted" || bomb["state"] === "defusing"

const boardOf = (match: LiveMatch) => ({
  matchId: match.matchId,
  status: match.status,
  bestOf: match.bestOf,
  currentGame: match.currentGame,
  seriesScore: { teamA: match.seriesScore.team1, teamB: match.seriesScore.team2 },
  game:
    match.game === null
      ? null
      : {
          id: match.game.id,
          map: match.game.map,
          round: match.game.round,
          phase: match.game.phase,
          clockSeconds: match.game.clockSeconds,
          bomb: match.game.bomb,
          score: match.game.score,
          sides: match.game.sides,
        },
  teams: match.teams.map((team) => ({
    id: team.id,
    name: team.name,
    side: sideOfTeam(match, team.id),
    score: team.score,
    mapScore: team.mapScore,
    playersAlive: team.playersAlive,
    equipmentValue: team.equipmentValue,
    money: team.money,
    timeoutsRemaining: team.timeoutsRemaining,
  })),
  players: match.players.map((player) => ({
    id: player.id,
    nickname: player.nickname,
    teamId: player.teamId,
    side: sideOfTeam(match, player.teamId),
    alive: player.alive,
    hp: player.hp,
    armor: player.armor,
    helmet: player.helmet,
    money: player.money,
    weapon: player.weapon,
    kills: player.kills,
    assists: player.assists,
    deaths: player.deaths,
    adr: player.adr,
    kast: player.kast,
    rating: player.rating,
  })),
  lastEvent: match.lastEvent,
})

export const listItem = (match: LiveMatch): LiveListItem => {
  const row = rowOf(match)
  return { ...row, coverage: coverageOf(match), unavailableFields: unavailableIn(row, () => false) }
}

const rowOf = (match: LiveMatch): Omit<LiveListItem, "coverage" | "unavailableFields"> => {
  const [team1, team2] = match.teams
  return {
    entityType: "cs2_live_match",
    id: match.matchId,
    matchId: match.matchId,
    status: match.status,
    source: match.source,
    eventName: match.eventName,
    bestOf: match.bestOf,
    team1Id: team1.id,
    team1Name: team1.name,
    team2Id: team2.id,
    team2Name: team2.name,
    score: match.seriesScore,
    currentMapScore: match.game === null ? null : { team1: team1.mapScore, team2: team2.mapScore },
    currentMap: match.game?.map ?? null,
    currentGame: match.currentGame,
    currentRound: match.game?.round ?? 0,
    startedAt: match.startedAt,
    ...(match.feed === undefined ? {} : { feed: match.feed }),
    ...(match.unresolvedTeamNames === undefined ? {} : { unresolvedTeamNames: match.unresolvedTeamNames }),
    updatedAt: match.updatedAt,
  }
}
