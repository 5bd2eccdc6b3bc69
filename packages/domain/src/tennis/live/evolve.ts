/**
 * Computes the state of a match after an accepted feed event. Has no side effects and never fails: every event that
 * `decide` accepts can be applied, and the same events in the same order always give the same state.
 */
import { evolvePoint, gameAt, openSet } from "./evolvePoint.ts"
import type { FeedEvent, FeedEventOf } from "./feedEvents.ts"
import { otherSide, type SideIndex } from "./format.ts"
import { setsWonIn, setWinner } from "./sets.ts"
import { emptyTally, type MatchState, STATE_FORMAT } from "./state.ts"

export const evolve = (state: MatchState | undefined, event: FeedEvent): MatchState => {
  if (event.type === "MatchCreated") return create(event)
  if (state === undefined) throw new Error(`${event.type} was accepted without a match`)
  return change(stamp(state, event), event)
}

const change = (state: MatchState, event: Exclude<FeedEvent, FeedEventOf<"MatchCreated">>): MatchState => {
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
    case "Suspended":
      return { ...state, suspendedAt: event.observedAt }
    case "Resumed":
      return { ...state, suspendedAt: null }
    case "ScoreCorrected":
      return corrected(state, event.payload)
  }
}

const ended = (state: MatchState, winner: SideIndex, endReason: "retired" | "walkover", endedAt: number): MatchState => ({
  ...state,
  status: "completed",
  game: null,
  suspendedAt: null,
  winner,
  endReason,
  endedAt,
})

/** Replaces the score. Counters of points are kept, because they count what was reported. */
const corrected = (state: MatchState, { firstServer, points, sets }: FeedEventOf<"ScoreCorrected">["payload"]): MatchState => {
  const last = sets[sets.length - 1]?.games ?? [0, 0]
  const played = last[0] + last[1]
  return {
    ...state,
    sets: sets.map((set, index) => {
      const winner = setWinner(set, index + 1, state.rules)
      return { ...set, winner: winner === "impossible" ? null : winner }
    }),
    setsWon: setsWonIn(sets, state.rules),
    game: { ...gameAt(last, sets.length, firstServer, state), points },
    setServer: played % 2 === 0 ? firstServer : otherSide(firstServer),
    firstServers: sets.length === state.sets.length ? state.firstServers : [0, 0],
  }
}

/** Increments `seq`, stores the id of the event, and advances the times of the match, which never go back. */
const stamp = (state: MatchState, event: FeedEvent): MatchState => ({
  ...state,
  seq: state.seq + 1,
  seen:
    event.type === "PointPlayed"
      ? { match: state.seen.match, game: [...state.seen.game, event.id] }
      : { match: [...state.seen.match, event.id], game: state.seen.game },
  observedAt: Math.max(state.observedAt, event.observedAt),
  receivedAt: Math.max(state.receivedAt, event.receivedAt),
})

const create = ({ id, matchId, observedAt, payload, receivedAt }: FeedEventOf<"MatchCreated">): MatchState => ({
  format: STATE_FORMAT,
  matchId,
  epoch: 1,
  seq: 1,
  status: "scheduled",
  rules: payload.format,
  sides: payload.sides,
  sets: [],
  setsWon: [0, 0],
  game: null,
  firstServers: [0, 0],
  setServer: null,
  tallies: [emptyTally, emptyTally],
  winner: null,
  endReason: null,
  suspendedAt: null,
  seen: { match: [id], game: [] },
  startedAt: null,
  endedAt: null,
  observedAt,
  receivedAt,
})
