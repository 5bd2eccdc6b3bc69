/**
 * The log on a NATS server with JetStream (2.9 or newer), for more than one process. Streams are made or updated at open: file
 * storage, oldest records dropped at maxBytes, dedupe window 2 minutes. What an acknowledged append survives on a crash of the
 * machine is the server's `sync_interval` to say, and the replicas'.
 * A consumer of only a part of a stream whose place was dropped while it was away or slow fails with `Dropped` even when none
 * of the dropped records was its own: the server cannot tell.
 */
import { Effect, Layer, Semaphore, Stream } from "effect"
import { EventLog, type LogError, maxDataBytes, type StreamSpec } from "./EventLog.ts"
import { filterProblem, invalid, specProblem, tooLarge } from "./local/LocalStreams.ts"
import * as NatsClock from "./nats/NatsClock.ts"
import * as NatsLink from "./nats/NatsLink.ts"
import * as NatsReading from "./nats/NatsReading.ts"
import * as NatsStreams from "./nats/NatsStreams.ts"
import { isRecordId, isSubject, matcher } from "./Subject.ts"

export interface Options extends NatsLink.LinkOptions {
  readonly streams: ReadonlyArray<StreamSpec>
  /** Put before every stream name and subject on the server and never seen by callers, so that tests and tenants can share one. */
  readonly namespace?: string
  /** Servers that keep each stream. Default 1. */
  readonly replicas?: number
  /** Milliseconds until an append counts as failed. Default 5000. */
  readonly publishTimeout?: number
  /** Appends on their way at once; more wait. Default 1024. */
  readonly maxInFlight?: number
  /** Records a consumer has asked for and not yet passed on, at most. Default 256. */
  readonly consumeBatch?: number
  /** Milliseconds between a quiet consumer's signs of life; after three without one it is made anew. Default 5000. */
  readonly heartbeat?: number
}

export const layer = (options: Options): Layer.Layer<EventLog, LogError> =>
  Layer.effect(
    EventLog,
    Effect.gen(function* () {
      const problem = specProblem(options.streams) ?? NatsStreams.namespaceProblem(options.namespace)
      if (problem !== undefined) return yield* invalid("open", "nats", problem)
      const link = yield* NatsLink.open(options)
      const names = NatsStreams.namesOf(options.namespace)
      yield* Effect.forEach(options.streams, (spec) => NatsStreams.ensure(link, names, spec, options.replicas ?? 1), { discard: true })
      return EventLog.of({
        append: yield* makeAppend(link, names, options),
        ...makeReading(link, names, options),
        now: yield* NatsClock.open(link, names),
      })
    }),
  )

const makeAppend = Effect.fnUntraced(function* (link: NatsLink.NatsLink, names: NatsStreams.Names, options: Options) {
  const inFlight = yield* Semaphore.make(options.maxInFlight ?? 1_024)
  const timeout = options.publishTimeout ?? 5_000
  const routes = options.streams.flatMap((spec) => spec.subjects.map((filter) => ({ spec, keeps: matcher(filter) })))

  const append: EventLog["Service"]["append"] = (subject, id, data, { lastOfSubject } = {}) =>
    Effect.suspend(() => {
      const spec = isSubject(subject) ? routes.find((route) => route.keeps(subject))?.spec : undefined
      if (spec === undefined) return invalid("append", subject, "no stream keeps this subject")
      if (!isRecordId(id)) return invalid("append", subject, `not a record id: ${JSON.stringify(id.slice(0, 80))}`)
      if (data.byteLength > Math.min(maxDataBytes, spec.maxBytes - 1_024)) return tooLarge(subject, spec, data)
      return link
        .ask("append", subject, () =>
          link.client.publish(names.subject(subject), data, {
            msgID: id,
            timeout,
            ...(lastOfSubject === undefined ? {} : { expect: { lastSubjectSequence: lastOfSubject } }),
          }),
        )
        .pipe(
          Effect.map((answer) => ({ sequence: answer.seq, duplicate: answer.duplicate })),
          inFlight.withPermit,
        )
    })
  return append
})

const makeReading = (
  link: NatsLink.NatsLink,
  names: NatsStreams.Names,
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
            ? Effect.succeed(NatsReading.follow(link, names, spec, { operation, filter, from, batch, heartbeat }))
            : Effect.fail(invalid(operation, stream, problem))
        }),
      )
  return {
    consume: follow("consume"),
    read: follow("read"),
    last: (stream, subject) =>
      Effect.flatMap(specOf("last", stream), () =>
        isSubject(subject)
          ? NatsStreams.last(link, names, stream, subject)
          : Effect.fail(invalid("last", stream, `not an exact subject: ${subject}`)),
      ),
    bounds: (stream) => Effect.flatMap(specOf("bounds", stream), () => NatsStreams.bounds(link, names, "bounds", stream)),
  }
}
