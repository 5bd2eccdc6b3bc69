/**
 * Intake session of one CS2 match: the known match state, and the function that derives facts from a request. Each feed
 * has its own `FeedView`, because two feeds report the same events in different formats and at different times, and a fact
 * of one is not a repetition of a fact of the other. The session is restored from the match's facts in FEED, and the
 * same requests in the same order give the same facts.
 */
import type { Fact as AnyFact } from "@matchpoint/contracts/http/feed/FactsApi"
import { type MatchId as AnyMatchId, factId } from "@matchpoint/domain/ids"
import { applyFacts } from "@matchpoint/game/feed/applyFacts"
import { fingerprint } from "@matchpoint/game/feed/fingerprint"
import type { FactsSubmission, FeedRecord, MatchHistory, SubmissionResult } from "@matchpoint/game/feed/GameFeed"
import type { Sliced } from "@matchpoint/game/feed/slices"
import { readEvent } from "../../contract/feed.ts"
import type { Aliases, End } from "../../contract/http/feed/Cs2FeedApi.ts"
import type { RejectionCode } from "../../rules/live/decide.ts"
import type { FeedEvent } from "../../rules/live/feedEvents.ts"
import { fold } from "../../rules/live/fold.ts"
import type { MatchState } from "../../rules/live/state.ts"
import type { AdapterStep } from "../adapters/Adapter.ts"
import { gameState } from "../adapters/gameState/GameStateAdapter.ts"
import { logSteps, serverLog } from "../adapters/serverLog/ServerLogAdapter.ts"
import { backupViewOf, type FeedView, folded, recalled, viewOf } from "./FeedView.ts"

export interface MatchIntake {
  /** Its match state equals that of the actor that processes the match. */
  readonly main: FeedView
  /** Undefined until a backup feed has reported something. */
  readonly backup: FeedView | undefined
  /** False if facts are missing from the known history. Facts that senders submit directly cannot be checked then. */
  readonly isWhole: boolean
}

type Source = FeedEvent["source"]

export type Submission =
  | { readonly _tag: "Log"; readonly lines: ReadonlyArray<string>; readonly source: Source }
  | { readonly _tag: "GameState"; readonly post: unknown; readonly source: Source }
  | FactsSubmission
  | { readonly _tag: "Aliases"; readonly aliases: Aliases }
  | { readonly _tag: "End"; readonly end: End }

type Intake = SubmissionResult<MatchIntake, FeedEvent>

/** Undefined if the events do not contain the start of the match. */
export const intakeOf = (history: ReadonlyArray<FeedEvent>): MatchIntake | undefined =>
  history.reduce<MatchIntake | undefined>((intake, event) => (intake === undefined ? begunBy(event) : applied(intake, event)), undefined)

/** Starts at the checkpoint or the first event. Events that the checkpoint includes only update the adapters' memory. */
export const openIntake = ({ facts, isComplete: isWhole, state }: MatchHistory<MatchState, FeedEvent>): MatchIntake | undefined => {
  if (state === undefined) {
    const begun = intakeOf(facts.map(({ event }) => event))
    return begun === undefined ? undefined : { ...begun, isWhole }
  }
  let intake: MatchIntake = { main: viewOf(state), backup: undefined, isWhole }
  for (const { event, isFolded } of facts) {
    if (!isFolded) intake = applied(intake, event)
    else if (event.source === "main") intake = { ...intake, main: recalled(intake.main, event) }
  }
  return intake
}

const begunBy = (event: FeedEvent): MatchIntake | undefined => {
  const { state } = fold(undefined, event)
  return state === undefined ? undefined : { main: viewOf(state), backup: undefined, isWhole: true }
}

/** Applies a record in FEED that this session did not append: of an earlier run, another process or the watchdog. */
export const applied = (intake: MatchIntake, event: FeedEvent): MatchIntake => {
  const main = { ...intake.main, state: fold(intake.main.state, event).state ?? intake.main.state }
  if (event.source === "main") return { ...intake, main: recalled(main, event) }
  return { ...intake, main, backup: recalled(folded(backupViewOf(intake, event.receivedAt), event), event) }
}

/**
 * The session after new records of FEED have been read. `before` is the session at the previous read, and `now` is the
 * current one. `records` contains everything appended since `before`, including what the current session has appended.
 *
 * The match states are computed again from `before` and `records`, in the order of FEED. The memory of the adapters is
 * taken from `now`, because it also covers log lines and posts that added no facts.
 */
export const reread = (before: MatchIntake, now: MatchIntake, records: ReadonlyArray<FeedRecord<FeedEvent>>): MatchIntake => {
  const others = records.filter(({ isOwn }) => !isOwn).map(({ event }) => event)
  if (others.length === 0) return now
  const inOrder = records.reduce((intake, { event }) => applied(intake, event), before)
  const remembered = others.reduce(applied, now)
  const { backup } = remembered
  return {
    ...remembered,
    main: { ...remembered.main, state: inOrder.main.state },
    backup: backup === undefined ? inOrder.backup : { ...backup, state: inOrder.backup?.state ?? backup.state },
  }
}

export function* takeIn(intake: MatchIntake, submission: Submission, receivedAt: number): Sliced<Intake> {
  const taken = yield* takenIn(intake, submission, receivedAt)
  const { teams, unresolvedNames } = taken.next.main.state
  return { ...taken, unresolvedNames: unresolvedNames.map(({ name, team }) => ({ name, teamId: teams[team].id })) }
}

function* takenIn(intake: MatchIntake, submission: Submission, receivedAt: number): Sliced<Intake> {
  switch (submission._tag) {
    case "Log": {
      const view = viewFor(intake, submission.source, receivedAt)
      const step = yield* logSteps({ state: view.state, memory: view.log }, submission.lines, receivedAt)
      const next = { ...view, ...step.context, log: step.context.memory, gameState: step.events.reduce(gameState.recall, view.gameState) }
      return sent(intake, next, step, submission.source, next.log.shown)
    }
    case "GameState": {
      const view = viewFor(intake, submission.source, receivedAt)
      const step = gameState.step({ state: view.state, memory: view.gameState }, submission.post, receivedAt)
      const next = { ...view, ...step.context, gameState: step.context.memory, log: step.events.reduce(serverLog.recall, view.log) }
      return sent(intake, next, step, submission.source, next.gameState.shown)
    }
    case "Facts":
      return yield* judged(intake, submission.facts, receivedAt)
    case "Aliases": {
      const { teams } = intake.main.state
      const aliases = submission.aliases.map(({ name, team }) => ({ name, teamId: teams[team - 1]?.id ?? teams[0].id }))
      const mark = fingerprint(JSON.stringify(aliases))
      const aliased: AnyFact = { id: factId(`aliases:${mark}`), type: "TeamAliased", observedAt: receivedAt, payload: { aliases } }
      return yield* judged(intake, [aliased], receivedAt)
    }
    case "End": {
      if (hasEnded(intake)) return endedAgain(intake, submission.end)
      const { reason, winnerTeamId = null } = submission.end
      const end: AnyFact = { id: END_ID, type: "MatchEnded", observedAt: receivedAt, payload: { winnerTeamId, reason } }
      return yield* judged(intake, [end], receivedAt)
    }
  }
}

/** Converts a fact that a sender submitted directly. Fails with the schema issue if it is invalid. */
export const eventOfFact = (fact: AnyFact, matchId: AnyMatchId, receivedAt: number) =>
  readEvent({ source: "main", ...fact, matchId, receivedAt })

const viewFor = (intake: MatchIntake, source: Source, now: number): FeedView =>
  source === "main" ? intake.main : backupViewOf(intake, now)

/** Facts of a backup feed are also applied to the real match state, as the actor of the match will do. */
const sent = <Memory>(intake: MatchIntake, view: FeedView, step: AdapterStep<Memory>, source: Source, shown: Intake["shown"]): Intake => {
  const { ignored, lines, problems } = step
  // Adapters skip repeated log lines and posts before they derive facts.
  const rest = { source, shown, unresolvedNames: [], problems, repeats: [], ignored, ...(lines === undefined ? {} : { lines }) }
  if (source === "main") return { ...rest, events: step.events, next: { ...intake, main: view } }
  const events = step.events.map((event): FeedEvent => ({ ...event, source }))
  if (hasEnded(intake)) return { ...rest, events: [], ignored: ignored + events.length, next: { ...intake, backup: view } }
  const state = events.reduce((known, event) => fold(known, event).state ?? known, intake.main.state)
  const lastFactAt = events.at(-1)?.receivedAt ?? view.lastFactAt
  return { ...rest, events, next: { ...intake, main: { ...intake.main, state }, backup: { ...view, lastFactAt } } }
}

/** The match is completed or cancelled. From then on, the watchdog ignores the feeds. */
const hasEnded = ({ main: { state } }: MatchIntake): boolean => state.status === "completed" || state.status === "cancelled"

/**
 * A request to end a match that has ended adds nothing if the match ended like that, and is a problem otherwise. If
 * such a request ended the match, both must name the same winner or none.
 */
const endedAgain = (intake: MatchIntake, { reason, winnerTeamId = null }: End): Intake => {
  const { endReason, matchId, seen, status, teams, winner } = intake.main.state
  const winnerId = winner === 0 || winner === 1 ? teams[winner].id : null
  const isRequested = seen.match.includes(END_ID)
  const isSame = endReason === reason && (winnerTeamId === winnerId || (winnerTeamId === null && !isRequested))
  const message = `${matchId} is ${status}: it ended as ${endReason ?? status}, ${winnerId === null ? "without a winner" : `won by ${winnerId}`}; this cannot be changed`
  const problem = { code: "match_over", message, raw: JSON.stringify({ reason, winnerTeamId }) }
  const rest = { source: "main" as const, shown: null, unresolvedNames: [], events: [], repeats: [], next: intake }
  return isSame ? { ...rest, problems: [], ignored: 1 } : { ...rest, problems: [problem], ignored: 0 }
}

const END_ID = factId("end")

/** Repetitions of what was sent before are no error of the sender. */
const known: ReadonlySet<string> = new Set(["duplicate", "no_change"])

/**
 * Facts of a backup feed that are appended in spite of these codes: they do not change the match state, but show the
 * watchdog that the backup feed is active.
 */
const standby: ReadonlySet<RejectionCode> = new Set(["backup_standby", "backup_detail"])

const judged = (intake: MatchIntake, facts: ReadonlyArray<AnyFact>, receivedAt: number): Sliced<Intake> =>
  applyFacts(intake, facts, {
    eventOf: (fact) => eventOfFact(fact, intake.main.state.matchId, receivedAt),
    verdictOn: rejectionOf,
    apply: applied,
    known,
  })

/**
 * Undefined if the event is to be appended. It is checked as the actor of the match will check it. An event of a backup
 * feed is also checked against what that feed has sent before.
 */
const rejectionOf = (intake: MatchIntake, event: FeedEvent) => {
  if (!intake.isWhole) return undefined
  const step = fold(intake.main.state, event)
  if (step._tag === "Accepted") return undefined
  if (!standby.has(step.rejection.code)) return step.rejection
  const own = intake.backup === undefined ? undefined : fold(intake.backup.state, { ...event, source: "main" })
  return own?._tag === "Rejected" && known.has(own.rejection.code) ? own.rejection : undefined
}
