/**
 * Tests that keys and tokens appear in no log, span or response, wherever a client puts them and however its request
 * fails.
 */
import { inspect } from "node:util"
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Logger, References, Tracer } from "effect"
import { bareGateway, GOOD_KEY, origin } from "../../fixtures/bareGateway.ts"
import { ask } from "../../fixtures/twoGateways.ts"

const SECRET = "mp_live_ThisIsTheSecret0123456789"

class LogCapture {
  readonly lines: Array<string> = []
  readonly spans: Array<Tracer.Span> = []

  readonly loggers = Logger.layer(
    [
      Logger.formatSimple,
      Logger.formatLogFmt,
      Logger.formatJson,
      Logger.map(Logger.formatStructured, (entry) => inspect(entry, { depth: 12 })),
    ].map((logger) => Logger.map(logger, (line) => void this.lines.push(line))),
  )

  readonly tracer = Layer.succeed(
    Tracer.Tracer,
    Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        this.spans.push(span)
        return span
      },
    }),
  )

  /** Span data as exporters write it: names, attributes, events, and messages and stacks of errors. */
  spanTexts(): ReadonlyArray<string> {
    return this.spans.map((span) => {
      const { status } = span
      const failure = status._tag === "Ended" && Exit.isFailure(status.exit) ? Cause.pretty(status.exit.cause) : ""
      const events = span instanceof Tracer.NativeSpan ? span.events : []
      return inspect([span.name, [...span.attributes], events, failure], { depth: 8 })
    })
  }
}

it.live(
  "writes no secret to logs or spans",
  () => {
    const capture = new LogCapture()
    const broken = () => Effect.die(new Error("the keys are broken"))
    return Effect.gen(function* () {
      const here = yield* origin
      const query = `apiKey=${SECRET}&token=${SECRET}&%61pi%4bey=${SECRET}&key=${SECRET}`
      const paths = [
        "/api/v1/cs2/live",
        "/api/v1/cs2/live/cs2-match-1/state",
        "/api/v1/cs2/live/nonsense/state",
        "/api/v1/cs2/live/stream",
        "/api/v1/cs2/live/ws",
        "/api/v1/usage",
        "/api/v1/cs2/live/cs2-match-1/replay",
        "/rpc",
        "/nowhere",
        "/docs/nowhere",
        "/admin/v1/accounts",
        "/feed/v1/matches",
      ]
      const headers: ReadonlyArray<Record<string, string>> = [
        { "x-api-key": SECRET },
        { authorization: `Bearer ${SECRET}` },
        { authorization: `Basic ${SECRET}` },
        { "x-admin-token": SECRET, "x-feed-token": SECRET, cookie: `key=${SECRET}` },
        { "x-api-key": GOOD_KEY, authorization: `Bearer ${SECRET}`, "x-secret": SECRET },
        { "x-api-key": SECRET, accept: "application/problem+json" },
      ]
      const statuses = new Set<number>()
      for (const path of paths) {
        for (const sent of headers) {
          for (const method of ["GET", "POST", "DELETE", "PROPFIND"]) {
            // This stream would open and never end.
            if (method === "GET" && path.endsWith("/stream") && sent["x-api-key"] === GOOD_KEY) continue
            const body = method === "POST" ? { body: `{"token":"${SECRET}"` } : {}
            const answer = yield* ask(`${here}${path}?${query}`, sent, { method, ...body })
            statuses.add(answer.status)
            assert.notInclude(answer.text, SECRET)
            for (const [name, value] of answer.headers) assert.notInclude(value, SECRET, name)
          }
        }
      }
      for (const path of ["/api/v1/cs2/live/ws", "/rpc/ws"]) {
        yield* Effect.callback<void>((resume) => {
          const socket = new WebSocket(`${here.replace("http", "ws")}${path}?${query}`)
          socket.onerror = () => resume(Effect.void)
        })
      }
      assert.includeMembers([...statuses], [200, 400, 401, 404, 405, 500])
      assert.isAbove(capture.spans.length, 200)
      assert.isTrue(
        capture.lines.some((line) => line.includes("the keys are broken")),
        "defects are logged",
      )
      for (const line of capture.lines) assert.notInclude(line, SECRET)
      for (const text of capture.spanTexts()) assert.notInclude(text, SECRET)
      assert.isTrue(
        capture.spanTexts().some((text) => text.includes("REDACTED")),
        "spans show URLs without secrets",
      )
    }).pipe(
      Effect.provide(
        bareGateway(broken).pipe(Layer.provide([capture.loggers, capture.tracer, Layer.succeed(References.MinimumLogLevel, "Trace")])),
      ),
    )
  },
  60_000,
)
