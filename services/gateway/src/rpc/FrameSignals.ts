/**
 * Notifies the RPC streams of a match of its frames. They share one listener on the edge (this gateway's copy of the
 * live matches). A frame costs one lookup, and one call per stream of its match.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import type { Edge } from "@matchpoint/realtime/Edge"

export class FrameSignals {
  readonly #waiting = new Map<MatchId, Set<() => void>>()
  readonly stop: () => void

  constructor(edge: Pick<Edge, "listen">) {
    this.stop = edge.listen((frame) => {
      const waiting = this.#waiting.get(frame.matchId)
      if (waiting !== undefined) for (const wake of waiting) wake()
    })
  }

  /** Number of registered streams. */
  get size(): number {
    let size = 0
    for (const waiting of this.#waiting.values()) size += waiting.size
    return size
  }

  /** Calls `wake` for every frame of the match. Returns the removal. */
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
