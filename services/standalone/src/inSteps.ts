import { Effect, Stream } from "effect"

/**
 * Runs a simulation one step at a time, so that requests are answered between two. A step is simulated only when it is needed;
 * `Stream.fromIterable` alone would simulate 4,096 of them at once.
 */
export const inSteps = <A>(simulation: Iterable<A>): Stream.Stream<A> =>
  Stream.tap(Stream.fromIterable(simulation, { chunkSize: 1 }), () => Effect.yieldNow)
