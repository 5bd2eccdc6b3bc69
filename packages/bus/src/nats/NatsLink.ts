/**
 * One connection to NATS with JetStream: connects, reconnects for ever with growing pauses, and tells who asks when it drops.
 * Knows nothing of logs; EventLogNats and its consumers share it.
 */
import { type JetStreamClient, type JetStreamManager, jetstream, jetstreamManager } from "@nats-io/jetstream"
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  type NatsConnection,
  type Status,
  type TlsOptions,
  tokenAuthenticator,
  usernamePasswordAuthenticator,
} from "@nats-io/transport-node"
import { Effect, Latch, Redacted, type Scope, Stream } from "effect"
import { LogError } from "../EventLog.ts"
import { natsError } from "./natsError.ts"

export interface LinkOptions {
  /** `nats://host:port`, one or several of a cluster. */
  readonly servers: string | ReadonlyArray<string>
  /** The content of a `.creds` file. */
  readonly credentials?: Redacted.Redacted<string>
  readonly token?: Redacted.Redacted<string>
  readonly user?: { readonly name: string; readonly password: Redacted.Redacted<string> }
  readonly tls?: TlsOptions
  /** Milliseconds for the first connection, and for each later attempt. Default 5000. */
  readonly connectTimeout?: number
  /** Milliseconds for one request to the server. Default 5000. */
  readonly requestTimeout?: number
}

export interface NatsLink {
  readonly connection: NatsConnection
  readonly client: JetStreamClient
  readonly manager: JetStreamManager
  /** Open while connected. */
  readonly up: Latch.Latch
  /** Called at each disconnect until removed. */
  readonly dropListeners: Set<() => void>
  /**
   * One request to the server, which has its own timeout, with its failure told as a LogError. It is not made while disconnected
   * (the client would keep the bytes of every attempt until it is connected again): it waits for that, as long as a request may take.
   * When the connection drops its answer is lost, so it fails at once instead of sitting out the timeout.
   */
  readonly ask: <A>(operation: LogError["operation"], target: string, request: () => Promise<A>) => Effect.Effect<A, LogError>
}

const shortestPause = 100
const longestPause = 2_000

export const open = (options: LinkOptions): Effect.Effect<NatsLink, LogError, Scope.Scope> =>
  Effect.gen(function* () {
    const servers = typeof options.servers === "string" ? [options.servers] : [...options.servers]
    // Errors and logs name the servers, never a password that came with an address.
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
            // Two unanswered pings: a peer that vanished without a word is noticed within 30 seconds.
            pingInterval: 10_000,
            maxPingOut: 2,
            maxReconnectAttempts: -1,
            // Credentials may be rotated on the server first: a refusal is a reason to wait, not to give up.
            ignoreAuthErrorAbort: true,
            // Asked several times per attempt, so the pause grows where attempts are reported.
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
    const onStatus = (status: Status) => {
      switch (status.type) {
        case "disconnect":
          up.closeUnsafe()
          for (const listener of [...dropListeners]) listener()
          return Effect.logWarning(`NATS connection to ${status.server} dropped`)
        case "reconnecting":
          // Jittered: a hundred processes must not knock in step.
          pause = Math.min(longestPause, pause * (1.5 + Math.random()))
          return Effect.void
        case "reconnect":
          up.openUnsafe()
          pause = shortestPause
          return Effect.logInfo(`NATS connected again, to ${status.server}`)
        case "error":
          return Effect.logWarning("NATS reported an error", status.error)
        default:
          return Effect.void
      }
    }
    yield* Stream.fromAsyncIterable(connection.status(), natsError("open", target)).pipe(
      Stream.runForEach(onStatus),
      Effect.catch((error) => Effect.logWarning("NATS status is no longer followed", error)),
      Effect.forkScoped,
    )

    const timeout = options.requestTimeout ?? 5_000
    const client = jetstream(connection, { timeout })
    const manager = yield* Effect.tryPromise({
      try: () => jetstreamManager(connection, { timeout }),
      catch: natsError("open", target),
    })
    return {
      connection,
      client,
      manager,
      up,
      dropListeners,
      ask: (operation, subject, request) => {
        const asked = untilDrop(dropListeners, request, operation, subject)
        if (up.isOpen()) return asked
        const notConnected = () => Effect.fail(disconnected(operation, subject))
        return up.await.pipe(Effect.timeoutOrElse({ duration: timeout, orElse: notConnected }), Effect.andThen(asked))
      },
    }
  })

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

/** The client makes two errors for each request in case it fails. Their stacks would be a seventh of an append's cost; ours say what failed. */
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
  if (credentials !== undefined) chosen.push(credsAuthenticator(() => new TextEncoder().encode(Redacted.value(credentials))))
  if (token !== undefined) chosen.push(tokenAuthenticator(() => Redacted.value(token)))
  if (user !== undefined) chosen.push(usernamePasswordAuthenticator(user.name, () => Redacted.value(user.password)))
  return chosen.length === 0 ? {} : { authenticator: chosen }
}
