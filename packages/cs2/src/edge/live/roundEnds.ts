/** Rows for round ends and bomb events in the responses `state`, `snapshots`, `rounds` and `maps`. */
import { sideIconPath, winIconPath } from "../../contract/http/assetPaths.ts"
import type { LiveBombEvent, LiveRounds, RoundEndEvent } from "../../contract/http/liveModels.ts"
import type { LiveEvent } from "../../contract/LiveEvent.ts"
import type { LiveRound } from "../../contract/LiveMatch.ts"

export const roundEndEvent = (round: LiveRound): RoundEndEvent => ({
  eventId: round.eventId,
  winnerSide: round.winner === "CT" ? "CT" : "TERRORIST",
  winnerSideIcon: round.winner === "CT" ? "ct" : "t",
  winnerSideIconUrl: sideIconPath(round.winner),
  winType: round.winType,
  winKind: winKind(round.winType),
  winKindIconUrl: winIconPath(winKind(round.winType)),
  terroristScore: round.tScore,
  counterTerroristScore: round.ctScore,
  observedAt: round.observedAt,
})

const winKind = (winType: LiveRound["winType"]): RoundEndEvent["winKind"] => {
  switch (winType) {
    case "Target_Bombed":
      return "bomb"
    case "Bomb_Defused":
      return "defuse"
    case "CTs_Win":
    case "Terrorists_Win":
      return "elimination"
    case "Target_Saved":
      return "time"
    case "CTs_Surrender":
    case "Terrorists_Surrender":
      return "surrender"
    case "Unknown":
      return "unknown"
  }
}

export const roundRow = (round: LiveRound): LiveRounds["rounds"][number] => {
  const result = {
    winner: round.winner === "CT" ? ("CT" as const) : ("TERRORIST" as const),
    winType: round.winType,
    terroristScore: round.tScore,
    counterTerroristScore: round.ctScore,
  }
  return { eventId: round.eventId, eventType: "RoundEnd", round: round.round, ...result, payload: result, observedAt: round.observedAt }
}

export const isBombEvent = (event: LiveEvent): boolean =>
  event.eventType === "BombPlanted" || event.eventType === "BombDefused" || event.eventType === "BombExploded"

export const bombEvent = (event: LiveEvent): LiveBombEvent => ({
  eventId: event.eventId,
  eventType: event.eventType,
  playerName: event.playerName,
  playerNick: event.playerNick,
  ctPlayers: event.ctPlayers,
  tPlayers: event.tPlayers,
  bombSite: event.bombSite,
  observedAt: event.observedAt,
})
