// The native library prints warnings on stderr, which JavaScript cannot capture. So the server is a process of its own.

import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { WebSocket } from "ws"
import { awhile } from "./eventually.ts"
import { RawClient } from "./RawClient.ts"

/** Starts the server process. `stderr` returns what it has printed so far. */
const startServer = Effect.acquireRelease(
  Effect.callback<{ readonly port: number; readonly stderr: () => string; readonly stop: () => void }>((resume) => {
    const child = spawn(process.execPath, [fileURLToPath(new URL("quietServer.ts", import.meta.url))])
    let printed = ""
    child.stderr.on("data", (bytes: Buffer) => {
      printed += bytes.toString()
    })
    child.stdout.once("data", (bytes: Buffer) =>
      resume(Effect.succeed({ port: Number(bytes.toString()), stderr: () => printed, stop: () => child.kill("SIGKILL") })),
    )
  }),
  ({ stop }) => Effect.sync(stop),
)

/** Connects, and waits for the first message or the refusal. */
const helloOf = (url: string) =>
  Effect.callback<string>((resume) => {
    const socket = new WebSocket(url)
    const done = (outcome: string) => {
      socket.terminate()
      resume(Effect.succeed(outcome))
    }
    socket.on("message", (data) => done(String(data)))
    socket.on("unexpected-response", (_request, response) => done(String(response.statusCode)))
    socket.on("error", () => {})
  })

it.live("prints nothing in normal operation: REST, streams, sockets, aborted bodies, early errors", () =>
  Effect.gen(function* () {
    const { port, stderr } = yield* startServer
    const url = `http://127.0.0.1:${port}`
    const statusOf = (path: string, init?: RequestInit) =>
      Effect.promise(async () => {
        const response = await fetch(`${url}${path}`, init)
        await response.arrayBuffer().catch(() => {})
        return response.status
      })
    for (const path of ["/now", "/late", "/large", "/stream", "/missing"]) yield* statusOf(path)
    assert.strictEqual(yield* statusOf("/fails"), 500)
    assert.strictEqual(yield* statusOf("/body", { method: "POST", body: "x".repeat(200_000) }), 200)
    assert.strictEqual(yield* statusOf("/early", { method: "POST", body: "x".repeat(200_000) }), 401)
    for (const path of ["/ws", "/socket"]) {
      for (let n = 0; n < 5; n++) assert.strictEqual(yield* helloOf(`ws://127.0.0.1:${port}${path}`), "hello")
    }
    assert.strictEqual(yield* helloOf(`ws://127.0.0.1:${port}/ws?refused=1`), "401")

    const stream = yield* RawClient.open(port)
    stream.get("/sse")
    yield* stream.untilReceived("data: 1")
    stream.leave()
    const aborted = yield* RawClient.open(port)
    aborted.write("POST /body HTTP/1.1\r\nhost: test\r\ncontent-length: 1000\r\n\r\nhalf")
    const refused = yield* RawClient.open(port)
    refused.write(`POST /body HTTP/1.1\r\nhost: test\r\ntransfer-encoding: chunked\r\n\r\n${"1\r\nx\r\n".repeat(3_000)}`)
    yield* refused.untilReceived("HTTP/1.1 4")
    const endless = yield* RawClient.open(port)
    endless.write("POST /early HTTP/1.1\r\nhost: test\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n")
    yield* endless.untilReceived("HTTP/1.1 401")
    yield* awhile(50)
    aborted.leave()
    const early = yield* RawClient.open(port)
    early.get("/late")
    early.leave()
    yield* awhile(100)
    assert.strictEqual(yield* statusOf("/now"), 200)
    assert.notInclude(stderr(), "uWS")
  }),
)
