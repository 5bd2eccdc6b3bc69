/** Events as the page of a match shows them: with score and momentum after the event, which the API does not give. */
import type { Client } from "@matchpoint/client"
import { fromTheStart, untilKnown } from "@matchpoint/game/pages/live/fromTheStart"
import type { Known } from "@matchpoint/game/pages/live/GameView"
import type { StoredEvent } from "@matchpoint/game/pages/live/LiveStore"
import type { CompactTennisMatch, LiveEvent, LiveMatch, SideNumber } from "../types.ts"

export interface ShownEvent extends StoredEvent {
  readonly type: LiveEvent["type"]
  /** Number of the frame, which orders the events of a match. */
  readonly seq: number
  /** -1 to 1, after the event. Positive if side 1 has it. */
  readonly momentum: number
  /** Null if the event is not a point. */
  readonly point: PlayedPoint | null
}

export interface PlayedPoint {
  readonly set: number
  readonly server: SideNumber
  readonly winner: SideNumber
  readonly kind: NonNullable<LiveEvent["kind"]>
  readonly won: NonNullable<LiveEvent["won"]>
  /** Score after the point, side 1 first: points such as `30–15`, or games of the set if it has ended a game. */
  readonly score: string
  /** The receiver has won an ordinary game with the point. */
  readonly isBreak: boolean
}

/** The parts of a document that an event is shown with. Both message formats have them. */
interface After {
  readonly momentum: number
  readonly sets: ReadonlyArray<{ readonly side1: number; readonly side2: number; readonly tie_break?: object | null }>
  readonly points: { readonly side1: string; readonly side2: string } | null
}

export const afterOf = ({ game, momentum, sets }: LiveMatch): After => ({ momentum, sets, points: game?.points ?? null })

const afterOfCompact = ({ game, momentum, sets }: CompactTennisMatch): After => ({
  momentum,
  sets: Object.values(sets),
  points: game?.points ?? null,
})

const dash = ({ side1, side2 }: { readonly side1: number | string; readonly side2: number | string }) => `${side1}–${side2}`

export const shownEvent = (event: LiveEvent, seq: number, { momentum, points, sets }: After): ShownEvent => {
  const { at, eventId, kind, server, set, type, winner, won } = event
  const isPoint = kind !== undefined && server !== undefined && set !== undefined && winner !== undefined && won !== undefined
  const games = set === undefined ? undefined : sets[set - 1]
  const score = won === "point" ? points : (games ?? null)
  const isTieBreak = (games?.tie_break ?? null) !== null
  return {
    eventId,
    observedAt: at,
    type,
    seq,
    momentum,
    point: isPoint
      ? {
          set,
          server,
          winner,
          kind,
          won,
          score: score === null ? "" : dash(score),
          isBreak: won !== "point" && winner !== server && !isTieBreak,
        }
      : null,
  }
}

export const readHistory = (client: Client, known: Known<LiveMatch>, signal: AbortSignal) => {
  const options = fromTheStart<LiveMatch["id"], CompactTennisMatch>(known, signal)
  return untilKnown(client.game("tennis").match(known.matchId, options), known, (change) => {
    const after = afterOfCompact(change.match)
    return change.events.map((event) => shownEvent(event, change.seq, after))
  })
}
