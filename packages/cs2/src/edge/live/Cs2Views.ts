/**
 * CS2 versions of the types for live rooms and frame views. A live room is the live data of one match. A view is one
 * representation of a frame, such as the full document or an event row.
 */
import type { FrameViews } from "@matchpoint/realtime/FrameViews"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"
import type { CompactMatch } from "../../contract/CompactMatch.ts"
import { cs2Live } from "../../contract/cs2Live.ts"
import type { LiveEvent } from "../../contract/LiveEvent.ts"
import type { LiveMatch } from "../../contract/LiveMatch.ts"

/** A type alias, because an interface lacks the index signature that a JSON object needs. */
type Cs2 = { readonly full: LiveMatch; readonly compact: CompactMatch; readonly row: LiveEvent }

export type Cs2Room = MatchRoom<Cs2>
export type Cs2Views = FrameViews<Cs2>

/** Undefined if the room belongs to another game. The cast is safe because the CS2 contract created the content. */
export const cs2RoomOf = (room: MatchRoom | undefined): Cs2Room | undefined =>
  room?.game?.game === cs2Live.game ? (room as unknown as Cs2Room) : undefined

/** Unchecked cast: call this only for views whose content the CS2 contract created. */
export const asCs2 = (views: FrameViews): Cs2Views => views as Cs2Views
