/**
 * What is known of one match while facts come in for it, and what a request adds. Pure: it comes back from the match's FEED facts,
 * and the same requests in the same order give the same facts.
 */

import type { End, Fact } from "@matchpoint/contracts/http/FeedApi"
import type { RejectionCode } from "@matchpoint/domain/cs2/decide"
import { FeedEvent } from "@matchpoint/domain/cs2/feedEvents"
import { fold, foldAll } from "@matchpoint/domain/cs2/fold"
import type { MatchState } from "@matchpoint/domain/cs2/state"
import { factId } from "@matchpoint/domain/ids"
import { Result, Schema } from "effect"
import type { AdapterStep, Problem } from "../adapters/Adapter.ts"
import type { GameMemory } from "../adapters/gameState/GamePost.ts"
import { gameState } from "../adapters/gameState/GameStateAdapter.ts"
import type { LogMemory } from "../adapters/serverLog/LogMemory.ts"
import { serverLog } from "../adapters/serverLog/ServerLogAdapter.ts"

export interface MatchIntake {
  readonly state: MatchState
  readonly log: LogMemory
  readonly gameState: GameMemory
}

export type Submission =
  | { readonly _tag: "Log"; readonly lines: ReadonlyArray<string>; readonly source: FeedEvent["source"] }
  | { readonly _tag: "GameState"; readonly post: unknown; readonly source: FeedEvent["source"] }
  | { readonly _tag: "Facts"; readonly facts: ReadonlyArray<Fact> }
  | { readonly _tag: "End"; readonly end: End }

export interface Intake {
  readonly next: MatchIntake
  readonly events: ReadonlyArray<FeedEvent>
  readonly problems: ReadonlyArray<Problem>
  /** Facts that were sent before: recorded as refused, and to the sender no more than ignored. */
  readonly repeats: ReadonlyArray<Problem>
  readonly ignored: number
}

/** Undefined: these facts do not begin a match. */
export const intakeOf = (history: ReadonlyArray<FeedEvent>): MatchIntake | undefined => {
  const state = foldAll(undefined, history)
  return state === undefined ? undefined : recalled({ state, log: serverLog.initial(state), gameState: gameState.initial(state) }, history)
}

export const takeIn = (intake: MatchIntake, submission: Submission, receivedAt: number): Intake => {
  switch (submission._tag) {
    case "Log": {
      const step = serverLog.step({ state: intake.state, memory: intake.log }, submission.lines, receivedAt)
      const others = { gameState: step.events.reduce(gameState.recall, intake.gameState) }
      return { ...sent(step, submission.source), next: { ...others, state: step.context.state, log: step.context.memory } }
    }
    case "GameState": {
      const step = gameState.step({ state: intake.state, memory: intake.gameState }, submission.post, receivedAt)
      const others = { log: step.events.reduce(serverLog.recall, intake.log) }
      return { ...sent(step, submission.source), next: { ...others, state: step.context.state, gameState: step.context.memory } }
    }
    case "Facts":
      return takeFacts(intake, submission.facts, receivedAt)
    case "End": {
      const { reason, winnerTeamId = null } = submission.end
      const end: Fact = { id: factId("end"), type: "MatchEnded", observedAt: receivedAt, payload: { winnerTeamId, reason } }
      return takeFacts(intake, [end], receivedAt)
    }
  }
}

/** What a fact of another integration lacks to be a feed event; fails with the schema's account of what is wrong with it. */
export const eventOfFact = (fact: Fact, matchId: MatchState["matchId"], receivedAt: number) =>
  decodeEvent({ source: "main", ...fact, matchId, receivedAt })

const decodeEvent = Schema.decodeUnknownResult(FeedEvent)

const recalled = (intake: MatchIntake, events: ReadonlyArray<FeedEvent>): MatchIntake => ({
  state: intake.state,
  log: events.reduce(serverLog.recall, intake.log),
  gameState: events.reduce(gameState.recall, intake.gameState),
})

const sent = <Memory>({ events, ignored, problems }: AdapterStep<Memory>, source: FeedEvent["source"]) => ({
  events: source === "main" ? events : events.map((event) => ({ ...event, source })),
  problems,
  // An adapter compares lines and pictures, not facts: what it has read before never becomes one.
  repeats: [],
  ignored,
})

/** Refusals that say "known", not "wrong". */
const known: ReadonlySet<RejectionCode> = new Set(["duplicate", "no_change"])

const takeFacts = (intake: MatchIntake, facts: ReadonlyArray<Fact>, receivedAt: number): Intake => {
  const events: Array<FeedEvent> = []
  const problems: Array<Problem> = []
  const repeats: Array<Problem> = []
  let state = intake.state
  for (const [index, fact] of facts.entries()) {
    const refuse = (code: RejectionCode, message: string) => {
      const list = known.has(code) ? repeats : problems
      list.push({ code, message, raw: JSON.stringify(fact), line: index + 1 })
    }
    const decoded = eventOfFact(fact, state.matchId, receivedAt)
    if (Result.isFailure(decoded)) {
      refuse("malformed", String(decoded.failure))
      continue
    }
    const folded = fold(state, decoded.success)
    if (folded._tag === "Accepted") {
      state = folded.state
      events.push(decoded.success)
    } else if (folded.rejection.code === "backup_standby" || folded.rejection.code === "backup_detail") {
      // Not folded, but told: the match's watchdog must hear that the backup feed lives.
      events.push(decoded.success)
    } else refuse(folded.rejection.code, folded.rejection.message)
  }
  return { events, problems, repeats, ignored: repeats.length, next: { ...recalled(intake, events), state } }
}
