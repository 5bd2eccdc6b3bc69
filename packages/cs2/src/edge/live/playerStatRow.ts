/** Rows of the `/maps` response: one player on one map. They include only details that a live feed reports. */
import { mapImagePath } from "../../contract/http/assetPaths.ts"
import type { PlayerStatRow, TeamSummary } from "../../contract/http/liveMapModels.ts"
import type { LiveMap, LiveMatch, LivePlayerLine, LiveTeam } from "../../contract/LiveMatch.ts"
import { RATING_FORMULA, RATING_VERSION, round2 } from "../../rules/rating.ts"

export const playerStatRow = (match: LiveMatch, map: LiveMap, line: LivePlayerLine): PlayerStatRow => {
  const team = match.teams.find((one) => one.id === line.teamId) ?? match.teams[0]
  const realName = match.players.find((player) => player.id === line.id)?.name ?? null
  const openings = line.firstKills + line.firstDeaths
  return {
    entityType: "cs2_player_stat",
    id: `${map.id}-${line.id}`,
    mapId: map.id,
    matchId: match.matchId,
    playerId: line.id,
    playerName: line.nickname,
    teamId: line.teamId,
    teamName: team.name,
    kills: line.kills,
    deaths: line.deaths,
    assists: line.assists,
    plusMinus: line.kills - line.deaths,
    headshots: line.headshots,
    firstKills: line.firstKills,
    firstDeaths: line.firstDeaths,
    openingKills: line.firstKills,
    openingDeaths: line.firstDeaths,
    adr: line.adr,
    kast: line.kast,
    headshotPercent: line.kills > 0 ? round2(line.headshots / line.kills) : 0,
    rating: line.rating,
    ratingVersion: RATING_VERSION,
    lastSyncedAt: match.updatedAt,
    mapNameCanonical: map.mapName,
    imageUrl: mapImagePath(map.mapName),
    mapImageUrl: mapImagePath(map.mapName),
    coverImageUrl: mapImagePath(map.mapName),
    player: {
      id: line.id,
      nickname: line.nickname,
      slug: null,
      realName,
      imageUrl: null,
      countryName: null,
      countryCode: null,
      age: null,
      rating: null,
      mapsPlayed: null,
      careerStats: null,
      currentTeamId: line.teamId,
      status: null,
      primaryRole: null,
      roleConfidence: null,
      statusUpdatedAt: null,
      lastSyncedAt: match.updatedAt,
      lastVerified: match.updatedAt,
    },
    team: teamSummary(team, match.updatedAt),
    ratingProfile: {
      rating: line.rating,
      ratingVersion: RATING_VERSION,
      components: {
        killsPerMap: line.kills,
        adr: line.adr,
        kast: line.kast,
        killsPlusAssistsPerDeath: round2((line.kills + line.assists) / Math.max(1, line.deaths)),
      },
      openingDuels: {
        openingKills: line.firstKills,
        openingDeaths: line.firstDeaths,
        successRate: openings === 0 ? null : round2(line.firstKills / openings),
      },
      formula: RATING_FORMULA,
    },
    availableSubresources: ["rounds", "events"],
  }
}

const teamSummary = (team: LiveTeam, at: string): TeamSummary => ({
  id: team.id,
  name: team.name,
  slug: null,
  teamTag: null,
  logoUrl: team.logoUrl,
  countryName: null,
  countryCode: null,
  region: null,
  worldRanking: null,
  lastSyncedAt: at,
  lastVerified: at,
  confidence: null,
  alternateLogoUrl: null,
  darkUiLogoUrl: null,
})
