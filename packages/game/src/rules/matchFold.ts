/**
 * Folds facts for games whose two feeds report the same facts. Owns what is the same in these games: the feed in use,
 * silence, lost history, repetitions and the times of a match. A game brings the rules of its own facts. No side
 * effects: the same events in the same order always give the same state.
 */
import type { GameEvent } from "@matchpoint/domain/game/GameRules"
import { isReport, type ServerEvent } from "./feedEnvelope.ts"
import { type SharedState, seenKey, stamp } from "./MatchState.ts"
import { type Rejection, reject, type SharedRejectionCode } from "./rejections.ts"

/** `Created` is the game's `MatchCreated`, `Fact` every other event that feeds report. */
export interface FactRules<State extends SharedState, Created extends GameEvent, Fact extends GameEvent, Code extends string> {
  /** Keys of accepted events that a state keeps. */
  readonly maxSeen: number
  readonly create: (event: Created) => State
  /** Undefined if the match can be created like this. */
  readonly decideCreated: (event: Created) => Rejection<Code> | undefined
  /** Undefined if the fact is accepted. Not called for a match that is over. */
  readonly decideFact: (state: State, event: Exclude<Fact, CancelledEvent>) => Rejection<Code> | undefined
  /** `state` already has the times and the `seq` after the fact. */
  readonly evolveFact: (state: State, event: Fact) => State
  /** The state after a part of the history was lost. */
  readonly loseHistory: (state: State) => State
  /** The first invariant that `state` violates, or undefined. Parts that are the same in `before` are skipped. */
  readonly violationOf: (state: State, before: State | undefined) => string | undefined
}

/** Accepted until the match is over, and from the watchdog only for the state that it has seen. */
interface CancelledEvent {
  readonly type: "Cancelled"
  readonly payload: { readonly basedOn?: number }
}

export type FoldStep<State, Code extends string> =
  | { readonly _tag: "Accepted"; readonly state: State }
  | { readonly _tag: "Rejected"; readonly state: State | undefined; readonly rejection: Rejection<Code | SharedRejectionCode> }

/** Maximum lead of a feed's clock over the server's clock. */
const MAX_CLOCK_LEAD_MS = 60_000

/**
 * `fold` applies one event if it is valid: a rejection is a return value, never an exception. An event that would
 * violate an invariant is rejected, so that an inconsistent state is never published. `foldAll` applies several events
 * in order and ignores those that are rejected.
 */
export const matchFold = <State extends SharedState, Created extends GameEvent, Fact extends GameEvent, Code extends string>(
  rules: FactRules<State, Created, Fact, Code>,
) => {
  type Event = Created | Fact | ServerEvent<Created | Fact>
  type Reason = Rejection<Code | SharedRejectionCode> | undefined

  const decide = (state: State | undefined, event: Event): Reason => {
    if (event.observedAt > event.receivedAt + MAX_CLOCK_LEAD_MS) {
      return reject("observed_in_future", `observedAt is ${event.observedAt - event.receivedAt} ms ahead of the server's clock`)
    }
    if (state === undefined) {
      return isReport<Created | Fact>(event) && isCreated<Created, Fact>(event)
        ? rules.decideCreated(event)
        : reject("match_not_created", "the first event must be MatchCreated")
    }
    if (event.matchId !== state.matchId) return reject("wrong_match", `the event belongs to ${event.matchId}, not to ${state.matchId}`)
    if (!isReport<Created | Fact>(event) && event.type === "HistoryLost") return decideHistoryLost(state, event)
    if (event.source === "backup" && state.source === "live") return reject("backup_standby", "the main feed is in use")
    if (event.type === "MatchCreated") return reject("match_exists", `${state.matchId} already exists`)
    if (state.seen.includes(seenKey(event))) return reject("duplicate", `fact ${event.id} was already accepted`)
    if (state.status === "completed" || state.status === "cancelled") return reject("match_over", `${state.matchId} is ${state.status}`)
    if (!isReport<Created | Fact>(event)) return decideFeed(state, event)
    if (isCancelled(event)) return decideCancelled(state, event)
    return isCreated<Created, Fact>(event) || !isPlay(event) ? undefined : rules.decideFact(state, event)
  }

  const evolve = (state: State | undefined, event: Event): State => {
    if (isReport<Created | Fact>(event) && isCreated<Created, Fact>(event)) return rules.create(event)
    if (state === undefined) throw new Error(`${event.type} was accepted without a match`)
    const next = stamp(state, event, rules.maxSeen)
    return isReport<Created | Fact>(event) ? rules.evolveFact(next, event) : evolveServerEvent(next, event)
  }

  const evolveServerEvent = (state: State, { payload, type }: ServerEvent<Created | Fact>): State => {
    switch (type) {
      case "SourceChanged":
        return changeSource(state, payload)
      case "FeedSilent":
        return { ...state, silence: { status: payload.status, since: payload.lastReportAt } }
      case "HistoryLost":
        return { ...rules.loseHistory(state), epoch: payload.epoch, seq: 1 }
    }
  }

  /** Applies the possible reports of the backup feed on standby, as one change of the match. */
  const changeSource = (
    state: State,
    { reports, source }: { readonly source: State["source"]; readonly reports: ReadonlyArray<Created | Fact> },
  ): State => {
    let next: State = { ...state, source }
    for (const report of reports) {
      if (!isCreated<Created, Fact>(report) && decide(next, report) === undefined)
        next = rules.evolveFact(stamp(next, report, rules.maxSeen), report)
    }
    return { ...next, seq: state.seq }
  }

  const fold = (state: State | undefined, event: Event): FoldStep<State, Code> => {
    const rejection = decide(state, event)
    if (rejection !== undefined) return { _tag: "Rejected", state, rejection }
    const next = evolve(state, event)
    const violation = rules.violationOf(next, state)
    return violation === undefined
      ? { _tag: "Accepted", state: next }
      : { _tag: "Rejected", state, rejection: reject("invariant", violation) }
  }

  const foldAll = (state: State | undefined, events: Iterable<Event>): State | undefined => {
    let next = state
    for (const event of events) next = fold(next, event).state
    return next
  }

  return { fold, foldAll }
}

const isCreated = <Created extends GameEvent, Fact extends GameEvent>(event: Created | Fact): event is Created =>
  event.type === "MatchCreated"

const isCancelled = (event: { readonly type: string; readonly payload: unknown }): event is CancelledEvent => event.type === "Cancelled"

const isPlay = <Fact extends GameEvent>(event: Fact): event is Exclude<Fact, CancelledEvent> => !isCancelled(event)

type ServerEventOf<Type> = Extract<ServerEvent<unknown>, { readonly type: Type }>

const decideHistoryLost = (state: SharedState, { payload: { epoch } }: ServerEventOf<"HistoryLost">) =>
  epoch > state.epoch ? undefined : reject("duplicate", `epoch ${epoch} does not follow ${state.epoch}`)

const decideFeed = (state: SharedState, { payload, type }: ServerEventOf<"SourceChanged" | "FeedSilent">) => {
  if (type === "FeedSilent" && state.status === "scheduled") return reject("match_not_started", "the match has not started")
  if (type === "SourceChanged" && payload.source === state.source) return reject("outdated", "the match already uses this feed")
  return decideBasis(state, payload.basedOn)
}

const decideCancelled = (state: SharedState, { payload }: CancelledEvent) =>
  payload.basedOn === undefined ? undefined : decideBasis(state, payload.basedOn)

/** Rejects a decision of the watchdog that is about an earlier state. The watchdog then decides again. */
const decideBasis = (state: SharedState, basedOn: number) =>
  basedOn === state.seq ? undefined : reject("outdated", `the decision is based on change ${basedOn}; the match is at change ${state.seq}`)
