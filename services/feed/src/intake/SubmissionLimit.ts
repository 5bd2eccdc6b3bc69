/**
 * Bounds the submissions that a process works on at the same time, over all matches. Without it, an overloaded process would
 * divide its time among so many submissions that all of them are answered too late, and are sent again. A submission that is
 * refused has cost almost nothing, and its sender repeats it.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { type Clock, Effect, Semaphore } from "effect"
import { type FeedSubmission, isFacts } from "../GameFeed.ts"
import { SessionBusy } from "./sessionErrors.ts"

/** Facts that are being stored at the same time. */
const FACTS_AT_ONCE = 512
/** Facts that may wait for it. More would be answered too late. */
const FACTS_WAITING = 1_024
/** A submission that has waited longer than this is refused, in milliseconds. Its sender may be about to give up. */
const STARTS_WITHIN_MS = 1_000
/** Facts that one submission counts for at most, so that a large one does not need everything to be free. */
const MOST_COUNTED = 64

export class SubmissionLimit {
  readonly #turn = Semaphore.makeUnsafe(FACTS_AT_ONCE)
  #waiting = 0

  /** Runs `work` when its turn comes. Fails with `SessionBusy` if that takes too long. */
  run<A, E>(matchId: MatchId, submission: FeedSubmission, work: Effect.Effect<A, E>): Effect.Effect<A, E | SessionBusy> {
    return Effect.clockWith((clock) => {
      if (this.#waiting >= FACTS_WAITING) return Effect.fail(behind(matchId))
      const facts = factsIn(submission)
      const since = nowMs(clock)
      let isWaiting = true
      const stopWaiting = (): void => {
        if (isWaiting) this.#waiting -= facts
        isWaiting = false
      }
      const start = Effect.suspend((): Effect.Effect<A, E | SessionBusy> => {
        stopWaiting()
        return nowMs(clock) - since > STARTS_WITHIN_MS ? Effect.fail(behind(matchId)) : work
      })
      this.#waiting += facts
      return Effect.ensuring(this.#turn.withPermits(facts)(start), Effect.sync(stopWaiting))
    })
  }
}

const behind = (matchId: MatchId): SessionBusy =>
  new SessionBusy({ matchId, message: "the process of the match is behind with its requests" })

const nowMs = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)

/** Other submissions, such as lines of a log, count as one fact. */
const factsIn = (submission: FeedSubmission): number =>
  isFacts(submission) ? Math.min(MOST_COUNTED, Math.max(1, submission.facts.length)) : 1
