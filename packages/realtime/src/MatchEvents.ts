/** The newest events of one match, oldest first, in message format v1. */
import type { EventRow } from "@matchpoint/contracts/game/LiveContract"
import { internalsText } from "@matchpoint/contracts/stream/record"
import { type Frame, includes } from "./Frame.ts"
import { parsing } from "./FrameViews.ts"

/** A long best-of-five match has about 1,500. The oldest events are dropped first. */
const MAX_EVENTS = 5_000

export class MatchEvents<Row extends EventRow = EventRow> {
  readonly #events: Array<Row> = []

  get all(): ReadonlyArray<Row> {
    return this.#events
  }

  /** Parsed at once: a parsed event takes less memory than its record, which repeats it in other forms. */
  addOf(frame: Frame): void {
    const event = eventOf(frame)
    if (event === undefined) return
    // Safe: the contract of the game wrote the event.
    this.#events.push(event as Row)
    if (this.#events.length > MAX_EVENTS) this.#events.splice(0, MAX_EVENTS / 10)
  }
}

const eventKey = Buffer.from('"event":')

/**
 * In message format v1; undefined if no event caused the change. Parses nothing if the record has no event. Throws
 * `UnreadableFrame`.
 */
export const eventOf = (frame: Frame): EventRow | undefined => {
  const { rest } = frame.record
  if (!includes(rest, eventKey)) return undefined
  return parsing(frame, (): { readonly event?: EventRow } => JSON.parse(internalsText(rest))).event
}
