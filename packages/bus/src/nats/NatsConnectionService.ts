/** One connection to NATS with JetStream. Reconnects indefinitely with growing delays. Knows nothing of event logs. */
import {
  type ApiError,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from "@nats-io/jetstream"
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  errors,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  type Status,
  type TlsOptions,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from "@nats-io/transport-node"
import { Effect, FiberSet, Latch, Redacted, type Scope, Stream } from "effect"
import { type Appended, LogError } from "../EventLog.ts"
import { NatsRequests } from "./NatsRequests.ts"
import { natsError } from "./natsError.ts"

export interface LinkOptions {
  /** `nats://host:port`; for a cluster, one or more of its servers. */
  readonly servers: string | ReadonlyArray<string>
  /** Content of a `.creds` file. Called for each connection, so that a rotated file is used. */
  readonly credentials?: () => Redacted.Redacted<string>
  readonly token?: Redacted.Redacted<string>
  readonly user?: { readonly name: string; readonly password: Redacted.Redacted<string> }
  readonly tls?: TlsOptions
  /** Milliseconds, for the first connection and each later attempt. Default 5000. */
  readonly connectTimeout?: number
  /** Milliseconds per request. Default 5000. */
  readonly requestTimeout?: number
}

export interface NatsConnectionService {
  readonly connection: NatsConnection
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
  /** Gives up early: a cluster may choose a lost server, which never answers. The next attempt gets another server. */
  readonly consumers: Pick<JetStreamManager["consumers"], "add">
  /** True from server version 2.10 on. */
  readonly knowsManyFilters: boolean
  /** Open while the connection is up. */
  readonly up: Latch.Latch
  /** Callbacks that run at each disconnect. */
  readonly dropListeners: Set<() => void>
  /**
   * Converts a failure into a `LogError`. The request must have its own timeout. While disconnected, it waits for the
   * connection, at most for the request timeout: the NATS client would buffer the bytes of every attempt. If the
   * connection drops during the request, it fails immediately, because its response is lost.
   */
  readonly ask: <A>(operation: LogError["operation"], target: string, request: () => Promise<A>) => Effect.Effect<A, LogError>
  /** Like `ask`, but cheaper. */
  readonly append: (request: AppendRequest) => Effect.Effect<Appended, LogError>
  /** Runs a task that its caller need not wait for. It is interrupted when the connection is closed. */
  readonly inBackground: (task: Effect.Effect<void>) => Effect.Effect<void>
}

export interface AppendRequest {
  /** Subject with the namespace. */
  readonly subject: string
  /** Subject without the namespace, for errors. */
  readonly target: string
  readonly data: Uint8Array
  readonly headers: MsgHdrs
  readonly timeoutMs: number
}

/**
 * Milliseconds between attempts to reconnect. The longest pause is short, so that after an outage of NATS all processes
 * are back before those that are not count as cut off.
 */
const shortestPause = 100
const longestPause = 250

const CREATED_WITHIN_MS = 1_500

export const open = (options: LinkOptions): Effect.Effect<NatsConnectionService, LogError, Scope.Scope> =>
  Effect.gen(function* () {
    const servers = typeof options.servers === "string" ? [options.servers] : [...options.servers]
    // Addresses without credentials, for errors and logs.
    const target = servers.map((server) => server.replace(/[^/@]*@/, "")).join(",")
    const up = yield* Latch.make(true)
    let pause = shortestPause
    const dropListeners = new Set<() => void>()

    const connection = yield* Effect.acquireRelease(
      Effect.tryPromise({
        try: () =>
          connect({
            servers,
            name: "matchpoint",
            timeout: options.connectTimeout ?? 5_000,
            // Two unanswered pings close the connection, so a peer that vanished silently is detected within 30 seconds.
            pingInterval: 10_000,
            maxPingOut: 2,
            maxReconnectAttempts: -1,
            // Keep reconnecting, because credentials may be rotated on the server before they are rotated here.
            ignoreAuthErrorAbort: true,
            // Called several times per connection attempt. The delay is therefore increased on the status `reconnecting`.
            reconnectDelayHandler: () => pause,
            ...authenticators(options),
            ...(options.tls === undefined ? {} : { tls: options.tls }),
          }),
        catch: natsError("open", target),
      }),
      (opened) =>
        Effect.tryPromise(() => opened.close()).pipe(
          Effect.catch((error) => Effect.logWarning("closing the NATS connection failed", error)),
        ),
    )
    const requests = new NatsRequests(connection)
    const onStatus = (status: Status) => {
      switch (status.type) {
        case "disconnect":
          up.closeUnsafe()
          requests.fail(dropped)
          for (const listener of [...dropListeners]) listener()
          return Effect.logWarning(`NATS connection to ${status.server} dropped`)
        case "reconnecting":
          // Jitter, so that many processes do not reconnect at the same moment.
          pause = Math.min(longestPause, pause * (1.5 + Math.random()))
          return Effect.void
        case "reconnect":
          up.openUnsafe()
          pause = shortestPause
          return Effect.logInfo(`NATS reconnected to ${status.server}`)
        case "error":
          if (status.error instanceof errors.PermissionViolationError) requests.fail(status.error, status.error.subject)
          return Effect.logWarning("NATS reported an error", status.error)
        default:
          return Effect.void
      }
    }
    yield* Stream.fromAsyncIterable(connection.status(), natsError("open", target)).pipe(
      Stream.runForEach(onStatus),
      Effect.catch((error) => Effect.logWarning("NATS connection events are no longer monitored", error)),
      Effect.forkScoped,
    )

    const background = yield* FiberSet.make()
    const timeout = options.requestTimeout ?? 5_000
    const client = jetstream(connection, { timeout })
    const managerWithin = (milliseconds: number) =>
      Effect.tryPromise({ try: () => jetstreamManager(connection, { timeout: milliseconds }), catch: natsError("open", target) })
    const manager = yield* managerWithin(timeout)
    const { consumers } = yield* managerWithin(Math.min(timeout, CREATED_WITHIN_MS))
    const whenUp = <A>(operation: LogError["operation"], subject: string, asked: Effect.Effect<A, LogError>) => {
      if (up.isOpen()) return asked
      const notConnected = () => Effect.fail(disconnected(operation, subject))
      return up.await.pipe(Effect.timeoutOrElse({ duration: timeout, orElse: notConnected }), Effect.andThen(asked))
    }
    return {
      connection,
      client,
      manager,
      consumers,
      get knowsManyFilters() {
        return isSince210(connection.info?.version)
      },
      up,
      dropListeners,
      inBackground: (task) => Effect.asVoid(FiberSet.run(background, task)),
      ask: (operation, subject, request) => whenUp(operation, subject, untilDrop(dropListeners, request, operation, subject)),
      append: ({ data, headers, subject, target: appended, timeoutMs }) => {
        const failed = natsError("append", appended)
        const sent = requests.send({ subject, data, headers, timeoutMs, failed })
        return whenUp("append", appended, Effect.flatMap(sent, appendedOf(failed)))
      },
    }
  })

const isSince210 = (version = ""): boolean => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major > 2 || (major === 2 && minor >= 10)
}

/** Fails the appends in progress when the connection drops. */
const dropped = new Error("no connection to NATS")

const text = new TextDecoder()

const appendedOf =
  (failed: (cause: unknown) => LogError) =>
  ({ data }: Msg): Effect.Effect<Appended, LogError> => {
    const answer: { readonly seq: number; readonly duplicate?: boolean; readonly error?: ApiError } = JSON.parse(text.decode(data))
    return answer.error === undefined
      ? Effect.succeed({ sequence: answer.seq, duplicate: answer.duplicate === true })
      : Effect.fail(failed(new JetStreamApiError(answer.error)))
  }

const untilDrop = <A>(
  dropListeners: Set<() => void>,
  request: () => Promise<A>,
  operation: LogError["operation"],
  target: string,
): Effect.Effect<A, LogError> =>
  Effect.callback<A, LogError>((resume) => {
    const onDrop = () => resume(Effect.fail(disconnected(operation, target)))
    const done = () => dropListeners.delete(onDrop)
    dropListeners.add(onDrop)
    withoutStacks(request).then(
      (answer) => {
        done()
        resume(Effect.succeed(answer))
      },
      (cause: unknown) => {
        done()
        resume(Effect.fail(natsError(operation, target)(cause)))
      },
    )
    return Effect.sync(done)
  })

/**
 * The NATS client creates two errors per request in advance. Their stack traces would account for a seventh of the cost
 * of an append. A `LogError` names the operation instead.
 */
const withoutStacks = <A>(begin: () => A): A => {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return begin()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

const disconnected = (operation: LogError["operation"], target: string): LogError =>
  new LogError({ operation, target, reason: "Unavailable", retryable: true, detail: "no connection to NATS" })

const authenticators = (options: LinkOptions): { readonly authenticator?: Array<Authenticator> } => {
  const { credentials, token, user } = options
  const chosen: Array<Authenticator> = []
  if (credentials !== undefined) chosen.push(credsAuthenticator(() => new TextEncoder().encode(Redacted.value(credentials()))))
  if (token !== undefined) chosen.push(tokenAuthenticator(() => Redacted.value(token)))
  if (user !== undefined) chosen.push(usernamePasswordAuthenticator(user.name, () => Redacted.value(user.password)))
  return chosen.length === 0 ? {} : { authenticator: chosen }
}
