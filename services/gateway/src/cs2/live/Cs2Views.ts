/** Types that give generic rooms and views their CS2 content. */

import type { CompactMatch } from "@matchpoint/contracts/cs2/CompactMatch"
import { cs2Live } from "@matchpoint/contracts/cs2/cs2Live"
import type { LiveEvent } from "@matchpoint/contracts/cs2/LiveEvent"
import type { LiveMatch } from "@matchpoint/contracts/cs2/LiveMatch"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"
import type { Views } from "@matchpoint/realtime/Views"

/** A type alias, because an interface lacks the index signature of a JSON object. */
type Cs2 = { readonly full: LiveMatch; readonly compact: CompactMatch; readonly row: LiveEvent }

export type Cs2Room = MatchRoom<Cs2>
export type Cs2Views = Views<Cs2>

/**
 * Returns the room as a CS2 room, or undefined if it belongs to another game. The cast is safe because the CS2 contract
 * created the content.
 */
export const cs2RoomOf = (room: MatchRoom | undefined): Cs2Room | undefined =>
  room?.game?.game === cs2Live.game ? (room as unknown as Cs2Room) : undefined

/** Casts views that the CS2 contract created. */
export const asCs2 = (views: Views): Cs2Views => views as Cs2Views
