/**
 * What customers must see of a match in the end: the fold of the facts that the feed has been told are stored. Pure. The
 * fold and the webhook events of a state are those of the product, whose own tests cover them; what is checked here is
 * that no process, crash or takeover adds or drops a fact.
 */
import { matchEventId } from "@matchpoint/contracts/webhook/webhookEvents"
import { factId, type MatchId } from "@matchpoint/domain/ids"
import type { LiveTennisMatch } from "@matchpoint/tennis/contract/LiveTennisMatch"
import { tennisLive } from "@matchpoint/tennis/contract/tennisLive"
import { createdPayload } from "@matchpoint/tennis/feed/intake/registration"
import { documentOf } from "@matchpoint/tennis/live/documentOf"
import { webhookEvents } from "@matchpoint/tennis/live/webhookEvents"
import type { ReportedEvent } from "@matchpoint/tennis/rules/live/feedEvents"
import { fold } from "@matchpoint/tennis/rules/live/fold"
import type { MatchState } from "@matchpoint/tennis/rules/live/state"
import { toFeedEvent } from "@matchpoint/tennis/simulator/live/timedFact"
import { Result } from "effect"
import type { PlannedMatch } from "../load/feeds/plannedMatch.ts"

export interface ExpectedMatch {
  readonly matchId: MatchId
  readonly seq: number
  /** The document in message format v1. */
  readonly document: LiveTennisMatch
  /** Ids of the webhook events, in order. */
  readonly webhookIds: ReadonlyArray<string>
}

/** Folds the first facts of a plan. `observedAt` has the time of each, in epoch milliseconds. */
export const expectedMatch = (matchId: MatchId, plan: PlannedMatch, observedAt: ReadonlyArray<number>): ExpectedMatch => {
  const times = { observedAt: 0, receivedAt: 0 }
  const payload = Result.getOrThrow(createdPayload(plan.registration))
  const created: ReportedEvent = { id: factId("created"), matchId, source: "main", ...times, type: "MatchCreated", payload }
  const facts = observedAt.flatMap((at, index) => {
    const fact = plan.facts[index]
    return fact === undefined ? [] : [toFeedEvent({ ...fact, matchId }, { observedAt: at, receivedAt: at })]
  })
  let state: MatchState | undefined
  const webhookIds: Array<string> = []
  for (const event of [created, ...facts]) {
    const step = fold(state, event)
    if (step._tag === "Rejected") throw new Error(`the feed of ${matchId} sent an impossible fact: ${step.rejection.message}`)
    const after = step.state
    for (const { name } of webhookEvents({ before: state, after, event, repaired: undefined })) {
      webhookIds.push(matchEventId(matchId, after.epoch, after.seq, name))
    }
    state = after
  }
  if (state === undefined) throw new Error(`${matchId} has no state`)
  const document = tennisLive.fullOf({ document: documentOf(state), extras: {}, observedAt: new Date(state.observedAt).toISOString() })
  return { matchId, seq: state.seq, document, webhookIds }
}
