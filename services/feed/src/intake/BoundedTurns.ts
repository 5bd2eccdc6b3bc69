/**
 * Bounds the requests that are worked on at the same time. Without it, an overloaded process would divide its time among so
 * many requests that all of them are answered too late, and are sent again. A request that is refused has cost almost
 * nothing, and its sender repeats it.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { type Clock, Effect, Semaphore } from "effect"
import { SessionBusy } from "./sessionErrors.ts"

export interface TurnBounds {
  /** Requests that are worked on at the same time. */
  readonly atOnce: number
  /** Requests that may wait for it. Further ones are refused at once. */
  readonly waitingAtMost: number
  /** A request that has waited longer than this is refused, in milliseconds. Its sender may be about to give up. */
  readonly startsWithinMs: number
}

export class BoundedTurns {
  readonly #bounds: TurnBounds
  readonly #turn: Semaphore.Semaphore
  #waiting = 0

  constructor(bounds: TurnBounds) {
    this.#bounds = bounds
    this.#turn = Semaphore.makeUnsafe(bounds.atOnce)
  }

  /** Runs `work` when its turn comes. Fails with `SessionBusy` if that takes too long. */
  run<A, E, R>(matchId: MatchId, work: Effect.Effect<A, E, R>): Effect.Effect<A, E | SessionBusy, R> {
    return Effect.clockWith((clock) => {
      if (this.#waiting >= this.#bounds.waitingAtMost) return Effect.fail(behind(matchId))
      const since = nowMs(clock)
      let isWaiting = true
      const stopWaiting = (): void => {
        if (isWaiting) this.#waiting -= 1
        isWaiting = false
      }
      const start = Effect.suspend((): Effect.Effect<A, E | SessionBusy, R> => {
        stopWaiting()
        return nowMs(clock) - since > this.#bounds.startsWithinMs ? Effect.fail(behind(matchId)) : work
      })
      this.#waiting += 1
      return Effect.ensuring(this.#turn.withPermit(start), Effect.sync(stopWaiting))
    })
  }
}

const behind = (matchId: MatchId): SessionBusy =>
  new SessionBusy({ matchId, message: "the process of the match is behind with its requests" })

const nowMs = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe() / 1_000_000n)
