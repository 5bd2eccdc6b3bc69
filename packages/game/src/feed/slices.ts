/** Pure computations that other work can interrupt: a request with a megabyte of lines takes tens of milliseconds. */
import { Effect } from "effect"

/** Yields after each small step. */
export type Sliced<A> = Generator<undefined, A, undefined>

export const computed = <A>(work: Sliced<A>): A => {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}

/** Time for which a computation occupies the event loop. */
const SLICE_MS = 4

/** Other work of the process runs between the slices. */
export const inSlices = <A>(work: Sliced<A>): Effect.Effect<A> => {
  const slice: Effect.Effect<A> = Effect.suspend(() => {
    const endsAt = performance.now() + SLICE_MS
    for (;;) {
      const step = work.next()
      if (step.done === true) return Effect.succeed(step.value)
      if (performance.now() >= endsAt) return Effect.andThen(Effect.yieldNow, slice)
    }
  })
  return slice
}
