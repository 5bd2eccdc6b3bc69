/** Events of a live match as its page shows them, and the reading of those before the page was opened. */
import type { Client } from "@matchpoint/client"
import type { CompactCodMatch } from "@matchpoint/contracts/cod/CompactCodMatch"
import type { Known } from "../../live/GameView.ts"
import type { StoredEvent } from "../../live/LiveStore.ts"
import type { LiveEvent, LiveMatch } from "./types.ts"

export interface ShownEvent extends StoredEvent {
  readonly event: LiveEvent
  /** Number of the frame, which orders the events of a match. */
  readonly seq: number
}

export const shownEvent = (event: LiveEvent, seq: number): ShownEvent => ({ eventId: event.eventId, observedAt: event.at, event, seq })

/**
 * Reads the events from the beginning of the match to its known state. They come from the live channel, which resumes
 * before the first frame and sends every change as a small delta. If the server no longer has all frames, the oldest
 * events are missing.
 */
export const readHistory = async (client: Client, { epoch, matchId, seq }: Known<LiveMatch>, signal: AbortSignal) => {
  const events: Array<ShownEvent> = []
  const cursor = { matchId: matchId as LiveMatch["matchId"], epoch, seq: 0, position: 0 }
  // The first change of a match turns the empty document into its first state.
  const resume = { cursor, matches: [{ ...cursor, match: {} as CompactCodMatch }] }
  // Server-sent events are in every plan.
  const options = { shape: "v2", transport: "sse", resume, signal, maxAttempts: 1 } as const
  for await (const change of client.game("cod").match(matchId, options)) {
    events.push(...change.events.map((event) => shownEvent(event, change.seq)))
    if (change.epoch > epoch || change.seq >= seq) break
  }
  return events
}
