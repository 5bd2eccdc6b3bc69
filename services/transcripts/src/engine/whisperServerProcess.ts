/** whisper.cpp's `whisper-server` on a free port of loopback. */
import { randomBytes } from "node:crypto"
import { createServer } from "node:net"
import { Effect, Schedule, Stream } from "effect"
import { HttpClient } from "effect/http"
import type { Sandbox } from "../sandbox/Sandbox.ts"
import { EngineFailed, TranscriptionUnavailable } from "../TranscribeFailure.ts"
import { type EngineOptions, engineLimits } from "./engineLimits.ts"

export interface WhisperServer {
  /** Windows are posted to this URL. Its path is random, so that other users of the machine cannot use the server. */
  readonly url: string
  readonly isRunning: Effect.Effect<boolean>
}

/** Time for loading the weights. */
const START_TIMEOUT = "2 minutes"
const HEALTH_INTERVAL = "100 millis"

/** Waits until the weights are loaded. The process ends when the scope closes. */
export const startWhisperServer = Effect.fn("WhisperServer.start")(function* (sandbox: Sandbox["Service"], options: EngineOptions) {
  const http = yield* HttpClient.HttpClient
  const directory = yield* sandbox.directory
  const port = yield* freePort
  const path = `/${randomBytes(16).toString("hex")}`
  const handle = yield* sandbox
    .start({
      program: "whisper-server",
      args: [
        ...["--host", "127.0.0.1", "--port", String(port), "--request-path", path, "--inference-path", "/inference"],
        ...["--model", options.weights, "--threads", String(options.threads), "--no-fallback"],
      ],
      directory,
      limits: yield* engineLimits(options),
    })
    .pipe(Effect.mapError(({ message }) => new TranscriptionUnavailable({ detail: message })))
  // The server prints every window. The output is not needed, but a full pipe would stop the server.
  yield* Effect.forkScoped(Effect.ignore(Stream.runDrain(handle.all)))

  const url = `http://127.0.0.1:${port}${path}`
  const ended = handle.exitCode.pipe(
    Effect.matchEffect({
      onFailure: ({ message }) => Effect.fail(new EngineFailed({ detail: message })),
      onSuccess: (code) => Effect.fail(new EngineFailed({ detail: `whisper-server ended with ${code} while it started.` })),
    }),
  )
  yield* http.get(`${url}/health`).pipe(
    Effect.match({ onFailure: () => false, onSuccess: ({ status }) => status === 200 }),
    Effect.repeat({ until: (isReady) => isReady, schedule: Schedule.spaced(HEALTH_INTERVAL) }),
    Effect.raceFirst(ended),
    Effect.timeoutOrElse({
      duration: START_TIMEOUT,
      orElse: () => Effect.fail(new EngineFailed({ detail: "whisper-server was not ready in time." })),
    }),
  )
  return {
    url: `${url}/inference`,
    isRunning: Effect.orElseSucceed(handle.isRunning, () => false),
  } satisfies WhisperServer
})

/** If another process takes the port before the server does, the server ends, and a restart uses another. */
const freePort = Effect.callback<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const address = server.address()
    server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : 0)))
  })
})
