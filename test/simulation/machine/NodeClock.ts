/**
 * The wall clock of one machine: it is off by some milliseconds and may jump. Sleeps and durations use the loop's time.
 */
import { type Clock, Effect } from "effect"
import type { VirtualLoop } from "./VirtualLoop.ts"

export class NodeClock {
  readonly clock: Clock.Clock
  #offsetMs: number

  constructor(loop: VirtualLoop, offsetMs: number) {
    this.#offsetMs = offsetMs
    const millis = () => loop.now + this.#offsetMs
    const nanos = () => BigInt(millis()) * 1_000_000n
    this.clock = {
      ...loop.clock,
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
    }
  }

  jump(byMs: number): void {
    this.#offsetMs += byMs
  }
}
