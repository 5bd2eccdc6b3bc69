/** `GET /cs2/live/{matchId}/maps`: every map begun, with players' rows, bomb and weapon counts from the events so far. */
import type { LiveBombEvent, MapOfMatch, PlayerStatRow, TeamSummary } from "@matchpoint/contracts/http/cs2/liveModels"
import type { LiveEvent } from "@matchpoint/contracts/stream/LiveEvent"
import type { LiveMap, LiveMatch, LivePlayerLine, LiveTeam } from "@matchpoint/contracts/stream/LiveMatch"
import { RATING_VERSION, round2 } from "@matchpoint/domain/cs2/rating"
import { bombEvent, isBombEvent } from "./roundEnds.ts"

export const mapsOf = (match: LiveMatch, events: ReadonlyArray<LiveEvent>): ReadonlyArray<MapOfMatch> =>
  match.maps.map((map) =>
    mapOf(
      match,
      map,
      events.filter((event) => event.mapNumber === map.mapNumber),
    ),
  )

const FORMULA =
  "0.0073 KAST% + 0.3591 KPR - 0.5329 DPR + 0.2372 impact + 0.0032 ADR + 0.1587 with impact = 2.13 KPR + 0.42 APR - 0.41, over the rounds of the map"

const mapOf = (match: LiveMatch, map: LiveMap, events: ReadonlyArray<LiveEvent>): MapOfMatch => {
  const lines: ReadonlyArray<LivePlayerLine> = map.status === "completed" ? map.players : match.players
  const bombs = events.filter(isBombEvent)
  const objectives = objectivesOf(match, bombs)
  return {
    entityType: "cs2_map",
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
    bombEvents: bombs.map((event): LiveBombEvent => bombEvent(event)),
    bombStats: objectives,
    weaponAggregates: weaponsOf(events),
    mapImageUrl: null,
    pickTeamId: map.pickTeamId,
    objectiveStats: {
      dataAvailable: true,
      unavailableReason: null,
      confidence: { plants: "high", defuses: "high", explosions: "high", clutchDefuse: "medium" },
      teamStats: objectives,
      roundEvents: bombs.map((event) => ({
        round: event.round,
        eventType: event.eventType,
        teamId: teamOf(match, event)?.id ?? null,
        bombSite: event.bombSite,
      })),
    },
    availableSubresources: ["playerStats", "bombEvents", "rounds"],
    unavailableSubresources: ["demos"],
    unavailableFields: { mapImageUrl: { reason: "no_image_source" } },
    dataQuality: match.source === "live" ? "complete" : "partial",
  }
}

const teamOf = (match: LiveMatch, event: LiveEvent): LiveTeam | undefined => {
  const player = match.players.find((one) => one.id === event.playerId)
  return match.teams.find((team) => team.id === player?.teamId)
}

/** An explosion belongs to the team that planted in that round. */
const objectivesOf = (match: LiveMatch, bombs: ReadonlyArray<LiveEvent>) =>
  match.teams.map((team) => {
    const of = (type: LiveEvent["eventType"]) => bombs.filter((event) => event.eventType === type && teamOf(match, event)?.id === team.id)
    const plants = of("BombPlanted")
    return {
      teamId: team.id,
      plants: plants.length,
      defuses: of("BombDefused").length,
      explosions: bombs.filter((event) => event.eventType === "BombExploded" && plants.some((plant) => plant.round === event.round)).length,
    }
  })

const weaponsOf = (events: ReadonlyArray<LiveEvent>) => {
  const weapons = new Map<string, { weapon: string; kills: number; headshots: number }>()
  for (const event of events) {
    if (event.eventType !== "Kill") continue
    const weapon = String(event.payload["weapon"])
    const count = weapons.get(weapon) ?? { weapon, kills: 0, headshots: 0 }
    count.kills += 1
    if (event.payload["headshot"] === true) count.headshots += 1
    weapons.set(weapon, count)
  }
  return [...weapons.values()].sort((a, b) => b.kills - a.kills)
}

const playerStatRow = (match: LiveMatch, map: LiveMap, line: LivePlayerLine): PlayerStatRow => {
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
    imageUrl: null,
    mapImageUrl: null,
    coverImageUrl: null,
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
      formula: FORMULA,
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
