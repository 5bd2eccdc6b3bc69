/**
 * `consume` and `read` over NATS: a sequence of `PullSession`s that share one `Place`. It owns opening the next session
 * after one has ended, and detects that the log lost unread records meanwhile. It sends no NATS messages itself.
 */
import type { Msg } from "@nats-io/transport-node"
import { Array as Arr, Cause, Effect, Exit, Schedule, Scope, Stream } from "effect"
import { type From, LogError, type LogRecord, type StreamSpec } from "../EventLog.ts"
import { contains } from "../Subject.ts"
import type { NatsLink } from "./NatsLink.ts"
import * as NatsStreams from "./NatsStreams.ts"
import * as PullSession from "./PullSession.ts"

export interface ReadingOptions {
  readonly operation: "consume" | "read"
  readonly filter: string
  readonly from: From
  readonly batch: number
  readonly heartbeat: number
}

interface OwnedSession extends PullSession.Session {
  readonly scope: Scope.Closeable
}

/**
 * Delay before the next session: 50 ms, doubled up to 5 seconds, with jitter. It is short at first because a dropped
 * connection is often back at once.
 */
const comeBack = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("5 seconds")]).pipe(Schedule.jittered)
/** Number of times a `read` retries. A caller waits for its result, so the number is small. */
const readAttempts = 5

export const follow = (
  link: NatsLink,
  names: NatsStreams.Names,
  spec: StreamSpec,
  options: ReadingOptions,
): Stream.Stream<LogRecord, LogError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const drain = options.operation === "read"
      const sessionOptions: PullSession.SessionOptions = {
        operation: options.operation,
        target: spec.name,
        stream: names.stream(spec.name),
        filter: names.subject(options.filter),
        whole: spec.subjects.every((subject) => contains(options.filter, subject)),
        drain,
        batch: options.batch,
        heartbeat: options.heartbeat,
        toRecord: (message: Msg, sequence, appendedAt) => ({
          subject: names.plain(message.subject),
          id: NatsStreams.idOf(message.headers),
          sequence,
          data: message.data,
          appendedAt,
        }),
      }
      let place: PullSession.Place | undefined
      let session: OwnedSession | undefined
      /** Highest known sequence of this log. */
      let reached = 0
      let until = Number.POSITIVE_INFINITY

      const openSession: Effect.Effect<OwnedSession, LogError> = Effect.gen(function* () {
        const bounds = yield* NatsStreams.bounds(link, names, options.operation, spec.name)
        if (bounds.last < reached) return yield* historyLost(options.operation, spec.name, reached, bounds.last)
        reached = bounds.last
        if (place === undefined) {
          place = placeOf(options.from, bounds)
          if (drain) until = bounds.last
        } else if (bounds.first > place.position + 1 && !place.atOldest) {
          return yield* PullSession.dropped(sessionOptions, place.position, bounds.first)
        }
        const own = yield* Scope.fork(scope)
        const { take } = yield* PullSession.open(link, sessionOptions, place).pipe(
          Scope.provide(own),
          Effect.onError((cause) => Scope.close(own, Exit.failCause(cause))),
        )
        session = { take, scope: own }
        return session
      })
      const closeSession = Effect.suspend(() => {
        const closing = session
        session = undefined
        return closing === undefined ? Effect.void : Scope.close(closing.scope, Exit.void)
      })
      const take = Effect.suspend(() => (session === undefined ? openSession : Effect.succeed(session))).pipe(
        Effect.flatMap((it) => (place !== undefined && place.position >= until ? Cause.done() : it.take)),
        Effect.tapError(() => closeSession),
        Effect.retry({
          schedule: drain ? Schedule.upTo(comeBack, { times: readAttempts }) : comeBack,
          while: (error) => error instanceof LogError && error.retryable,
        }),
      )
      const pull: typeof take = Effect.flatMap(take, (chunk) => {
        reached = Math.max(reached, Arr.lastNonEmpty(chunk).sequence)
        if (reached <= until) return Effect.succeed(chunk)
        const wanted = chunk.filter((record) => record.sequence <= until)
        return Arr.isArrayNonEmpty(wanted) ? Effect.succeed(wanted) : Cause.done()
      })
      return Stream.fromPull(Effect.succeed(pull))
    }),
  )

const placeOf = (from: From, bounds: { readonly first: number; readonly last: number }): PullSession.Place => {
  switch (from._tag) {
    case "First":
      return { position: bounds.first - 1, atOldest: true }
    case "New":
      return { position: bounds.last, atOldest: false }
    case "After":
      return from.sequence + 1 < bounds.first
        ? { position: bounds.first - 1, atOldest: true }
        : { position: from.sequence, atOldest: false }
  }
}

const historyLost = (operation: LogError["operation"], target: string, reached: number, last: number): LogError =>
  new LogError({
    operation,
    target,
    reason: "HistoryLost",
    retryable: false,
    detail: `the log had record ${reached} and now ends at ${last}, so it is a different log`,
  })
