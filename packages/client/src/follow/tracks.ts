/** Immutable maps from match id to track. Each update copies the whole map, which has one entry per live match. */
import type { MatchId } from "@matchpoint/domain/ids"
import type { Track, Tracks } from "./FollowState.ts"

export const withTrack = (tracks: Tracks, track: Track): Tracks => new Map(tracks).set(track.matchId, track)

export const withoutTrack = (tracks: Tracks, matchId: MatchId): Tracks => {
  const rest = new Map(tracks)
  rest.delete(matchId)
  return rest
}

export const mapTracks = (tracks: Tracks, change: (track: Track) => Track): Tracks =>
  new Map(Array.from(tracks, ([matchId, track]) => [matchId, change(track)]))

export const someTrack = (tracks: Tracks, holds: (track: Track) => boolean): boolean => {
  for (const track of tracks.values()) if (holds(track)) return true
  return false
}
