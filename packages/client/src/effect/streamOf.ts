import { Cause, Channel, Effect, Scope, Stream } from "effect"
import { LiveError as PlainLiveError } from "../plain/LiveError.ts"
import { type LiveError, liveErrorOf } from "./LiveError.ts"

/**
 * Continues the iterable only when the reader asks for the next element. When the stream ends or is interrupted, it
 * waits until the iterable has closed its connection. Interrupting a single pull does not end the stream and loses nothing.
 */
export const streamOf = <A>(open: Effect.Effect<AsyncIterable<A>>): Stream.Stream<A, LiveError> =>
  Stream.fromChannel(Channel.fromTransform((_: unknown, scope) => Effect.map(Scope.provide(iteratorOf(open), scope), pullOf)))

const iteratorOf = <A>(open: Effect.Effect<AsyncIterable<A>>) =>
  Effect.acquireRelease(
    Effect.map(open, (iterable) => iterable[Symbol.asyncIterator]()),
    (iterator) => Effect.promise(async () => iterator.return?.()),
  )

const pullOf = <A>(iterator: AsyncIterator<A>) => {
  /** The next element, which a pull that was interrupted has asked for and not taken. */
  let pending: Promise<IteratorResult<A>> | undefined
  const next = Effect.promise(() => {
    pending ??= iterator.next()
    return pending
  })
  return next.pipe(
    Effect.catchDefect((cause) => (cause instanceof PlainLiveError ? Effect.fail(liveErrorOf(cause)) : Effect.die(cause))),
    Effect.flatMap(({ done, value }) => {
      pending = undefined
      return done === true ? Cause.done() : Effect.succeed([value] as const)
    }),
  )
}
