import type { Client } from "@matchpoint/client"
import { fromTheStart, untilKnown } from "@matchpoint/game/pages/live/fromTheStart"
import type { Known } from "@matchpoint/game/pages/live/GameView"
import type { StoredEvent } from "@matchpoint/game/pages/live/LiveStore"
import type { CompactCodMatch } from "../../contract/CompactCodMatch.ts"
import type { LiveEvent, LiveMatch } from "./types.ts"

export interface ShownEvent extends StoredEvent {
  readonly event: LiveEvent
  /** Number of the frame, which orders the events of a match. */
  readonly seq: number
}

export const shownEvent = (event: LiveEvent, seq: number): ShownEvent => ({ eventId: event.eventId, observedAt: event.at, event, seq })

export const readHistory = (client: Client, known: Known<LiveMatch>, signal: AbortSignal) => {
  const options = fromTheStart<LiveMatch["matchId"], CompactCodMatch>(known, signal)
  return untilKnown(client.game("cod").match(known.matchId, options), known, (change) =>
    change.events.map((event) => shownEvent(event, change.seq)),
  )
}
