/**
 * One session for each match that receives facts. The requests of a match are processed one after the other, and
 * answered when their facts are in FEED. A session is only a cache of FEED: before it checks new facts, it reads what
 * others have appended, such as the match's watchdog or another process that receives the other feed.
 *
 * A session is dropped without requests, and whenever FEED may contain facts that it lacks. If two processes append at
 * the same time, neither has seen the other's facts when it checks its own. The actor of the match then checks them
 * again, in the order of FEED.
 */
import { EventLog, type LogError } from "@matchpoint/bus/EventLog"
import { FeedWriter, withinLogWait } from "@matchpoint/bus/FeedWriter"
import { Rejections } from "@matchpoint/bus/Rejections"
import { FEED, feedSubject } from "@matchpoint/contracts/bus/subjects"
import { MAX_LISTED_PROBLEMS, type Receipt } from "@matchpoint/contracts/http/feed/FactsApi"
import type { GameEvent, GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { FeedConfig, type SessionSettings } from "@matchpoint/game/feed/FeedConfig"
import { fingerprint } from "@matchpoint/game/feed/fingerprint"
import type { FactProblem, FeedRecord, FeedSubmission, GameFeed, SubmissionResult } from "@matchpoint/game/feed/GameFeed"
import type { MatchReport } from "@matchpoint/game/feed/intake/Intake"
import { inSlices } from "@matchpoint/game/feed/slices"
import { Checkpoints } from "@matchpoint/store/live/Checkpoints"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Clock, Context, Duration, Effect, Layer, Metric, Option, RcMap, Result, Stream } from "effect"
import { GameFeeds } from "../GameFeeds.ts"
import { BoundedTurns, type TurnBounds } from "./BoundedTurns.ts"
import { DeliveredFacts } from "./DeliveredFacts.ts"
import { FeedReports } from "./FeedReports.ts"
import { countLines } from "./feedLines.ts"
import { IntakeSession, REREAD_AFTER_MS } from "./IntakeSession.ts"
import { MatchRegistrar } from "./MatchRegistrar.ts"
import { MatchTurns } from "./MatchTurns.ts"
import { type IntakeFailed, SessionBusy, UnknownMatch } from "./sessionErrors.ts"

export type SessionError = UnknownMatch | SessionBusy | IntakeFailed | StoreError | LogError

export const factsTaken = Metric.counter("matchpoint_feed_facts_total", { description: "Facts accepted over HTTP", incremental: true })

const receiptOf = (matchId: MatchId, { events, ignored, problems, unresolvedNames }: SubmissionResult): Receipt => ({
  matchId,
  accepted: events.length,
  ignored,
  ...(unresolvedNames.length === 0 ? {} : { unresolvedNames }),
  problemCount: problems.length,
  problems: problems
    .slice(0, MAX_LISTED_PROBLEMS)
    .map(({ code, line, message }) => ({ code, message, ...(line === undefined ? {} : { line }) })),
})

export class MatchSessions extends Context.Service<
  MatchSessions,
  {
    /**
     * Returns when every new event is durable. After a failure, the same submission may be sent again, because its
     * events get the same ids. It must be of a type that the match's game accepts.
     */
    readonly submit: (match: MatchId, submission: FeedSubmission) => Effect.Effect<Receipt, SessionError>
    /** Runs the work on a request when the process that runs the match can take it. A refused request has not been decoded. */
    readonly inTurn: <A, E, R>(match: MatchId, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | SessionBusy, R>
    /** The state computed from FEED, and what the match's feeds have sent. */
    readonly look: (match: MatchId) => Effect.Effect<MatchReport, SessionError>
  }
>()("@matchpoint/service-feed/intake/MatchSessions") {
  static readonly layer = Layer.unwrap(Effect.map(FeedConfig, (settings) => MatchSessions.layerWith(settings)))

  static readonly layerWith = ({ idleFor, storesWithin, waitingAtMost }: SessionSettings) =>
    Layer.effect(
      MatchSessions,
      Effect.gen(function* () {
        const log = yield* EventLog
        const feeds = yield* GameFeeds
        const writer = yield* FeedWriter
        const registrar = yield* MatchRegistrar
        const rejections = yield* Rejections
        const checkpoints = yield* Checkpoints
        const delivered = yield* DeliveredFacts
        const clock = yield* Clock.Clock
        const monotonic = monotonicOf(clock)
        const reports = new FeedReports()
        const turns = new BoundedTurns(BOUNDS)
        const matchTurns = new MatchTurns(waitingAtMost - 1)
        const storesWithinMs = Duration.toMillis(storesWithin)

        /** Reads the facts of the match after the given sequence number. */
        const factsAfter = Effect.fnUntraced(function* (feed: GameFeed, match: MatchId, sequence: number) {
          const facts: Array<{ readonly sequence: number; readonly event: GameEvent }> = []
          const from = sequence === 0 ? ({ _tag: "First" } as const) : ({ _tag: "After", sequence } as const)
          yield* log.read(FEED, feedSubject(match), from).pipe(
            Stream.runForEach((record) =>
              Result.match(feed.decodeEvent(record.data), {
                // The actor of the match rejects a record that is not a valid event and records the rejection.
                onFailure: (issue) => Effect.logWarning(`record ${record.sequence} of ${match} is not a feed event`, issue),
                onSuccess: (event) => Effect.sync(() => void facts.push({ sequence: record.sequence, event })),
              }),
            ),
          )
          return facts
        })

        /** The newest checkpoint of the match's actor. `state` is undefined if this version cannot read its format. */
        const checkpointOf = Effect.fnUntraced(function* ({ rules }: GameFeed, match: MatchId) {
          const found = Option.getOrUndefined(yield* checkpoints.load(match))
          if (found === undefined) return undefined
          // Not validated: the actor wrote it, so a checkpoint in the current format is a valid state.
          const read: unknown = JSON.parse(found.state)
          const state = found.formatVersion === rules.stateFormat ? (read as GameState) : rules.migrate?.(found.formatVersion, read)
          return { state, format: found.formatVersion, feedSequence: found.feedSequence }
        })

        const newestOf = (match: MatchId) => withinLogWait(log.last(FEED, feedSubject(match)))

        const open = Effect.fn("MatchSessions.open")(function* (match: MatchId) {
          const feed = feeds.ofMatch(match)
          if (feed === undefined) return yield* new UnknownMatch({ matchId: match })
          // Reading all events may take long, so a lookup with a short timeout first checks that the log is available.
          yield* newestOf(match)
          const stored = yield* factsAfter(feed, match, 0)
          const readTo = stored.at(-1)?.sequence ?? 0
          const openedAt = monotonic()
          const all = stored.map(({ event }) => ({ event, isFolded: false }))
          const begun = feed.open({ state: undefined, facts: all, isComplete: true })
          if (begun !== undefined) return new IntakeSession(feed, begun, { readTo, openedAt, isWhole: true })
          const checkpoint = yield* checkpointOf(feed, match)
          if (checkpoint?.state !== undefined) {
            const facts = stored.map(({ event, sequence }) => ({ event, isFolded: sequence <= checkpoint.feedSequence }))
            const resumed = feed.open({ state: checkpoint.state, facts, isComplete: true })
            if (resumed !== undefined) return new IntakeSession(feed, resumed, { readTo, openedAt, isWhole: true })
          }
          const created = Option.getOrUndefined(yield* registrar.firstFact(feed, match))
          if (created === undefined) return yield* new UnknownMatch({ matchId: match })
          const isWhole = checkpoint === undefined
          if (!isWhole) {
            yield* Effect.logError(
              `${match}: FEED has lost the start of the match, and this version cannot read its checkpoint of format ${checkpoint.format}; facts are appended unchecked until it can. Run the same version of all services`,
            )
          } else {
            if (stored.length > 0)
              yield* Effect.logError(`${match}: neither FEED nor a checkpoint has the start of the match; starting it again`)
            yield* registrar.begin(created)
          }
          const known = [{ event: created, isFolded: false }, ...(isWhole ? [] : all)]
          const again = feed.open({ state: undefined, facts: known, isComplete: isWhole })
          if (again === undefined) return yield* new UnknownMatch({ matchId: match })
          return new IntakeSession(feed, again, { readTo: isWhole ? 0 : readTo, openedAt, isWhole })
        })

        // Reads new records only if this process did not append the newest one, and from time to time, because another
        // process may have appended between two events of this process.
        const catchUp = Effect.fnUntraced(function* (session: IntakeSession, match: MatchId) {
          const now = monotonic()
          const newest = yield* newestOf(match)
          const last = Option.isNone(newest) ? 0 : newest.value.sequence
          if (session.isOfOtherLog(last)) {
            session.dropped = true
            yield* RcMap.invalidate(sessions, match)
            return yield* new SessionBusy({ matchId: match, message: `the log of ${match} was replaced and is read again; try again` })
          }
          if (last <= session.readTo || (last === session.appendedTo && now - session.readAt < REREAD_AFTER_MS)) return
          const facts = yield* factsAfter(session.feed, match, session.readTo)
          const records = facts.map(({ event, sequence }) => ({ event, isOwn: session.appended.has(sequence) }))
          session.take(session.feed.reread(session.readIntake, session.intake, records), facts.at(-1)?.sequence ?? last, now)
        })

        const sessions = yield* RcMap.make({ lookup: open, idleTimeToLive: idleFor })

        const record = (match: MatchId, receivedAt: number, problem: FactProblem) =>
          rejections.record(`intake:${match}:${problem.code}:${fingerprint(problem.message + problem.raw)}`, {
            matchId: match,
            factId: null,
            type: null,
            code: problem.code,
            message: problem.message,
            receivedAt,
            raw: problem.raw,
          })

        /** Appends events in order until it takes too long. Returns the number of stored events. */
        const store = Effect.fnUntraced(function* (session: IntakeSession, events: ReadonlyArray<GameEvent>, startedAt: number) {
          for (const [index, event] of events.entries()) {
            if (index > 0 && monotonic() - startedAt > storesWithinMs) return index
            session.note(yield* writer.append(event), startedAt)
          }
          return events.length
        })

        // Returns undefined if only a part of the facts could be stored in time. Must not be interrupted, because the
        // session would then lack events that are already in FEED.
        const take = Effect.fnUntraced(
          function* (session: IntakeSession, match: MatchId, submission: FeedSubmission) {
            if (session.dropped) return yield* new SessionBusy({ matchId: match, message: `${match} is being reloaded; try again` })
            const receivedAt = Math.floor(clock.currentTimeMillisUnsafe())
            const startedAt = monotonic()
            const isUpToDate = session.noteDelivered(delivered.after(match, session.readTo), startedAt)
            if (!isUpToDate) yield* catchUp(session, match)
            const known = session.intake
            const apply = Effect.suspend(() => inSlices(session.feed.applySubmission(session.intake, submission, receivedAt)))
            let intake = yield* apply
            if (isUpToDate && intake.problems.length + intake.repeats.length > 0) {
              // Records may be on their way to this process, so no fact is rejected before the log was asked.
              yield* catchUp(session, match)
              if (session.intake !== known) intake = yield* apply
            }
            const stored = yield* store(session, intake.events, startedAt)
            yield* Metric.update(factsTaken, stored)
            if (stored < intake.events.length) {
              // Facts that are not stored yet are no repeats when they are sent again, so noting them, too, does no harm.
              session.storedFacts.note(submission, intake)
              session.intake = session.feed.reread(session.intake, session.intake, foreign(intake.events.slice(0, stored)))
              return undefined
            }
            session.intake = intake.next
            let recorded = 0
            const note = (problem: FactProblem) =>
              recorded++ < MAX_RECORDED_PROBLEMS ? record(match, receivedAt, problem) : rejections.count(problem.code)
            for (const problem of intake.problems) yield* note(problem)
            for (const repeat of intake.repeats) {
              yield* session.storedFacts.holds(submission, repeat) ? rejections.count(repeat.code) : note(repeat)
            }
            session.storedFacts.note(submission, intake)
            reports.note(match, intake, receivedAt)
            if (intake.lines !== undefined) yield* countLines(intake.lines)
            if (!session.isWhole && startedAt - session.openedAt > REOPEN_AFTER_MS) {
              // The history is incomplete. By now, the actor may have stored a checkpoint that this version can read.
              session.dropped = true
              yield* RcMap.invalidate(sessions, match)
            }
            return receiptOf(match, intake)
          },
          (effect, session, match) =>
            Effect.tapCause(effect, () => {
              // Some of the new events may be in FEED, so the next request reads it again.
              session.dropped = true
              return RcMap.invalidate(sessions, match)
            }),
          Effect.uninterruptible,
        )

        const submit = Effect.fn("MatchSessions.submit")(function* (match: MatchId, submission: FeedSubmission) {
          // The next request tries again to open a match that failed.
          const session = yield* RcMap.get(sessions, match).pipe(Effect.tapCause(() => RcMap.invalidate(sessions, match)))
          if (session.waiting >= waitingAtMost) {
            return yield* new SessionBusy({ matchId: match, message: `${waitingAtMost} requests for ${match} are waiting` })
          }
          session.waiting += 1
          const receipt = yield* session.turn.withPermit(turns.run(match, take(session, match, submission))).pipe(
            Effect.ensuring(
              Effect.sync(() => {
                session.waiting -= 1
              }),
            ),
          )
          if (receipt !== undefined) return receipt
          return yield* new SessionBusy({ matchId: match, message: `the log is slow; a part of the facts of ${match} is stored` })
        }, Effect.scoped)

        const look = Effect.fn("MatchSessions.look")(function* (match: MatchId) {
          const session = yield* RcMap.get(sessions, match).pipe(Effect.tapCause(() => RcMap.invalidate(sessions, match)))
          if (session.waiting >= waitingAtMost) {
            return yield* new SessionBusy({ matchId: match, message: `${waitingAtMost} requests for ${match} are waiting` })
          }
          yield* session.turn.withPermit(catchUp(session, match))
          return { state: session.feed.stateOf(session.intake), ...reports.of(match) }
        }, Effect.scoped)

        return MatchSessions.of({ look, submit, inTurn: (match, work) => matchTurns.run(match, work) })
      }),
    )
}

/** Limits for all matches together. With more at once, each would take longer than its sender waits. */
const BOUNDS: TurnBounds = { atOnce: 64, waitingAtMost: 512, startsWithinMs: 1_000 }

/** Stored per request. Others are only counted: a request may have one per line. */
const MAX_RECORDED_PROBLEMS = 200

/** Taken like records of others, because the session's state does not include them yet. */
const foreign = (events: ReadonlyArray<GameEvent>): ReadonlyArray<FeedRecord> => events.map((event) => ({ event, isOwn: false }))

/** How long a session with incomplete history accepts events unchecked before the checkpoint is loaded again. */
const REOPEN_AFTER_MS = 10_000
