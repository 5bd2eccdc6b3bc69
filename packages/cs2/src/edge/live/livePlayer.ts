/**
 * Profile of a player who so far appears only in a live match: name and team, no statistics. Within minutes, the player
 * is in the archive and the profile from there is used instead.
 */
import { newestViews } from "@matchpoint/game/edge/live/newestViews"
import type { LiveRooms } from "@matchpoint/realtime/LiveRooms"
import { Effect } from "effect"
import type { Team } from "../../contract/http/data/models.ts"
import type { PlayerProfile } from "../../contract/http/data/playerModels.ts"
import type { LiveMatch, LivePlayer } from "../../contract/LiveMatch.ts"
import { RATING_VERSION } from "../../rules/rating.ts"
import { cs2RoomOf } from "./Cs2Views.ts"

/** Undefined if no room has a player with this id. `rooms` must contain only what the caller's plan may see. */
export const livePlayer = Effect.fnUntraced(function* (rooms: LiveRooms, id: string) {
  for (const { match } of yield* newestViews(rooms.live().flatMap((room) => cs2RoomOf(room) ?? []))) {
    const player = match.players.find((one) => one.id === id)
    if (player !== undefined) return profileOf(match, player)
  }
  return undefined
})

const profileOf = (match: LiveMatch, { id, name, nickname, teamId }: LivePlayer): PlayerProfile => ({
  entityType: "cs2_player",
  id,
  nickname,
  // A player who is not in the archive yet has no slug. Lookups by slug also accept ids.
  slug: id,
  realName: name === nickname ? null : name,
  imageUrl: null,
  countryName: null,
  countryCode: null,
  age: null,
  rating: null,
  mapsPlayed: 0,
  careerStats: { rating: null, lastKnownRating: null },
  currentTeamId: teamId,
  status: "active",
  primaryRole: null,
  roleConfidence: null,
  statusUpdatedAt: match.startedAt,
  lastSyncedAt: match.updatedAt,
  lastVerified: null,
  team: teamOf(match, teamId),
  stats: nothingPlayed,
  recentMatches: [],
})

const teamOf = (match: LiveMatch, teamId: string): Team | null => {
  const team = match.teams.find((one) => one.id === teamId)
  if (team === undefined) return null
  return {
    id: team.id,
    name: team.name,
    slug: team.id,
    teamTag: null,
    logoUrl: null,
    countryName: null,
    countryCode: null,
    region: null,
    worldRanking: null,
    lastSyncedAt: match.updatedAt,
    lastVerified: null,
    confidence: "medium",
    alternateLogoUrl: null,
    darkUiLogoUrl: null,
  }
}

/** Empty, because a match counts only after it has ended. */
const nothingPlayed: PlayerProfile["stats"] = {
  matches: 0,
  matchWins: 0,
  matchLosses: 0,
  matchWinRate: null,
  maps: 0,
  mapWins: 0,
  mapLosses: 0,
  mapWinRate: null,
  rounds: 0,
  kills: 0,
  deaths: 0,
  assists: null,
  plusMinus: 0,
  kdRatio: null,
  killsPerRound: null,
  deathsPerRound: null,
  headshots: null,
  headshotPercent: null,
  firstKills: null,
  firstDeaths: null,
  openingDuelSuccessRate: null,
  adr: null,
  kast: null,
  rating: null,
  ratingVersion: RATING_VERSION,
  flashAssists: null,
  utilityDamage: null,
  clutchAttempts: null,
  clutchesWon: null,
}
