/**
 * Bounds the requests in progress. Otherwise, an overloaded process would divide its time among so many that all are
 * answered too late, and are sent again. A refused request has cost almost nothing, and its sender repeats it.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { Effect } from "effect"
import { SessionBusy } from "./sessionErrors.ts"

export interface TurnBounds {
  /** Requests in progress. */
  readonly atOnce: number
  /** Waiting requests. Further ones are refused at once. */
  readonly waitingAtMost: number
  /** A request that has waited longer is refused. Its sender may be about to give up. */
  readonly startsWithinMs: number
}

export class BoundedTurns {
  readonly #bounds: TurnBounds
  /** 0 while others wait. */
  #free: number
  /** Waiting requests in the order of arrival. */
  readonly #waiting = new Set<() => void>()

  constructor(bounds: TurnBounds) {
    this.#bounds = bounds
    this.#free = bounds.atOnce
  }

  /** Fails with `SessionBusy` if the turn takes too long to come. */
  run<A, E, R>(matchId: MatchId, work: Effect.Effect<A, E, R>): Effect.Effect<A, E | SessionBusy, R> {
    const { startsWithinMs, waitingAtMost } = this.#bounds
    return Effect.uninterruptibleMask((restore) =>
      Effect.clockWith((clock) => {
        const monotonic = monotonicOf(clock)
        if (this.#waiting.size >= waitingAtMost) return Effect.fail(behind(matchId))
        const since = monotonic()
        const inTime = Effect.suspend(
          (): Effect.Effect<A, E | SessionBusy, R> => (monotonic() - since > startsWithinMs ? Effect.fail(behind(matchId)) : restore(work)),
        )
        return Effect.andThen(restore(this.#turn), Effect.ensuring(inTime, this.#passOn))
      }),
    )
  }

  // effect's semaphore would let a request that arrives at the right moment overtake those that wait. Under overload,
  // some matches would then wait for long.
  readonly #turn = Effect.callback<void>((resume) => {
    const start = () => resume(Effect.void)
    if (this.#free === 0) this.#waiting.add(start)
    else {
      this.#free -= 1
      start()
    }
    return Effect.sync(() => this.#waiting.delete(start))
  })

  readonly #passOn = Effect.sync(() => {
    const [next] = this.#waiting
    if (next === undefined) this.#free += 1
    else {
      this.#waiting.delete(next)
      next()
    }
  })
}

const behind = (matchId: MatchId): SessionBusy =>
  new SessionBusy({ matchId, message: "the process of the match is behind with its requests" })
