/**
 * CS2 versions of the types for live rooms and frame views, which are otherwise independent of the game. A live room is
 * the live data of one match. A view is one representation of a frame, such as the full document or an event row.
 */
import type { FrameViews } from "@matchpoint/realtime/FrameViews"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"
import type { CompactMatch } from "../../contract/CompactMatch.ts"
import { cs2Live } from "../../contract/cs2Live.ts"
import type { LiveEvent } from "../../contract/LiveEvent.ts"
import type { LiveMatch } from "../../contract/LiveMatch.ts"

/**
 * The types of content that a CS2 room (the live data of a match) contains. This is a type alias and not an interface,
 * because an interface lacks the index signature that a JSON object needs.
 */
type Cs2 = { readonly full: LiveMatch; readonly compact: CompactMatch; readonly row: LiveEvent }

export type Cs2Room = MatchRoom<Cs2>
export type Cs2Views = FrameViews<Cs2>

/**
 * Returns the room (the live data of a match) as a CS2 room, or undefined if the room belongs to another game. The cast
 * is safe because the CS2 contract created the room's content.
 */
export const cs2RoomOf = (room: MatchRoom | undefined): Cs2Room | undefined =>
  room?.game?.game === cs2Live.game ? (room as unknown as Cs2Room) : undefined

/**
 * Casts frame views to CS2 views without a check. Call this only for views whose content was created by the CS2
 * contract.
 */
export const asCs2 = (views: FrameViews): Cs2Views => views as Cs2Views
