/** Response of `GET /cs2/live/{matchId}/maps`: every map that has started. */
import { mapImagePath, weaponIconPath } from "../../contract/http/assetPaths.ts"
import type { MapOfMatch } from "../../contract/http/liveMapModels.ts"
import type { LiveEvent } from "../../contract/LiveEvent.ts"
import type { LiveMap, LiveMatch } from "../../contract/LiveMatch.ts"
import { round2 } from "../../rules/rating.ts"
import { availabilityOf, type IsLegitimateNull, unavailableIn } from "./availability.ts"
import { mapTallies } from "./mapTallies.ts"
import { playerStatRow } from "./playerStatRow.ts"
import { bombEvent } from "./roundEnds.ts"

export const mapsOf = (match: LiveMatch, events: ReadonlyArray<LiveEvent>): ReadonlyArray<MapOfMatch> =>
  match.maps.map((map) => mapOf(match, map, events))

/** After a switch to the backup feed, the map in play is incomplete, while maps completed before keep their data. */
export const qualityOf = (match: LiveMatch, map: LiveMap): MapOfMatch["dataQuality"] =>
  map.status === "completed"
    ? map.players.length > 0
      ? "complete"
      : "partial"
    : availabilityOf(match).dataAvailable
      ? "complete"
      : "partial"

const mapOf = (match: LiveMatch, map: LiveMap, events: ReadonlyArray<LiveEvent>): MapOfMatch => {
  const { bombs, teams, weapons, teamOf } = mapTallies(match, map, events)
  const dataQuality = qualityOf(match, map)
  const complete = dataQuality === "complete"
  const lines = map.status === "completed" ? map.players : match.players
  const shown = {
    entityType: "cs2_map" as const,
    id: map.id,
    matchId: match.matchId,
    mapNumber: map.mapNumber,
    mapName: map.mapName,
    status: map.status,
    team1Score: map.team1Score,
    team2Score: map.team2Score,
    team1Halves: map.team1Halves.length === 0 ? null : map.team1Halves,
    team2Halves: map.team2Halves.length === 0 ? null : map.team2Halves,
    winnerTeamId: map.winnerTeamId,
    durationRounds: map.durationRounds,
    lastSyncedAt: match.updatedAt,
    playerStats: lines.map((line) => playerStatRow(match, map, line)),
    bombEvents: bombs.map(bombEvent),
    bombStats: teams,
    weaponAggregates: weapons.map(({ weapon, kills, headshots }) => ({
      weapon,
      weaponIconUrl: weaponIconPath(weapon),
      kills,
      headshots,
      headshotPercent: round2(headshots / kills),
    })),
    mapImageUrl: mapImagePath(map.mapName),
    pickTeamId: map.pickTeamId,
    objectiveStats: {
      dataAvailable: complete,
      unavailableReason: complete ? null : (availabilityOf(match).unavailableReason ?? "not_yet_indexed"),
      // The feed reports plants, defuses and explosions, but not whether the defuser was the last player alive, so
      // clutch defuses are derived from the kills.
      confidence: { plants: "high" as const, defuses: "high" as const, explosions: "high" as const, clutchDefuse: "medium" as const },
      teamStats: teams,
      roundEvents: bombs.map((event) => ({
        round: event.round,
        eventType: event.eventType,
        teamId: teamOf(event),
        bombSite: event.bombSite,
      })),
    },
  }
  const reason = match.source === "live_backup" ? "backup_feed" : "not_in_live_feed"
  return {
    ...shown,
    availableSubresources: complete ? ["playerStats", "bombEvents", "objectiveStats", "weaponAggregates", "rounds", "events"] : ["events"],
    unavailableSubresources: complete ? ["demos"] : ["playerStats", "objectiveStats", "rounds", "demos"],
    unavailableFields: Object.fromEntries(unavailableIn(shown, natural).map((path) => [path, { reason }])),
    dataQuality,
  }
}

/** Legitimate nulls: the winner of a map in play or drawn, the halves of a map without rounds, an explosion's player. */
const natural: IsLegitimateNull = (path, holder) => {
  switch (path) {
    case "winnerTeamId":
    case "objectiveStats.unavailableReason":
    case "objectiveStats.roundEvents.teamId":
    case "playerStats.ratingProfile.openingDuels.successRate":
      return true
    case "team1Halves":
    case "team2Halves":
      return holder["durationRounds"] === 0
    case "bombEvents.playerName":
    case "bombEvents.playerNick":
      return holder["eventType"] === "BombExploded"
    default:
      return false
  }
}
