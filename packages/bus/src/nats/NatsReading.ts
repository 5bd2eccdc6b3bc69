/**
 * Implements `consume` and `read` with one `PullSession` (a temporary consumer on the server) after another; they share
 * one `ConsumerPosition`. When a session fails, this module checks whether unread records were dropped, and opens the
 * next.
 *
 * In a cluster, the consumer may be on a server that does not have the newest records yet, for example after a restart.
 * So a `read` asks the leader of the stream up to which record it must go, and does not trust the end of a session.
 */
import type { Msg } from "@nats-io/transport-node"
import { Array as Arr, Cause, Effect, Exit, Schedule, Scope, Stream } from "effect"
import { type From, LogError, type LogRecord, type StreamSpec } from "../EventLog.ts"
import { endsBefore, historyLost } from "../local/LocalStreams.ts"
import { contains } from "../Subject.ts"
import type { NatsConnectionService } from "./NatsConnectionService.ts"
import * as NatsStreams from "./NatsStreams.ts"
import * as PullSession from "./PullSession.ts"

export interface ReadingOptions {
  readonly operation: "consume" | "read"
  readonly filters: ReadonlyArray<string>
  readonly from: From
  readonly batch: number
  readonly heartbeat: number
}

interface OwnedSession extends PullSession.ConsumerSession {
  readonly scope: Scope.Closeable
}

/**
 * 50 ms, doubled up to one second, with jitter. The first delay is short because a dropped connection is often restored
 * immediately. The longest is part of the pause after the loss of a server.
 */
const comeBack = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("1 second")]).pipe(Schedule.jittered)
/** Small, because a caller waits for the result. */
const readAttempts = 5

export const follow = (
  link: NatsConnectionService,
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
        filters: options.filters.map(names.subject),
        whole: spec.subjects.every((subject) => options.filters.some((filter) => contains(filter, subject))),
        drain,
        batch: options.batch,
        heartbeat: options.heartbeat,
        toRecord: (message: Msg, sequence, appendedAt) => {
          const record: LogRecord = {
            subject: names.plain(message.subject),
            id: NatsStreams.idOf(message.headers),
            sequence,
            data: message.data,
            appendedAt,
          }
          const traceparent = message.headers?.get(NatsStreams.TRACE_HEADER)
          return traceparent ? { ...record, traceparent } : record
        },
      }
      let place: PullSession.ConsumerPosition | undefined
      let session: OwnedSession | undefined
      /** Highest sequence that the log has reached. If it later ends at a lower one, it is a different log. */
      let reached = options.from._tag === "After" ? options.from.sequence : 0
      let created: string | undefined
      /** Last sequence that a `read` returns. */
      let until = Number.POSITIVE_INFINITY
      const isRead = () => place !== undefined && place.position >= until

      const openSession: Effect.Effect<OwnedSession, LogError | Cause.Done> = Effect.gen(function* () {
        const bounds = yield* NatsStreams.bounds(link, names, options.operation, spec.name)
        if (bounds.last < reached) return yield* historyLost(options.operation, spec.name, endsBefore(reached, bounds.last))
        reached = bounds.last
        created ??= bounds.created
        if (created !== bounds.created) {
          return yield* historyLost(options.operation, spec.name, `the log was created at ${created}, and this one at ${bounds.created}`)
        }
        if (drain) until = Math.min(until, yield* NatsStreams.newest(link, names, options.operation, spec.name, options.filters))
        if (place === undefined) {
          place = placeOf(options.from, bounds)
        } else if (bounds.first > place.position + 1 && !place.atOldest) {
          return yield* PullSession.dropped(sessionOptions, place.position, bounds.first)
        }
        if (isRead()) return yield* Cause.done()
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
      const endOfSession = Effect.suspend(
        (): Effect.Effect<never, LogError | Cause.Done> =>
          isRead() ? Cause.done() : Effect.fail(behind(spec.name, place?.position ?? 0, until)),
      )
      const take = Effect.suspend(() => (session === undefined ? openSession : Effect.succeed(session))).pipe(
        Effect.flatMap((it) => (isRead() ? Cause.done() : it.take)),
        Effect.catchIf(Cause.isDone, () => endOfSession),
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

const placeOf = (from: From, bounds: { readonly first: number; readonly last: number }): PullSession.ConsumerPosition => {
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

const behind = (target: string, position: number, until: number): LogError =>
  new LogError({
    operation: "read",
    target,
    reason: "Unavailable",
    retryable: true,
    detail: `the server had no record after ${position}, but the log has record ${until}`,
  })
