import { Cause, Effect, Stream } from "effect"
import { LiveError as PlainLiveError } from "../plain/LiveError.ts"
import { type LiveError, liveErrorOf } from "./LiveError.ts"

/**
 * Continues the iterable only when the reader asks for the next element. When the stream ends or is interrupted, it
 * waits until the iterable has closed its connection.
 */
export const streamOf = <A>(open: Effect.Effect<AsyncIterable<A>>): Stream.Stream<A, LiveError> =>
  Stream.fromPull(Effect.map(iteratorOf(open), next)).pipe(Stream.scoped)

const iteratorOf = <A>(open: Effect.Effect<AsyncIterable<A>>) =>
  Effect.acquireRelease(
    Effect.map(open, (iterable) => iterable[Symbol.asyncIterator]()),
    (iterator) => Effect.promise(async () => iterator.return?.()),
  )

const next = <A>(iterator: AsyncIterator<A>) =>
  Effect.promise(() => iterator.next()).pipe(
    Effect.catchDefect((cause) => (cause instanceof PlainLiveError ? Effect.fail(liveErrorOf(cause)) : Effect.die(cause))),
    Effect.flatMap(({ done, value }) => (done === true ? Cause.done() : Effect.succeed([value] as const))),
  )
