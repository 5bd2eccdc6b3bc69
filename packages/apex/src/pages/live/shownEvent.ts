import type { Client } from "@matchpoint/client"
import { fromTheStart, untilKnown } from "@matchpoint/game/pages/live/fromTheStart"
import type { Known } from "@matchpoint/game/pages/live/GameView"
import type { StoredEvent } from "@matchpoint/game/pages/live/LiveStore"
import type { CompactMatch, LiveEvent, LiveMatch } from "./types.ts"

export interface ShownEvent extends StoredEvent {
  /** Number of the frame, which orders the events of a lobby. */
  readonly seq: number
  readonly event: LiveEvent
}

export const shownEvent = (event: LiveEvent, seq: number): ShownEvent => ({ eventId: event.eventId, observedAt: event.at, seq, event })

export const readHistory = (client: Client, known: Known<LiveMatch>, signal: AbortSignal) => {
  const options = fromTheStart<LiveMatch["id"], CompactMatch>(known, signal)
  return untilKnown(client.game("apex").match(known.matchId, options), known, (change) =>
    change.events.map((event) => shownEvent(event, change.seq)),
  )
}
