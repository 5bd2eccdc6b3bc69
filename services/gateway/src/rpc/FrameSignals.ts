/**
 * Wakes followers when a frame of their match arrives. All followers share one listener on the edge (a tier of live
 * data). A frame costs one lookup, and one call per follower of its match.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import type { Edge } from "@matchpoint/realtime/Edge"

export class FrameSignals {
  readonly #waiting = new Map<MatchId, Set<() => void>>()
  /** Removes the listener from the edge. */
  readonly stop: () => void

  constructor(edge: Pick<Edge, "listen">) {
    this.stop = edge.listen((frame) => {
      const waiting = this.#waiting.get(frame.matchId)
      if (waiting !== undefined) for (const wake of waiting) wake()
    })
  }

  /** Number of registered followers. */
  get size(): number {
    let size = 0
    for (const waiting of this.#waiting.values()) size += waiting.size
    return size
  }

  /** Calls `wake` for every frame of the match, until the returned function is called. */
  on(matchId: MatchId, wake: () => void): () => void {
    const waiting = this.#waiting.get(matchId) ?? new Set()
    this.#waiting.set(matchId, waiting)
    waiting.add(wake)
    return () => {
      waiting.delete(wake)
      if (waiting.size === 0 && this.#waiting.get(matchId) === waiting) this.#waiting.delete(matchId)
    }
  }
}
