/** What generic rooms hold of a match of CS2. */

import type { CompactMatch } from "@matchpoint/contracts/cs2/CompactMatch"
import { cs2Live } from "@matchpoint/contracts/cs2/cs2Live"
import type { LiveEvent } from "@matchpoint/contracts/cs2/LiveEvent"
import type { LiveMatch } from "@matchpoint/contracts/cs2/LiveMatch"
import type { MatchRoom } from "@matchpoint/realtime/MatchRoom"
import type { Views } from "@matchpoint/realtime/Views"

/** A type alias: an interface would lack the index signature of a JSON object. */
type Cs2 = { readonly full: LiveMatch; readonly compact: CompactMatch; readonly row: LiveEvent }

export type Cs2Room = MatchRoom<Cs2>
export type Cs2Views = Views<Cs2>

/** The room as a room of CS2; undefined: it is of another game. What it holds was made by the contract of CS2. */
export const cs2RoomOf = (room: MatchRoom | undefined): Cs2Room | undefined =>
  room?.game?.game === cs2Live.game ? (room as unknown as Cs2Room) : undefined

/** Views that a contract of CS2 made. */
export const asCs2 = (views: Views): Cs2Views => views as Cs2Views
