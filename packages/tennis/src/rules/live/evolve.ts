/**
 * The state after a fact that `decideFact` accepts. Never fails; the same facts in the same order give the same state.
 */
import { newMatch } from "@matchpoint/game/rules/MatchState"
import { markOf } from "@matchpoint/game/rules/rejections"
import { evolvePoint, gameAt, openSet } from "./evolvePoint.ts"
import type { Fact, FeedEventOf } from "./feedEvents.ts"
import { otherSide, type SideIndex } from "./format.ts"
import { noMomentum } from "./momentum.ts"
import { setsWonIn, setWinner } from "./sets.ts"
import { emptyTally, type MatchState, STATE_FORMAT } from "./state.ts"

export const evolveFact = (state: MatchState, event: Fact): MatchState => {
  switch (event.type) {
    case "MatchStarted":
      return openSet({ ...state, status: "live", startedAt: event.observedAt }, event.payload.server)
    case "ServeOrderChosen":
      return { ...state, firstServers: event.payload.first }
    case "PointPlayed":
      return evolvePoint(state, event)
    case "Retired":
      return ended(state, otherSide(event.payload.side), "retired", event.observedAt)
    case "WalkedOver":
      return ended(state, otherSide(event.payload.side), "walkover", event.observedAt)
    case "Cancelled":
      return { ...ended(state, null, "cancelled", event.observedAt), status: "cancelled" }
    case "Suspended":
      return { ...state, suspendedAt: event.observedAt, interruption: markOf(event) }
    case "Resumed":
      return { ...state, suspendedAt: null, interruption: markOf(event) }
    case "ScoreCorrected":
      return corrected(state, event)
  }
}

const ended = (
  state: MatchState,
  winner: SideIndex | null,
  endReason: "retired" | "walkover" | "cancelled",
  endedAt: number,
): MatchState => ({ ...state, status: "completed", game: null, suspendedAt: null, winner, endReason, endedAt })

/** Counters of points are kept, because they count what was reported. */
const corrected = (state: MatchState, { observedAt, payload, source }: FeedEventOf<"ScoreCorrected">): MatchState => {
  const { firstServer, points, sets } = payload
  const last = sets[sets.length - 1]?.games ?? [0, 0]
  const played = last[0] + last[1]
  return {
    ...state,
    sets: sets.map((set, index) => {
      const winner = setWinner(set, index + 1, state.rules)
      const isOver = winner === 0 || winner === 1
      return { ...set, winner: isOver ? winner : null, endedAt: isOver ? (state.sets[index]?.endedAt ?? null) : null }
    }),
    setsWon: setsWonIn(sets, state.rules),
    game: { ...gameAt(last, sets.length, firstServer, state), points },
    setServer: played % 2 === 0 ? firstServer : otherSide(firstServer),
    firstServers: sets.length === state.sets.length ? state.firstServers : [0, 0],
    countsEveryPoint: false,
    lastPoint: null,
    correction: { source, at: observedAt },
  }
}

export const create = (event: FeedEventOf<"MatchCreated">): MatchState => ({
  ...newMatch(STATE_FORMAT, event),
  tour: event.payload.tour,
  tournament: event.payload.tournament,
  rules: event.payload.format,
  sides: event.payload.sides,
  sets: [],
  setsWon: [0, 0],
  game: null,
  firstServers: [0, 0],
  setServer: null,
  tallies: [emptyTally, emptyTally],
  countsEveryPoint: true,
  momentum: noMomentum,
  lastPoint: null,
  winner: null,
  endReason: null,
  correction: null,
  interruption: null,
})
