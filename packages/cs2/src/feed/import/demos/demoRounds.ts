/** Splits a demo's events into the rounds that count: played to their end, after warmup, knife rounds and restarts. */
import type { Side } from "../../../rules/live/rules.ts"
import type { DemoEvent, ParsedDemo, Present } from "./ParsedDemo.ts"

export interface PlayedRound {
  /** End of freeze time. */
  readonly liveTick: number
  readonly endTick: number
  readonly winner: Side
  /** The word or number in the demo. */
  readonly reason: string
  /** Events from the start of this round to the start of the next one. */
  readonly events: ReadonlyArray<DemoEvent>
  readonly present: ReadonlyArray<Present>
}

interface OpenRound {
  liveTick: number
  end: { readonly tick: number; readonly winner: Side; readonly reason: string } | undefined
  readonly events: Array<DemoEvent>
}

/** The rounds after the last `begin_new_match` event. Earlier rounds do not count. */
export const playedRounds = (demo: ParsedDemo): ReadonlyArray<PlayedRound> => {
  let rounds: Array<OpenRound> = []
  let open: OpenRound | undefined
  for (const event of [...demo.events].sort((a, b) => a.tick - b.tick)) {
    if (event.is_warmup_period === true) continue
    if (event.event_name === "begin_new_match") rounds = []
    else if (event.event_name === "round_start") {
      open = { liveTick: event.tick, end: undefined, events: [] }
      rounds.push(open)
    } else if (open === undefined) continue
    else if (event.event_name === "round_freeze_end") open.liveTick = event.tick
    else if (event.event_name === "round_end") {
      const winner = sideOfWinner(event.winner)
      if (winner !== undefined) open.end ??= { tick: event.tick, winner, reason: String(event.reason ?? "") }
    } else open.events.push(event)
  }
  return rounds.flatMap(({ end, events, liveTick }) => {
    if (end === undefined) return []
    const present = demo.present.filter(({ tick }) => tick >= liveTick && tick <= end.tick)
    return [{ liveTick, endTick: end.tick, winner: end.winner, reason: end.reason, events, present }]
  })
}

const sideOfWinner = (winner: string | number | null | undefined): Side | undefined =>
  winner === "CT" || winner === 3 ? "CT" : winner === "T" || winner === "TERRORIST" || winner === 2 ? "T" : undefined
