/**
 * Collects the facts of one adapter call. Each fact is checked and applied to the match state immediately, so that the
 * next one is derived from the updated state. An instance exists only during one call, so the adapter keeps no state
 * between calls.
 */
import { factId } from "@matchpoint/domain/ids"
import type { RejectionCode } from "../../rules/live/decide.ts"
import type { FeedEvent } from "../../rules/live/feedEvents.ts"
import { fold } from "../../rules/live/fold.ts"
import type { MatchState } from "../../rules/live/state.ts"
import type { AdapterContext, AdapterStep, Problem } from "./Adapter.ts"

type BodyOf<E> = E extends { readonly type: infer T; readonly payload: infer P } ? { readonly type: T; readonly payload: P } : never

/** Type and payload of a fact, without the common fields such as the id and the time. */
export type FactBody = BodyOf<Exclude<FeedEvent, { readonly type: "MatchCreated" | "HistoryLost" | "SourceChanged" }>>

/** These codes are no errors: the fact adds nothing, as it is repeated or comes after the end of its round, map or match. */
const nothingNew: ReadonlySet<RejectionCode> = new Set(["duplicate", "no_change", "late_round", "round_over", "map_over", "match_over"])

export class Derivation {
  state: MatchState
  readonly receivedAt: number
  ignored = 0
  /** Why the last fact added nothing. Callers may reset it. */
  refusal: RejectionCode | undefined
  private readonly events: Array<FeedEvent> = []
  private readonly problems: Array<Problem> = []

  constructor(state: MatchState, receivedAt: number) {
    this.state = state
    this.receivedAt = receivedAt
  }

  /** Returns true if the match accepted the fact. Otherwise, a problem quotes `raw` and `line` as its origin. */
  addFact(fact: { readonly id: string; readonly at: number; readonly raw: string; readonly line?: number }, body: FactBody): boolean {
    const event: FeedEvent = {
      id: factId(fact.id),
      matchId: this.state.matchId,
      source: "main",
      observedAt: Math.max(0, Math.round(fact.at)),
      receivedAt: this.receivedAt,
      ...body,
    }
    const folded = fold(this.state, event)
    if (folded._tag === "Accepted") {
      this.state = folded.state
      this.events.push(event)
      return true
    }
    const { code, message } = folded.rejection
    if (nothingNew.has(code)) {
      this.ignored += 1
      this.refusal = code
    } else
      this.problem({ code, message: `${body.type}: ${message}`, raw: fact.raw, ...(fact.line === undefined ? {} : { line: fact.line }) })
    return false
  }

  get eventCount(): number {
    return this.events.length
  }

  get problemCount(): number {
    return this.problems.length
  }

  problem(problem: Problem): void {
    this.problems.push(problem)
  }

  ignore(): void {
    this.ignored += 1
  }

  done<Memory>(memory: Memory): AdapterStep<Memory> {
    const context: AdapterContext<Memory> = { state: this.state, memory }
    return { context, events: this.events, problems: this.problems, ignored: this.ignored }
  }
}
