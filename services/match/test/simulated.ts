/** Simulated matches as FEED records, for tests of the fold and the actor. */
import { encodeFeedEvent } from "@matchpoint/cs2/contract/feed"
import { cs2LiveGame } from "@matchpoint/cs2/live/cs2LiveGame"
import { MatchEncoder } from "@matchpoint/cs2/live/encode/MatchEncoder"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import type { MatchState } from "@matchpoint/cs2/rules/live/state"
import { simulateMatch } from "@matchpoint/cs2/simulator/simulateMatch"
import { toFeedEvent } from "@matchpoint/cs2/simulator/timedFact"
import type { MatchId } from "@matchpoint/domain/ids"
import { foldRecord } from "../src/actor/foldRecord.ts"

const START = Date.parse("2026-03-01T18:00:00Z")

export const simulatedEvents = (seed: number, matchId: MatchId, bestOf: 1 | 3 = 1): ReadonlyArray<FeedEvent> =>
  [...simulateMatch({ seed, matchId, bestOf })].map((fact) =>
    toFeedEvent(fact, { observedAt: START + fact.offsetMs, receivedAt: START + fact.offsetMs + 40 }),
  )

/** Folds events as the actor does. Returns the records of all accepted events and the last state. */
export const foldToRecords = (matchId: MatchId, events: Iterable<FeedEvent>, begun?: MatchState) => {
  const encoder = new MatchEncoder()
  let state = begun
  const records: Array<Uint8Array> = []
  for (const event of events) {
    const step = foldRecord(cs2LiveGame, matchId, state, { data: encodeFeedEvent(event), appendedAt: event.receivedAt })
    if (step._tag === "Rejected") continue
    records.push(encoder.encode(state, step.state, event))
    state = step.state
  }
  return { state, records }
}
