/** Applies a list of facts to a session one after the other, with the checks of a game. No side effects. */
import type { Fact } from "@matchpoint/contracts/http/feed/FactsApi"
import type { GameEvent, GameRejection } from "@matchpoint/domain/game/GameRules"
import { Result } from "effect"
import type { FactProblem, SubmissionResult } from "./GameFeed.ts"
import type { Sliced } from "./slices.ts"

export interface FactChecks<Session, Event extends GameEvent> {
  /** Fails with the reason if the fact is invalid. */
  readonly eventOf: (fact: Fact) => Result.Result<Event, unknown>
  /** Reason for a rejection, or undefined if the event is to be appended. */
  readonly verdictOn: (session: Session, event: Event) => GameRejection | undefined
  readonly apply: (session: Session, event: Event) => Session
  /** Rejection codes that mean that an event was sent before, and not that it is wrong. */
  readonly known: ReadonlySet<string>
}

export function* applyFacts<Session, Event extends GameEvent>(
  session: Session,
  facts: ReadonlyArray<Fact>,
  { eventOf, apply, known, verdictOn }: FactChecks<Session, Event>,
): Sliced<SubmissionResult<Session, Event>> {
  const events: Array<Event> = []
  const problems: Array<FactProblem> = []
  const repeats: Array<FactProblem> = []
  let next = session
  let source: SubmissionResult["source"] = "backup"
  let shown: SubmissionResult["shown"] = null
  for (const [index, fact] of facts.entries()) {
    yield
    if (fact.source !== "backup") source = "main"
    shown = shownIn(fact) ?? shown
    const refuse = ({ code, message }: GameRejection) => {
      const list = known.has(code) ? repeats : problems
      list.push({ code, message, raw: JSON.stringify(fact), line: index + 1 })
    }
    const decoded = eventOf(fact)
    if (Result.isFailure(decoded)) {
      refuse({ code: "malformed", message: String(decoded.failure) })
      continue
    }
    const verdict = verdictOn(next, decoded.success)
    if (verdict === undefined) {
      next = apply(next, decoded.success)
      events.push(decoded.success)
    } else refuse(verdict)
  }
  return { source, shown, unresolvedNames: [], events, problems, repeats, ignored: repeats.length, next }
}

/** `null` if the payload contains no round, as in games without rounds. */
const shownIn = ({ payload }: Fact): SubmissionResult["shown"] => {
  const { mapName, round } = payload
  return typeof round === "number" ? { mapName: typeof mapName === "string" ? mapName : null, round } : null
}
