/** Apex versions of the types for live rooms, which are otherwise independent of the game. */
import { apexLive, isLiveMatchId } from "@matchpoint/contracts/apex/apexLive"
import type { CompactApexMatch } from "@matchpoint/contracts/apex/CompactApexMatch"
import type { LiveApexEvent, LiveApexMatch } from "@matchpoint/contracts/apex/LiveApexMatch"
import type { LiveRooms } from "@matchpoint/realtime/LiveRooms"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"

/** The types of content that an Apex room contains. */
type Apex = { readonly full: LiveApexMatch; readonly compact: CompactApexMatch; readonly row: LiveApexEvent }

/**
 * Returns the room as an Apex room, or undefined if it belongs to another game. The cast is safe because the Apex
 * contract created the room's content.
 */
const apexRoomOf = (room: MatchRoom | undefined): MatchRoom<Apex> | undefined =>
  room?.game?.game === apexLive.game ? (room as unknown as MatchRoom<Apex>) : undefined

/** Returns the newest document of a live lobby, or undefined if no live lobby has this id. */
export const liveLobbyOf = (rooms: LiveRooms, id: string): LiveApexMatch | undefined =>
  isLiveMatchId(id) ? apexRoomOf(rooms.get(id))?.match : undefined

/** Returns the newest documents of all lobbies in progress. */
export const liveLobbies = (rooms: LiveRooms): ReadonlyArray<LiveApexMatch> => rooms.live().flatMap((room) => apexRoomOf(room)?.match ?? [])
