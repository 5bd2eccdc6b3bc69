/** `GET /cs2/live/{matchId}/scoreboard` and the rows of the live list. */
import type { LiveListItem, Scoreboard } from "@matchpoint/contracts/http/cs2/liveModels"
import type { LiveMatch } from "@matchpoint/contracts/stream/LiveMatch"

/** `latencyMs`: from the moment on the server or observer to our receiving it. */
export const scoreboard = (match: LiveMatch, latencyMs: number | null): Scoreboard => ({
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
    side: team.side,
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
    side: player.side,
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
  meta: {
    updatedAt: match.updatedAt,
    latencyMs,
    coverage: match.source === "live" ? "realtime" : "score_only",
    source: match.source,
    unavailableFields: match.unavailableFields,
  },
})

export const listItem = (match: LiveMatch): LiveListItem => {
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
    updatedAt: match.updatedAt,
  }
}
