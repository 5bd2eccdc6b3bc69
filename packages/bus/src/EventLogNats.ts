/**
 * Event log driver for a NATS server with JetStream (2.9 or newer), which several processes can share. On opening, it
 * creates the streams or updates their settings. Streams that the server loses later are created again. Whether an
 * acknowledged append survives a crash of the machine depends on the server's `sync_interval` and the number of
 * replicas.
 *
 * A consumer whose filter matches only some records can fail with `Dropped` although no matching record was dropped, if
 * other records after its position were dropped while it was disconnected or slow: the server does not report which
 * ones.
 */
import { PubHeaders } from "@nats-io/jetstream"
import { headers, type MsgHdrs } from "@nats-io/transport-node"
import { Array as Arr, Effect, Layer, Schedule, Semaphore, Stream } from "effect"
import { EventLog, type LogError, maxDataBytes, type StreamSpec } from "./EventLog.ts"
import { filterProblem, invalid, specProblem, tooLarge } from "./local/LocalStreams.ts"
import { type FormerSubjects, moveRecords } from "./nats/formerSubjects.ts"
import { isLost, isUnanswered, type LostStreams, lostStreams } from "./nats/LostStreams.ts"
import * as NatsClock from "./nats/NatsClock.ts"
import * as NatsConnection from "./nats/NatsConnectionService.ts"
import * as NatsReading from "./nats/NatsReading.ts"
import * as NatsStreams from "./nats/NatsStreams.ts"
import { isRecordId, isSubject, matcher } from "./Subject.ts"
import { traceparentOf } from "./traceparent.ts"

export interface Options extends NatsConnection.LinkOptions {
  readonly streams: ReadonlyArray<StreamSpec>
  /** Prefix of stream names and subjects on the server, so that tenants can share it. Callers do not see it. */
  readonly namespace?: string
  /** Servers that store each stream. Default: unchanged, and 1 for new streams. */
  readonly replicas?: number
  /** Must increase with each change of `streams`. Settings on the server with a higher number are left as they are. Default 0. */
  readonly settingsVersion?: number
  /** Leaves the sizes of existing streams, so that a process without a setting drops no records. Default false. */
  readonly keepSizes?: boolean
  /** Subjects of earlier versions, whose records are moved when the log is opened. */
  readonly formerSubjects?: ReadonlyArray<FormerSubjects>
  /** Milliseconds in which the server must acknowledge an append. Default 5000. */
  readonly publishTimeout?: number
  /** Unacknowledged appends, at most. Further ones wait. Default 1024. */
  readonly maxInFlight?: number
  /** Records requested from the server and not yet delivered, per consumer. Default 256. */
  readonly consumeBatch?: number
  /** Milliseconds between the heartbeats of an idle consumer, which is recreated after three missed ones. Default 5000. */
  readonly heartbeat?: number
}

export const layer = (options: Options): Layer.Layer<EventLog, LogError> =>
  Layer.effect(
    EventLog,
    Effect.gen(function* () {
      const problem = specProblem(options.streams) ?? NatsStreams.namespaceProblem(options.namespace)
      if (problem !== undefined) return yield* invalid("open", "nats", problem)
      const link = yield* NatsConnection.open(options)
      const names = NatsStreams.namesOf(options.namespace)
      const settings = { version: options.settingsVersion ?? 0, replicas: options.replicas, keepSize: options.keepSizes ?? false }
      const ensure = (spec: StreamSpec) => NatsStreams.ensure(link, names, spec, settings)
      // The servers of a cluster that has just started do not know each other yet.
      const ensureWhenReady = (spec: StreamSpec) =>
        ensure(spec).pipe(
          Effect.tapError((error) =>
            error.retryable ? Effect.logWarning(`the stream ${spec.name} cannot be opened yet: ${error.detail}`) : Effect.void,
          ),
          Effect.retry({
            while: ({ retryable }) => retryable,
            schedule: Schedule.upTo(Schedule.spaced("1 second"), { duration: "5 seconds" }),
          }),
        )
      yield* Effect.forEach(options.streams, ensureWhenReady, { discard: true })
      // `now` creates the stream as well, so the start does not wait for it.
      yield* ensure(NatsClock.timeStream).pipe(
        Effect.catch((error) =>
          Effect.logWarning("the stream for the time cannot be opened yet; the first question for the time retries", error),
        ),
        Effect.forkScoped,
      )
      for (const former of options.formerSubjects ?? []) {
        const moved = yield* moveRecords(link, names, former)
        if (moved > 0) yield* Effect.logInfo(`moved ${moved} records of ${former.stream} from subjects of an earlier version`)
      }
      const lost = yield* lostStreams([...options.streams, NatsClock.timeStream], ensure)
      return EventLog.of({
        append: yield* makeAppend(link, names, lost, options),
        ...makeReading(link, names, lost, options),
        now: NatsClock.open(link, names, lost, options.requestTimeout ?? 5_000),
      })
    }),
  )

const makeAppend = Effect.fnUntraced(function* (
  link: NatsConnection.NatsConnectionService,
  names: NatsStreams.Names,
  lost: LostStreams,
  options: Options,
) {
  const inFlight = yield* Semaphore.make(options.maxInFlight ?? 1_024)
  const timeout = options.publishTimeout ?? 5_000
  const routes = options.streams.flatMap((spec) => spec.subjects.map((filter) => ({ spec, keeps: matcher(filter) })))
  // The append does not wait for this: if the stream only has no leader, the server does not answer this question either.
  const lookFor = ({ name }: StreamSpec) =>
    lost.recreate(name).pipe(
      Effect.catch((error) => Effect.logDebug(`it is unknown whether the server still has ${name}`, error)),
      link.inBackground,
    )

  const append: EventLog["Service"]["append"] = (subject, id, data, { lastOfSubject } = {}) =>
    Effect.withFiber((fiber) => {
      const spec = isSubject(subject) ? routes.find((route) => route.keeps(subject))?.spec : undefined
      if (spec === undefined) return invalid("append", subject, "no stream stores this subject")
      if (!isRecordId(id)) return invalid("append", subject, `not a record id: ${JSON.stringify(id.slice(0, 80))}`)
      if (data.byteLength > Math.min(maxDataBytes, spec.maxBytes - 1_024)) return tooLarge(subject, spec, data)
      const request = {
        subject: names.subject(subject),
        target: subject,
        data,
        headers: headersOf(id, lastOfSubject, traceparentOf(fiber.cache.span)),
        timeoutMs: timeout,
      }
      return inFlight.withPermit(Effect.tapError(link.append(request), (error) => (isUnanswered(error) ? lookFor(spec) : Effect.void)))
    })
  return append
})

const headersOf = (id: string, lastOfSubject: number | undefined, traceparent: string | undefined): MsgHdrs => {
  const made = headers()
  made.set(PubHeaders.MsgIdHdr, id)
  if (lastOfSubject !== undefined) made.set(PubHeaders.ExpectedLastSubjectSequenceHdr, String(lastOfSubject))
  if (traceparent !== undefined) made.set(NatsStreams.TRACE_HEADER, traceparent)
  return made
}

const makeReading = (
  link: NatsConnection.NatsConnectionService,
  names: NatsStreams.Names,
  lost: LostStreams,
  options: Options,
): Pick<EventLog["Service"], "consume" | "read" | "last" | "bounds"> => {
  const specs = new Map(options.streams.map((spec) => [spec.name, spec]))
  const batch = options.consumeBatch ?? 256
  const heartbeat = options.heartbeat ?? 5_000

  const specOf = (operation: LogError["operation"], stream: string): Effect.Effect<StreamSpec, LogError> => {
    const spec = specs.get(stream)
    return spec === undefined ? Effect.fail(invalid(operation, stream, "no such stream")) : Effect.succeed(spec)
  }
  const follow =
    (operation: "consume" | "read"): EventLog["Service"]["consume"] =>
    (stream, filter, from) =>
      Stream.unwrap(
        Effect.flatMap(specOf(operation, stream), (spec) => {
          const problem = filterProblem(spec, filter)
          return problem === undefined
            ? Effect.succeed(
                NatsReading.follow(link, names, spec, { operation, filters: Arr.ensure(filter), from, batch, heartbeat }).pipe(
                  Stream.tapError((error) => (isLost(error) ? lost.recreate(stream) : Effect.void)),
                ),
              )
            : Effect.fail(invalid(operation, stream, problem))
        }),
      )
  return {
    consume: follow("consume"),
    read: follow("read"),
    last: (stream, filter) =>
      Effect.flatMap(specOf("last", stream), (spec) => {
        const problem = filterProblem(spec, filter)
        return problem === undefined
          ? lost.recovering(stream, NatsStreams.last(link, names, stream, filter))
          : Effect.fail(invalid("last", stream, problem))
      }),
    bounds: (stream) =>
      specOf("bounds", stream).pipe(
        Effect.andThen(lost.recovering(stream, NatsStreams.bounds(link, names, "bounds", stream))),
        Effect.map(({ first, last }) => ({ first, last })),
      ),
  }
}
