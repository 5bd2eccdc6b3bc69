/** Works on one request of a match at a time, from its decoding on. So all matches get the same share of a process. */
import type { MatchId } from "@matchpoint/domain/ids"
import { Effect } from "effect"
import { BoundedTurns, type TurnBounds } from "./BoundedTurns.ts"
import type { SessionBusy } from "./sessionErrors.ts"

interface Entry {
  readonly turns: BoundedTurns
  requests: number
}

export class MatchTurns {
  readonly #bounds: TurnBounds
  readonly #ofMatch = new Map<MatchId, Entry>()

  /** A turn has no time limit of its own: that of the request applies. */
  constructor(waitingAtMost: number) {
    this.#bounds = { atOnce: 1, waitingAtMost, startsWithinMs: Number.POSITIVE_INFINITY }
  }

  /** Fails with `SessionBusy` if too many requests of the match wait. */
  run<A, E, R>(match: MatchId, work: Effect.Effect<A, E, R>): Effect.Effect<A, E | SessionBusy, R> {
    return Effect.acquireUseRelease(
      Effect.sync(() => this.#entered(match)),
      ({ turns }) => turns.run(match, work),
      (entry) => Effect.sync(() => this.#left(match, entry)),
    )
  }

  #entered(match: MatchId): Entry {
    const entry = this.#ofMatch.get(match) ?? { turns: new BoundedTurns(this.#bounds), requests: 0 }
    entry.requests += 1
    this.#ofMatch.set(match, entry)
    return entry
  }

  #left(match: MatchId, entry: Entry): void {
    entry.requests -= 1
    if (entry.requests === 0) this.#ofMatch.delete(match)
  }
}
