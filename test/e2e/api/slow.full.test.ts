/**
 * Tests clients that send too little, too slowly or too much: each gets a response or is closed within a time limit, so
 * that none holds a connection idle.
 */
import { connect } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { bareGateway, GOOD_KEY, origin } from "../../fixtures/bareGateway.ts"

type Speak = (write: (text: string) => void) => (() => void) | undefined

/** Connects, lets `speak` write, and reads until the server closes the connection, for at most `forMs`. */
const talk = (port: number, forMs: number, speak: Speak) =>
  Effect.suspend(() => {
    const received = { text: "", closed: false }
    const closed = Effect.callback<void>((resume) => {
      const socket = connect(port, "127.0.0.1")
      let stop: (() => void) | undefined
      socket.on("data", (chunk) => {
        received.text += chunk.toString("latin1")
      })
      // Writing to a connection that the server has reset fails.
      socket.on("error", () => {})
      socket.on("close", () => {
        stop?.()
        received.closed = true
        resume(Effect.void)
      })
      socket.on("connect", () => {
        stop = speak((piece) => {
          if (!socket.destroyed) socket.write(piece)
        })
      })
      return Effect.sync(() => {
        stop?.()
        socket.destroy()
      })
    })
    return Effect.as(Effect.timeoutOption(closed, forMs), received)
  })

const drip = (text: string, everyMs: number) => (write: (text: string) => void) => {
  let at = 0
  const timer = setInterval(() => {
    write(text.charAt(at % text.length))
    at += 1
  }, everyMs)
  return () => clearInterval(timer)
}

const once = (text: string) => (write: (text: string) => void) => {
  write(text)
  return undefined
}

const head = (method: string, path: string, ...lines: ReadonlyArray<string>) =>
  `${[`${method} ${path} HTTP/1.1`, "host: x", `x-api-key: ${GOOD_KEY}`, ...lines].join("\r\n")}\r\n\r\n`

const PAGES = 40
const NOT_READING = "15 seconds"

/** Upper limit for the close, in milliseconds. The server allows 10 seconds; a busy test machine needs more. */
const BOUND_MS = 30_000

const list = head("GET", "/api/v1/cs2/live")
const rpc = (...lines: ReadonlyArray<string>) => head("POST", "/rpc", "content-type: application/json", ...lines)
const beginning = "GET /api/v1/cs2/live HTTP/1.1\r\nhost: x\r\nx-a: "
const after = (text: string, go: Speak) => (write: (text: string) => void) => {
  write(text)
  return go(write)
}

it.live(
  "closes connections that send nothing, or send too slowly",
  () =>
    Effect.gen(function* () {
      const port = Number(new URL(yield* origin).port)
      const cases = {
        "no data": () => undefined,
        "half of a head": once(beginning),
        "a head byte by byte": after(beginning, drip("a", 500)),
        "a head in lines": after(beginning, drip("a\r\nb:", 900)),
        "no body": once(rpc("content-length: 1000")),
        "a body byte by byte": after(rpc("content-length: 1000"), drip(" ", 500)),
        "a body in chunks of a byte": after(rpc("transfer-encoding: chunked"), (write) => {
          const timer = setInterval(() => write("1\r\n \r\n"), 500)
          return () => clearInterval(timer)
        }),
        "one request, then nothing": once(list),
      }
      yield* Effect.forEach(
        Object.entries(cases),
        ([name, speak]) => Effect.map(talk(port, BOUND_MS, speak), ({ closed }) => assert.isTrue(closed, name)),
        { concurrency: "unbounded" },
      )
    }).pipe(Effect.provide(bareGateway())),
  60_000,
)

it.live(
  "closes a connection whose client does not read the responses",
  () =>
    Effect.gen(function* () {
      const port = Number(new URL(yield* origin).port)
      const socket = connect(port, "127.0.0.1")
      const closed = Effect.callback<void>((resume) => {
        socket.on("close", () => resume(Effect.void))
      })
      socket.on("error", () => {})
      socket.pause()
      // Megabytes in total, far more than the kernel's buffers hold for one client.
      for (let n = 0; n < PAGES; n++) socket.write(head("GET", "/docs"))
      yield* Effect.sleep(NOT_READING)
      let bytes = 0
      socket.on("data", (chunk) => {
        bytes += chunk.length
      })
      socket.resume()
      yield* closed
      assert.isBelow(bytes, (PAGES / 2) * 1024 * 1024, "the remaining responses were sent nonetheless")
    }).pipe(Effect.provide(bareGateway())),
  60_000,
)

it.live(
  "rejects oversized requests and input that is not HTTP",
  () =>
    Effect.gen(function* () {
      const port = Number(new URL(yield* origin).port)
      const cases: ReadonlyArray<readonly [string, string, RegExp]> = [
        ["a header of 5 KB", head("GET", "/api/v1/cs2/live", `x-a: ${"a".repeat(5_000)}`), / 431 /],
        ["200 headers", head("GET", "/api/v1/cs2/live", ...Array.from({ length: 200 }, (_, n) => `x-${n}: a`)), / 431 /],
        ["an address of 50 KB", head("GET", `/${"a".repeat(50_000)}`), / 431 /],
        ["a body of 11 MB", rpc("content-length: 11534336"), / 413 /],
        ["a body without end", rpc("content-length: 99999999999"), / 413 /],
        ["two body lengths", head("POST", "/nothing", "content-length: 3", "transfer-encoding: chunked"), / 400 /],
        ["an invalid chunk size", `${rpc("transfer-encoding: chunked")}zz\r\n`, / 400 /],
        ["no HTTP", "\u0000\u0001\u0002\r\n\r\n", / 505 /],
      ]
      for (const [name, text, status] of cases) {
        const answer = yield* talk(port, 2_000, once(text))
        assert.match(answer.text.split("\r\n", 1)[0] ?? "", status, name)
        assert.notMatch(answer.text, /\.ts|at .+:\d+/, name)
      }
      const large = yield* talk(port, 2_000, once(head("GET", "/api/v1/cs2/live", `x-a: ${"a".repeat(3_000)}`)))
      assert.match(large.text, /^HTTP\/1.1 200 /, "a header of 3 KB is accepted")
    }).pipe(Effect.provide(bareGateway())),
  60_000,
)
