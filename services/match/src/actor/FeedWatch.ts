/**
 * Runs the watchdog of one match, and makes sure that it decides about the whole match: only while every event in FEED
 * has been folded, and with the silence that began under an earlier owner.
 */
import type { EventLog, LogError } from "@matchpoint/bus/EventLog"
import { FEED, feedSubject } from "@matchpoint/contracts/bus/subjects"
import type { GameEvent, GameState, GameWatchdog } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import { Effect, Option } from "effect"

export interface FeedWatchOptions {
  readonly log: EventLog["Service"]
  readonly matchId: MatchId
  /** Undefined if the feeds of the game are not monitored. */
  readonly watchdog: GameWatchdog | undefined
  /** Monotonic milliseconds. */
  readonly monotonic: () => number
  /** Epoch milliseconds for the stamps of events. */
  readonly stamp: () => number
}

/** `feedSequence` is that of the last event in FEED which the state contains. */
export interface Folded {
  readonly state: GameState
  readonly feedSequence: number
}

export class FeedWatch {
  readonly #options: FeedWatchOptions
  #hasResumed = false

  constructor(options: FeedWatchOptions) {
    this.#options = options
  }

  /** Called for each event, with the state after it and the code of a rejection. */
  observe(state: GameState | undefined, event: GameEvent, refusedFor: string | undefined): void {
    this.#options.watchdog?.observe(state, event, refusedFor, this.#options.monotonic())
  }

  /** The event that the watchdog wants to append. `folded` returns the newest state. */
  check(folded: () => Folded | undefined): Effect.Effect<GameEvent | undefined, LogError> {
    return Effect.gen({ self: this }, function* () {
      const { log, matchId, monotonic, stamp, watchdog } = this.#options
      const { state } = folded() ?? {}
      if (watchdog === undefined || state === undefined) return undefined
      if (!this.#hasResumed && state.status === "live") yield* this.#resume(watchdog)
      const decide = () => {
        const current = folded()
        return current === undefined ? undefined : watchdog.check(current.state, monotonic(), stamp())
      }
      if (decide() === undefined) return undefined
      const newest = Option.getOrUndefined(yield* log.last(FEED, feedSubject(matchId)))
      // The state may have changed during the request, so the watchdog decides again.
      return (newest?.sequence ?? 0) <= (folded()?.feedSequence ?? 0) ? decide() : undefined
    })
  }

  /**
   * The age of the newest event comes from the log's clock alone, because another machine may have appended it. If the
   * log does not answer, the next check asks again.
   */
  #resume(watchdog: GameWatchdog): Effect.Effect<void> {
    const { log, matchId, monotonic } = this.#options
    return Effect.gen({ self: this }, function* () {
      const newest = yield* log.last(FEED, feedSubject(matchId))
      const now = yield* log.now
      this.#hasResumed = true
      if (Option.isSome(newest)) watchdog.resume(monotonic() - Math.max(0, now - newest.value.appendedAt))
    }).pipe(Effect.catch((error) => Effect.logWarning(`${matchId}: cannot read how old the newest event in FEED is; retrying`, error)))
  }
}
