/** Tennis versions of the types for live rooms, which are otherwise independent of the game. */
import type { CompactTennisMatch } from "@matchpoint/contracts/tennis/CompactTennisMatch"
import type { LiveTennisEvent, LiveTennisMatch } from "@matchpoint/contracts/tennis/LiveTennisMatch"
import { isLiveMatchId, tennisLive } from "@matchpoint/contracts/tennis/tennisLive"
import type { LiveRooms } from "@matchpoint/realtime/LiveRooms"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"

/** The types of content that a tennis room contains. */
type Tennis = { readonly full: LiveTennisMatch; readonly compact: CompactTennisMatch; readonly row: LiveTennisEvent }

/**
 * Returns the room as a tennis room, or undefined if it belongs to another game. The cast is safe because the tennis
 * contract created the room's content.
 */
export const tennisRoomOf = (room: MatchRoom | undefined): MatchRoom<Tennis> | undefined =>
  room?.game?.game === tennisLive.game ? (room as unknown as MatchRoom<Tennis>) : undefined

/** Returns the newest document of a live match, or undefined if no live match has this id. */
export const liveMatchOf = (rooms: LiveRooms, id: string): LiveTennisMatch | undefined =>
  isLiveMatchId(id) ? tennisRoomOf(rooms.get(id))?.match : undefined
