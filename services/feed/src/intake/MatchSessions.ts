/**
 * One session per match that facts come in for: requests of a match are taken one after the other, and answered when FEED has their
 * facts. A session is only a cache of FEED: it takes up what others tell there (the match's watchdog, another process that takes in
 * the other feed) before it judges, and is dropped when nobody posts, and whenever FEED may hold something else than it knows.
 * What two processes tell at the very same time neither knows of the other's; the match's actor judges them in FEED's order.
 */
import { type Appended, EventLog, type LogError } from "@matchpoint/bus/EventLog"
import { Rejections } from "@matchpoint/bus/Rejections"
import { FEED, feedSubject } from "@matchpoint/contracts/bus/subjects"
import { decodeFeedEvent } from "@matchpoint/contracts/cs2/feed"
import type { FeedEvent } from "@matchpoint/domain/cs2/feedEvents"
import { type MatchState, STATE_FORMAT } from "@matchpoint/domain/cs2/state"
import type { MatchId } from "@matchpoint/domain/ids"
import { Checkpoints } from "@matchpoint/store/Checkpoints"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Clock, Context, Effect, Layer, Metric, Option, RcMap, Result, Schedule, Schema, Semaphore, Stream } from "effect"
import type { Problem } from "../cs2/adapters/Adapter.ts"
import { fingerprint } from "../cs2/adapters/fingerprint.ts"
import { type Intake, intakeFrom, intakeOf, type MatchIntake, reread, type Submission, takeIn } from "../cs2/intake/MatchIntake.ts"
import { MatchRegistrar } from "../cs2/intake/MatchRegistrar.ts"
import { FeedAppender } from "../FeedAppender.ts"
import { FeedConfig } from "../FeedConfig.ts"

/** No such match is registered for intake. */
export class UnknownMatch extends Schema.TaggedError<UnknownMatch>()("UnknownMatch", { matchId: Schema.String }) {}

/** More requests wait for this match than may, or its session had to be dropped. Sending again later helps. */
export class SessionBusy extends Schema.TaggedError<SessionBusy>()("SessionBusy", { matchId: Schema.String, message: Schema.String }) {}

export type SessionError = UnknownMatch | SessionBusy | StoreError | LogError

export const factsTaken = Metric.counter("feed_facts_total", { description: "Facts taken in over HTTP", incremental: true })

export class MatchSessions extends Context.Service<
  MatchSessions,
  {
    /** Answers when every fact is durable. After a failure the same submission may be sent again: its facts have the same ids. */
    readonly submit: (match: MatchId, submission: Submission) => Effect.Effect<Intake, SessionError>
  }
>()("@matchpoint/service-feed/intake/MatchSessions") {
  static readonly layer = Layer.effect(
    MatchSessions,
    Effect.gen(function* () {
      const { idleFor, waitingAtMost } = yield* FeedConfig
      const log = yield* EventLog
      const appender = yield* FeedAppender
      const registrar = yield* MatchRegistrar
      const rejections = yield* Rejections
      const checkpoints = yield* Checkpoints
      const clock = yield* Clock.Clock

      /** The match's facts in FEED after a place there. */
      const factsAfter = Effect.fnUntraced(function* (match: MatchId, sequence: number) {
        const facts: Array<{ readonly sequence: number; readonly event: FeedEvent }> = []
        const from = sequence === 0 ? ({ _tag: "First" } as const) : ({ _tag: "After", sequence } as const)
        yield* log.read(FEED, feedSubject(match), from).pipe(
          Stream.runForEach((record) =>
            Result.match(decodeFeedEvent(record.data), {
              // The match's actor records it as refused; it is no part of the match.
              onFailure: (issue) => Effect.logWarning(`record ${record.sequence} of ${match} is no feed event`, issue),
              onSuccess: (event) => Effect.sync(() => void facts.push({ sequence: record.sequence, event })),
            }),
          ),
        )
        return facts
      })

      /** The newest state that the match's actor has stored, if this version can read it. */
      const checkpointOf = Effect.fnUntraced(function* (match: MatchId) {
        const found = Option.getOrUndefined(yield* checkpoints.load(match))
        if (found === undefined || found.formatVersion !== STATE_FORMAT) return undefined
        // Written by the match's actor in this format: the text is the state.
        const state: MatchState = JSON.parse(found.state)
        return { state, feedSequence: found.feedSequence }
      })

      const open = Effect.fn("MatchSessions.open")(function* (match: MatchId) {
        const told = yield* factsAfter(match, 0)
        const intake = intakeOf(told.map(({ event }) => event))
        if (intake !== undefined) return new Session(intake, told.at(-1)?.sequence ?? 0)
        const checkpoint = yield* checkpointOf(match)
        if (checkpoint !== undefined) {
          const retained = told.map(({ event, sequence }) => ({ event, isFolded: sequence <= checkpoint.feedSequence }))
          return new Session(intakeFrom(checkpoint.state, retained), told.at(-1)?.sequence ?? 0)
        }
        if (told.length > 0) yield* Effect.logError(`${match}: neither FEED nor a checkpoint has its beginning; it begins again`)
        const created = yield* registrar.create(match)
        const begun = Option.isNone(created) ? undefined : intakeOf([created.value])
        return begun === undefined ? yield* new UnknownMatch({ matchId: match }) : new Session(begun, 0)
      })

      // One question to the log for each request. FEED is read only where another one told something last, and now and then in
      // case another one told something in the middle of what we did.
      const catchUp = Effect.fnUntraced(function* (session: Session, match: MatchId, now: number) {
        const newest = yield* Effect.retry(log.last(FEED, feedSubject(match)), retried)
        const last = Option.isNone(newest) ? 0 : newest.value.sequence
        if (last <= session.readTo || (last === session.toldTo && now - session.readAt < REREAD_AFTER_MS)) return
        const facts = yield* factsAfter(match, session.readTo)
        const records = facts.map(({ event, sequence }) => ({ event, isOwn: session.told.has(sequence) }))
        session.take(reread(session.readIntake, session.intake, records), facts.at(-1)?.sequence ?? last, now)
      })

      const sessions = yield* RcMap.make({ lookup: open, idleTimeToLive: idleFor })

      const record = (match: MatchId, receivedAt: number, problem: Problem) =>
        rejections.record(`intake:${match}:${problem.code}:${fingerprint(problem.message + problem.raw)}`, {
          matchId: match,
          factId: null,
          type: null,
          code: problem.code,
          message: problem.message,
          receivedAt,
          raw: problem.raw,
        })

      // Not to be interrupted: facts that are half told would leave the session behind FEED.
      const take = Effect.fnUntraced(
        function* (session: Session, match: MatchId, submission: Submission) {
          if (session.dropped) return yield* new SessionBusy({ matchId: match, message: `${match} is being read again` })
          const receivedAt = Math.floor(clock.currentTimeMillisUnsafe())
          yield* catchUp(session, match, receivedAt)
          const intake = takeIn(session.intake, submission, receivedAt)
          for (const event of intake.events) session.note(yield* appender.append(event))
          session.intake = intake.next
          yield* Metric.update(factsTaken, intake.events.length)
          for (const problem of [...intake.problems, ...intake.repeats]) yield* record(match, receivedAt, problem)
          return intake
        },
        (effect, session, match) =>
          Effect.tapCause(effect, () => {
            // Some of its facts may be in FEED: it is read again before the next ones are judged.
            session.dropped = true
            return RcMap.invalidate(sessions, match)
          }),
        Effect.uninterruptible,
      )

      const submit = Effect.fn("MatchSessions.submit")(function* (match: MatchId, submission: Submission) {
        // A match that could not be opened must not be remembered as one that can't.
        const session = yield* RcMap.get(sessions, match).pipe(Effect.tapCause(() => RcMap.invalidate(sessions, match)))
        if (session.waiting >= waitingAtMost) {
          return yield* new SessionBusy({ matchId: match, message: `${waitingAtMost} requests for ${match} are waiting` })
        }
        session.waiting += 1
        return yield* session.turn.withPermit(take(session, match, submission)).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              session.waiting -= 1
            }),
          ),
        )
      }, Effect.scoped)

      return MatchSessions.of({ submit })
    }),
  )
}

/** As long as an append waits out an absence of the log. */
const retried = { schedule: Schedule.exponential("50 millis"), times: 6, while: (error: LogError) => error.retryable } as const

/** How long a fact that another process told between two of ours may stay unknown. */
const REREAD_AFTER_MS = 2_000

class Session {
  readonly turn = Semaphore.makeUnsafe(1)
  intake: MatchIntake
  waiting = 0
  /** Its knowledge is not FEED's any more. */
  dropped = false

  /** FEED is known up to this sequence, when that was read, and what was known then. */
  readTo: number
  readAt = 0
  readIntake: MatchIntake
  /** What was told since: sequences in FEED, and the newest of them. */
  readonly told = new Set<number>()
  toldTo = 0

  constructor(intake: MatchIntake, readTo: number) {
    this.intake = intake
    this.readIntake = intake
    this.readTo = readTo
  }

  take(intake: MatchIntake, readTo: number, now: number): void {
    this.intake = intake
    this.readIntake = intake
    this.readTo = readTo
    this.readAt = now
    this.told.clear()
  }

  note({ sequence }: Appended): void {
    if (sequence <= this.readTo) return
    this.told.add(sequence)
    this.toldTo = Math.max(this.toldTo, sequence)
  }
}
