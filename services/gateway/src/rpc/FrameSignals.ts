/**
 * Wakes those who wait for frames of one match. It listens to an edge once, however many wait: a frame costs one look-up and a call for
 * each that waits for its match.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import type { Edge } from "@matchpoint/realtime/Edge"

export class FrameSignals {
  readonly #waiting = new Map<MatchId, Set<() => void>>()
  /** Stops listening to the edge. */
  readonly stop: () => void

  constructor(edge: Pick<Edge, "listen">) {
    this.stop = edge.listen((frame) => {
      const waiting = this.#waiting.get(frame.matchId)
      if (waiting !== undefined) for (const wake of waiting) wake()
    })
  }

  /** How many wait. */
  get size(): number {
    let size = 0
    for (const waiting of this.#waiting.values()) size += waiting.size
    return size
  }

  /** Calls `wake` at every frame of the match until the returned function is called. */
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
