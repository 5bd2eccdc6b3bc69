/**
 * Answers probes while a process starts: it is alive, but not ready. Migrations and the first connections take minutes
 * on a busy machine, and a process that does not answer would be killed meanwhile. The operators' server takes over the
 * port.
 */
import { createServer, type Server } from "node:http"
import { HealthReport } from "@matchpoint/contracts/http/HealthReport"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"

/** Without a port, operators use the main port of the process. */
export interface OperatorAddress {
  readonly adminHost: string
  readonly adminPort: number | Option.Option<number>
}

const REASON = "the process is starting: it connects to the database and the log, and runs missing migrations"

const encodeReport = Schema.encodeSync(HealthReport)

export class StartListener extends Context.Service<StartListener, { readonly handOver: Effect.Effect<void> }>()(
  "@matchpoint/process/StartListener",
) {
  /** Listens until `handOver`. Does nothing without a port, or if the port is taken. */
  static readonly layer = ({ adminHost: host, adminPort }: OperatorAddress) => {
    const port = typeof adminPort === "number" ? adminPort : Option.getOrUndefined(adminPort)
    const acquired = port === undefined ? Effect.undefined : Effect.acquireRelease(listen(host, port), close)
    return Layer.effect(
      StartListener,
      Effect.map(acquired, (server) => StartListener.of({ handOver: server === undefined ? Effect.void : close(server) })),
    )
  }
}

const listen = (host: string, port: number) =>
  Effect.callback<Server>((resume) => {
    const server = createServer((request, response) => {
      const [status, body] = answerTo(request.url)
      response.writeHead(status, { "content-type": "application/json", connection: "close" }).end(JSON.stringify(body))
    })
    server.once("listening", () => resume(Effect.succeed(server)))
    // The operators' server explains why it cannot listen.
    server.once("error", (error) => resume(Effect.as(Effect.logDebug("probes get no answer during the start", error), server)))
    server.listen(port, host)
  })

const answerTo = (path: string | undefined): readonly [status: number, body: unknown] => {
  if (path === "/health/live") return [200, { status: "ok" }]
  if (path === "/health/ready") return [503, { status: "failed", reasons: [`start: ${REASON}`] }]
  const checkedAt = DateTime.formatIso(DateTime.nowUnsafe())
  return [503, encodeReport({ status: "failed", checkedAt, components: [{ name: "start", status: "failed", reason: REASON }] })]
}

const close = (server: Server) =>
  Effect.callback<void>((resume) => {
    if (!server.listening) return resume(Effect.void)
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })
