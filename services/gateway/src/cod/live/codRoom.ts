/** Call of Duty versions of the types for live rooms, which are otherwise independent of the game. */
import type { CompactCodMatch } from "@matchpoint/contracts/cod/CompactCodMatch"
import { codLive, isLiveMatchId } from "@matchpoint/contracts/cod/codLive"
import type { LiveCodEvent, LiveCodMatch } from "@matchpoint/contracts/cod/LiveCodMatch"
import type { LiveRooms } from "@matchpoint/realtime/LiveRooms"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"

/** The types of content that a Call of Duty room contains. */
type Cod = { readonly full: LiveCodMatch; readonly compact: CompactCodMatch; readonly row: LiveCodEvent }

/**
 * Returns the room as a Call of Duty room, or undefined if it belongs to another game. The cast is safe because the
 * contract of the game created the room's content.
 */
export const codRoomOf = (room: MatchRoom | undefined): MatchRoom<Cod> | undefined =>
  room?.game?.game === codLive.game ? (room as unknown as MatchRoom<Cod>) : undefined

/** Returns the newest document of a live match, or undefined if no live match has this id. */
export const liveMatchOf = (rooms: LiveRooms, id: string): LiveCodMatch | undefined =>
  isLiveMatchId(id) ? codRoomOf(rooms.get(id))?.match : undefined
