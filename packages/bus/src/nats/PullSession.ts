/**
 * One consumer on the NATS server, until it fails. A session never skips or repeats a record. If it cannot continue, it
 * fails, and its owner reconnects and opens another one at the same `ConsumerPosition`.
 */
import { AckPolicy, DeliverPolicy } from "@nats-io/jetstream"
import { createInbox, type Msg, nanos } from "@nats-io/transport-node"
import { Array as Arr, Cause, Effect, type Scope } from "effect"
import { LogError, type LogRecord } from "../EventLog.ts"
import { matcherOf } from "../Subject.ts"
import type { NatsConnectionService } from "./NatsConnectionService.ts"

/** Shared by successive sessions. All matching records up to `position` have been delivered to the reader. */
export interface ConsumerPosition {
  position: number
  /**
   * True if reading starts at the oldest record and none has arrived yet. Until then, the server may drop the oldest
   * records, which is no error.
   */
  atOldest: boolean
}

export interface SessionOptions {
  readonly operation: "consume" | "read"
  /** Stream name without the namespace, for errors. */
  readonly target: string
  /** Stream name with the namespace, which the subjects in `filters` have, too. */
  readonly stream: string
  readonly filters: ReadonlyArray<string>
  /** True if the filters match every record of the stream. A gap in the sequence then means that records were dropped. */
  readonly whole: boolean
  /** If true, the session ends when the server has no more records, instead of waiting for new ones. */
  readonly drain: boolean
  /** Maximum number of records requested and not yet handed out. */
  readonly batch: number
  /** Milliseconds. After three missed heartbeats, the session fails. */
  readonly heartbeat: number
  readonly toRecord: (message: Msg, sequence: number, appendedAt: number) => LogRecord
}

/** `take` returns one or more records per call. It ends with `Done` only if the session was opened with `drain`. */
export interface ConsumerSession {
  readonly take: Effect.Effect<Chunk, LogError | Cause.Done>
}

type Chunk = Arr.NonEmptyReadonlyArray<LogRecord>

const requestLife = 30_000
/** Milliseconds for which the server keeps a consumer of a killed process or a dropped connection. It uses server memory. */
const inactiveThreshold = 30_000

export const open = (
  link: NatsConnectionService,
  options: SessionOptions,
  place: ConsumerPosition,
): Effect.Effect<ConsumerSession, LogError, Scope.Scope> =>
  Effect.gen(function* () {
    const { operation, stream, target } = options
    const consumer = yield* Effect.acquireRelease(
      link.ask(operation, target, () =>
        link.consumers.add(stream, {
          ack_policy: AckPolicy.None,
          deliver_policy: DeliverPolicy.StartSequence,
          opt_start_seq: place.position + 1,
          ...filterOf(link, options),
          inactive_threshold: nanos(inactiveThreshold),
          mem_storage: true,
          num_replicas: 1,
        }),
      ),
      // The reader does not wait for the server, which is slow while it is busy.
      ({ name }) =>
        link.up.isOpen()
          ? link
              .ask(operation, target, () => link.manager.consumers.delete(stream, name))
              .pipe(
                Effect.catch((error) => Effect.logDebug("a NATS consumer was not deleted; the server will expire it", error)),
                link.inBackground,
              )
          : Effect.void,
    )
    const session = yield* Effect.acquireRelease(
      Effect.sync(() => new PullSession(link, options, place, consumer.name)),
      (opened) => Effect.sync(() => opened.close()),
    )
    yield* Effect.sleep(options.heartbeat).pipe(Effect.andThen(Effect.sync(() => session.checkPulse())), Effect.forever, Effect.forkScoped)
    return session
  })

class PullSession implements ConsumerSession {
  private readonly link: NatsConnectionService
  private readonly options: SessionOptions
  private readonly place: ConsumerPosition
  private readonly requestSubject: string
  private readonly inbox: string
  readonly close: () => void
  private buffer: Array<LogRecord> = []
  /** True while records taken from the buffer are checked for gaps. `place` must not move past them until then. */
  private handingOut = false
  /** Requested records that have not arrived. */
  private outstanding = 0
  /** Records sent by the server's consumer, according to its messages. A gap in this count means a lost message. */
  private delivered = 0
  /** Highest sequence in the buffer. */
  private received: number
  /** Selects subjects to leave out. Undefined if the server filters. */
  private readonly unwanted: ((subject: string) => boolean) | undefined
  /**
   * True once it is certain that the log had every record after the position when the server began to send. The log may
   * drop records between the owner's reading of the bounds and the first answer, and a server that filters passes over
   * them without a trace.
   */
  private isStartChecked: boolean
  /** True if the server has answered that it has nothing to send. */
  private isIdle = false
  private beatsMissed = 0
  private ended: LogError | "drained" | undefined
  private onMore: (() => void) | undefined

  constructor(link: NatsConnectionService, options: SessionOptions, place: ConsumerPosition, consumer: string) {
    this.link = link
    this.options = options
    this.place = place
    this.received = place.position
    // A consumer without a filter sends the other records as well.
    this.unwanted = sendsAll(link, options) && !options.whole ? unwantedBy(options.filters) : undefined
    this.isStartChecked = options.whole || this.unwanted !== undefined || place.atOldest
    this.requestSubject = `${link.client.apiPrefix}.CONSUMER.MSG.NEXT.${options.stream}.${consumer}`
    this.inbox = createInbox()
    const subscription = link.connection.subscribe(this.inbox, {
      callback: (error, message) => (error === null ? this.onMessage(message) : this.fail("the subscription failed", error)),
    })
    const onDrop = () => this.fail("the connection dropped")
    link.dropListeners.add(onDrop)
    this.close = () => {
      link.dropListeners.delete(onDrop)
      subscription.unsubscribe()
    }
  }

  /** Records stay in the buffer until they are delivered, so that `place` has exactly the delivered ones. */
  readonly take: Effect.Effect<Chunk, LogError | Cause.Done> = Effect.suspend(() => {
    const chunk = this.buffer
    if (!this.isStartChecked && (chunk.length > 0 || this.isIdle)) return Effect.andThen(this.checkStart, this.take)
    if (Arr.isArrayNonEmpty(chunk)) {
      this.buffer = []
      const stalled = this.outstanding === 0
      this.handingOut = true
      const moveOn = Effect.sync(() => {
        this.handingOut = false
        this.place.position = Arr.lastNonEmpty(chunk).sequence
        return chunk
      })
      this.refill()
      // While these records waited in the buffer, no request was open, and the server may have dropped later records.
      return stalled ? Effect.andThen(this.checkHole(Arr.lastNonEmpty(chunk).sequence), moveOn) : moveOn
    }
    if (this.ended !== undefined) return this.ended === "drained" ? Cause.done() : Effect.fail(this.ended)
    this.refill()
    return Effect.andThen(this.more, this.take)
  })

  checkPulse(): void {
    if (this.outstanding > 0 && ++this.beatsMissed > 2) this.fail("the server sent no heartbeat")
  }

  /**
   * The NATS client passes on all messages of a network packet in one turn; a microtask makes them one chunk. A chunk
   * each would cost more CPU time than everything else done with a record.
   */
  private readonly more = Effect.callback<void>((resume) => {
    this.onMore = () => queueMicrotask(() => resume(Effect.void))
    return Effect.sync(() => {
      this.onMore = undefined
    })
  })

  private readonly checkStart: Effect.Effect<void, LogError> = Effect.suspend(() =>
    Effect.map(this.checkHole(this.place.position), () => {
      this.isStartChecked = true
    }),
  )

  private readonly checkHole = (after: number): Effect.Effect<void, LogError> => {
    const { operation, stream, target } = this.options
    return Effect.flatMap(
      this.link.ask(operation, target, () => this.link.manager.streams.info(stream)),
      ({ state }) => (state.first_seq > after + 1 ? Effect.fail(dropped(this.options, after, state.first_seq)) : Effect.void),
    )
  }

  private refill(): void {
    const { batch, drain, heartbeat } = this.options
    const held = this.outstanding + this.buffer.length
    // When draining, only one request is open. The server would reject a second `no_wait` request, which cannot be
    // distinguished from the response at the end of the log.
    const most = drain ? 0 : batch / 2
    if (this.ended !== undefined || held > most) return
    const request = drain
      ? { batch: batch - held, no_wait: true }
      : { batch: batch - held, expires: nanos(requestLife), idle_heartbeat: nanos(heartbeat) }
    this.beatsMissed = 0
    this.outstanding += batch - held
    this.link.connection.publish(this.requestSubject, JSON.stringify(request), { reply: this.inbox })
  }

  private onMessage(message: Msg): void {
    if (this.ended !== undefined) return
    this.beatsMissed = 0
    if (message.subject === this.inbox) this.onStatus(message)
    else this.onRecord(message)
  }

  private onRecord(message: Msg): void {
    const { appendedAt, delivery, sequence } = deliveryOf(message.reply ?? "")
    if (delivery !== this.delivered + 1) {
      this.fail(`message ${this.delivered + 1} of the consumer is missing`)
      return
    }
    this.delivered = delivery
    this.outstanding--
    // If the start is beyond the end of the log, servers before version 2.10 also send earlier records.
    if (sequence <= this.received) return
    if ((this.options.whole || this.unwanted !== undefined) && sequence > this.received + 1 && !this.place.atOldest) {
      this.end(dropped(this.options, this.received, sequence))
      return
    }
    this.received = sequence
    this.place.atOldest = false
    if (this.unwanted?.(message.subject) === true) {
      this.passUnwanted(sequence)
      return
    }
    this.buffer.push(this.options.toRecord(message, sequence, appendedAt))
    this.wake()
  }

  private passUnwanted(sequence: number): void {
    if (this.buffer.length === 0 && !this.handingOut) this.place.position = sequence
    this.refill()
  }

  private onStatus(message: Msg): void {
    const headers = message.headers
    const description = headers?.description ?? "no status"
    switch (headers?.code) {
      case 100: {
        // A heartbeat: the server has scanned the log up to `looked` and has sent `sent` records. If all of them were
        // delivered, the position can advance to `looked`.
        if (!this.isStartChecked) {
          this.isIdle = true
          this.wake()
          break
        }
        const looked = Number(headers.get("Nats-Last-Stream"))
        const sent = Number(headers.get("Nats-Last-Consumer"))
        if (sent === this.delivered && this.buffer.length === 0 && !this.handingOut) {
          this.place.position = Math.max(this.place.position, looked || 0)
        }
        break
      }
      case 404:
      case 408:
        // The request has ended. A header states how many requested records were not sent; without it, all that have not arrived.
        this.outstanding = Math.max(0, this.outstanding - Number(headers.get("Nats-Pending-Messages") || this.outstanding))
        if (this.options.drain) this.end("drained")
        else this.refill()
        break
      case 400:
        this.end(this.failure("Invalid", false, description))
        break
      default:
        this.fail(description)
    }
  }

  private fail(detail: string, cause?: unknown): void {
    this.end(this.failure("Unavailable", true, detail, cause))
  }

  private failure(reason: LogError["reason"], retryable: boolean, detail: string, cause?: unknown): LogError {
    const { operation, target } = this.options
    return new LogError({ operation, target, reason, retryable, detail, ...(cause === undefined ? {} : { cause }) })
  }

  private end(how: LogError | "drained"): void {
    this.ended ??= how
    this.wake()
  }

  private wake(): void {
    const onMore = this.onMore
    this.onMore = undefined
    onMore?.()
  }
}

/** Servers before version 2.10 know only one pattern per consumer. */
const filterOf = (link: NatsConnectionService, options: SessionOptions) => {
  const [first, ...others] = options.filters
  if (first === undefined || options.whole || sendsAll(link, options)) return {}
  return others.length === 0 ? { filter_subject: first } : { filter_subjects: [first, ...others] }
}

const unwantedBy = (filters: ReadonlyArray<string>): ((subject: string) => boolean) => {
  const isWanted = matcherOf(filters)
  return (subject) => !isWanted(subject)
}

/** True if the session must filter, because the server cannot. */
const sendsAll = (link: NatsConnectionService, { filters }: SessionOptions): boolean => filters.length > 1 && !link.knowsManyFilters

export const dropped = (options: Pick<SessionOptions, "operation" | "target" | "filters">, after: number, first: number): LogError =>
  new LogError({
    operation: options.operation,
    target: options.target,
    reason: "Dropped",
    retryable: false,
    detail: `the consumer of ${options.filters.join(", ")} had read up to ${after}, but the oldest stored record is now ${first}`,
  })

/**
 * `$JS.ACK.<stream>.<consumer>.<times>.<sequence>.<delivery>.<nanoseconds>.<pending>`. Newer servers put a domain and
 * an account first.
 */
const ackSubject = /^\$JS\.ACK\.(?:[^.]+\.[^.]+\.)?[^.]+\.[^.]+\.\d+\.(\d+)\.(\d+)\.(\d+)\.\d+/

/** All numbers are NaN if the reply subject has another form. */
const deliveryOf = (reply: string) => {
  const [, sequence, delivery, nanoseconds] = ackSubject.exec(reply) ?? []
  return { sequence: Number(sequence), delivery: Number(delivery), appendedAt: Math.floor(Number(nanoseconds) / 1e6) }
}
