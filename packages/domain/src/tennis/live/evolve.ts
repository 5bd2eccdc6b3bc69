/**
 * Computes the state of a match after an accepted feed event. Has no side effects and never fails: every event that
 * `decide` accepts can be applied, and the same events in the same order always give the same state.
 */
import { decide } from "./decide.ts"
import { evolvePoint, gameAt, openSet } from "./evolvePoint.ts"
import type { FeedEvent, FeedEventOf } from "./feedEvents.ts"
import { otherSide, type SideIndex } from "./format.ts"
import { noMomentum } from "./momentum.ts"
import { setsWonIn, setWinner } from "./sets.ts"
import { emptyTally, MAX_SEEN, type MatchState, STATE_FORMAT, seenKey } from "./state.ts"

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
    case "Cancelled":
      return { ...ended(state, null, "cancelled", event.observedAt), status: "cancelled" }
    case "Suspended":
      return { ...state, suspendedAt: event.observedAt, interruption: { source: event.source, at: event.observedAt } }
    case "Resumed":
      return { ...state, suspendedAt: null, interruption: { source: event.source, at: event.observedAt } }
    case "ScoreCorrected":
      return corrected(state, event)
    case "SourceChanged":
      return changedSource(state, event.payload)
    case "FeedSilent":
      return { ...state, silence: { status: event.payload.status, since: event.payload.lastReportAt } }
    case "HistoryLost":
      return { ...state, epoch: event.payload.epoch, seq: 1, countsEveryPoint: false }
  }
}

const ended = (
  state: MatchState,
  winner: SideIndex | null,
  endReason: "retired" | "walkover" | "cancelled",
  endedAt: number,
): MatchState => ({ ...state, status: "completed", game: null, suspendedAt: null, winner, endReason, endedAt })

/** Replaces the score. Counters of points are kept, because they count what was reported. */
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

/**
 * Uses another feed. What the backup feed reported on standby is applied as far as it is possible, as one change of the
 * match.
 */
const changedSource = (state: MatchState, { reports, source }: FeedEventOf<"SourceChanged">["payload"]): MatchState => {
  let next: MatchState = { ...state, source }
  for (const report of reports) {
    if (report.type !== "MatchCreated" && decide(next, report) === undefined) next = change(stamp(next, report), report)
  }
  return { ...next, seq: state.seq }
}

/**
 * Increments `seq`, stores the id of the event, and advances the times of the match, which never go back. A report of a
 * feed ends its silence. Events about a silence or a loss are no reports and keep the times of the last report.
 */
const stamp = (state: MatchState, event: FeedEvent): MatchState => {
  const isReport = event.type !== "HistoryLost" && event.type !== "FeedSilent"
  return {
    ...state,
    seq: state.seq + 1,
    seen: [...state.seen.slice(1 - MAX_SEEN), seenKey(event)],
    silence: isReport ? null : state.silence,
    observedAt: isReport ? Math.max(state.observedAt, event.observedAt) : state.observedAt,
    receivedAt: isReport ? Math.max(state.receivedAt, event.receivedAt) : state.receivedAt,
  }
}

const create = ({ id, matchId, observedAt, payload, receivedAt, source }: FeedEventOf<"MatchCreated">): MatchState => ({
  format: STATE_FORMAT,
  matchId,
  epoch: 1,
  seq: 1,
  status: "scheduled",
  source: "live",
  silence: null,
  tour: payload.tour,
  tournament: payload.tournament,
  rules: payload.format,
  sides: payload.sides,
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
  suspendedAt: null,
  correction: null,
  interruption: null,
  seen: [seenKey({ id, source })],
  startedAt: null,
  endedAt: null,
  observedAt,
  receivedAt,
})
