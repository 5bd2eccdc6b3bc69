import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { countBodyFor } from "../../src/http/UwsServerRequest.ts"
import { UwsHttpServer, type UwsHttpServerOptions } from "../../src/UwsHttpServer.ts"
import { awhile, eventually } from "../eventually.ts"
import { RawClient } from "../RawClient.ts"
import { type Driver, servingOne } from "./driver.ts"

const driver = (options: UwsHttpServerOptions = {}): Driver => ({ name: "uws", layer: UwsHttpServer.layerTest(options) })

const { HttpServerRequest: CurrentRequest } = HttpServerRequest

const readText = Effect.gen(function* () {
  const request = yield* CurrentRequest
  return HttpServerResponse.text(yield* request.text)
})

const chunkedHead = "POST / HTTP/1.1\r\nhost: test\r\ntransfer-encoding: chunked\r\n\r\n"
const tinyChunks = (count: number) => "1\r\nx\r\n".repeat(count)

/** Starts a body of 1 MB and sends a part of it. */
const unfinished = Effect.fnUntraced(function* (port: number, bytes: number) {
  const raw = yield* RawClient.open(port)
  raw.write("POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 1000000\r\n\r\n")
  raw.write(Buffer.alloc(bytes, "x"))
  return raw
})

/** Sends further chunks, and verifies that the server stops reading them. */
const assertUnread = Effect.fnUntraced(function* (raw: RawClient) {
  raw.write(Buffer.alloc(30_000_000, tinyChunks(1)))
  yield* awhile(300)
  const unsent = raw.unsentBytes
  assert.isAbove(unsent, 10_000_000)
  yield* awhile(500)
  assert.strictEqual(raw.unsentBytes, unsent)
})

describe("bounds of request bodies", () => {
  it.effect("closes the connection of a body in hundreds of thousands of tiny chunks", () =>
    Effect.gen(function* () {
      let lengthRead = 0
      const { port } = yield* servingOne(
        driver(),
        Effect.tap(readText, () => Effect.sync(() => (lengthRead += 1))),
      )
      const raw = yield* RawClient.open(port)
      raw.write(chunkedHead)
      raw.write(`${tinyChunks(250_000)}0\r\n\r\n`)
      yield* raw.untilClosed
      assert.strictEqual(lengthRead, 0)
    }),
  )

  it.effect("answers 400 if chunks are too small, and reads no more of the connection", () =>
    Effect.gen(function* () {
      const { port } = yield* servingOne(driver(), readText)
      const raw = yield* RawClient.open(port)
      raw.write(chunkedHead)
      raw.write(tinyChunks(3_000))
      yield* raw.untilReceived("HTTP/1.1 400")
      assert.match(raw.received, /connection: close\r\n/i)
      yield* assertUnread(raw)
    }),
  )

  it.effect("reads a body in chunks of a usual size", () =>
    Effect.gen(function* () {
      const { port } = yield* servingOne(
        driver(),
        Effect.map(readText, (response) => HttpServerResponse.setStatus(response, 202)),
      )
      const raw = yield* RawClient.open(port)
      raw.write(chunkedHead)
      raw.write(`${`64\r\n${"x".repeat(100)}\r\n`.repeat(5_000)}0\r\n\r\n`)
      yield* raw.until(({ receivedBytes }) => receivedBytes > 500_000)
      assert.include(raw.received, "HTTP/1.1 202")
    }),
  )

  it.effect("reads no more of a chunked body after an early response", () =>
    Effect.gen(function* () {
      const { port } = yield* servingOne(driver(), Effect.succeed(HttpServerResponse.text("no", { status: 401 })))
      const raw = yield* RawClient.open(port)
      raw.write(chunkedHead)
      raw.write(tinyChunks(100))
      yield* raw.untilReceived("HTTP/1.1 401")
      yield* assertUnread(raw)
    }),
  )

  it.effect("bounds the unfinished bodies of an address, and counts them no more when their clients have left", () =>
    Effect.gen(function* () {
      const { port } = yield* servingOne(driver({ bodies: { maxBytesPerAddress: 2_500_000 } }), readText)
      const first = yield* unfinished(port, 900_000)
      const second = yield* unfinished(port, 900_000)
      yield* eventually("both to be sent", () => first.unsentBytes + second.unsentBytes === 0)
      yield* awhile(100)
      const third = yield* unfinished(port, 900_000)
      yield* third.untilReceived("HTTP/1.1 400")
      assert.match(third.received, /connection: close\r\n/i)
      first.leave()
      yield* awhile(100)
      const fourth = yield* unfinished(port, 1_000_000)
      yield* fourth.untilReceived("HTTP/1.1 200")
    }),
  )

  it.effect("bounds the bodies of all addresses together", () =>
    Effect.gen(function* () {
      let address = 0
      const bodies = { maxBytes: 1_500_000, clientOf: () => `client ${address++}` }
      const { port } = yield* servingOne(driver({ bodies }), readText)
      const first = yield* unfinished(port, 900_000)
      yield* eventually("it to be sent", () => first.unsentBytes === 0)
      yield* awhile(100)
      const second = yield* unfinished(port, 900_000)
      yield* second.untilReceived("HTTP/1.1 400")
    }),
  )

  it.effect("bounds the bodies of a key until they are answered", () =>
    Effect.gen(function* () {
      const { port } = yield* servingOne(
        driver({ bodies: { maxBytesPerKey: 1_500_000 } }),
        Effect.tap(CurrentRequest, (request) => Effect.sync(() => countBodyFor(request, request.headers["x-api-key"] ?? ""))).pipe(
          Effect.andThen(readText),
        ),
      )
      const send = Effect.fnUntraced(function* (key: string, bytes: number) {
        const raw = yield* RawClient.open(port)
        raw.write(`POST / HTTP/1.1\r\nhost: test\r\nx-api-key: ${key}\r\ncontent-length: 1000000\r\n\r\n`)
        raw.write(Buffer.alloc(bytes, "x"))
        yield* eventually("it to be sent", () => raw.unsentBytes === 0)
        yield* awhile(100)
        return raw
      })
      const first = yield* send("one", 900_000)
      yield* Effect.flatMap(send("one", 900_000), (raw) => raw.untilReceived("HTTP/1.1 400"))
      yield* Effect.flatMap(send("two", 1_000_000), (raw) => raw.untilReceived("HTTP/1.1 200"))
      first.write(Buffer.alloc(100_000, "x"))
      yield* first.untilReceived("HTTP/1.1 200")
      yield* Effect.flatMap(send("one", 1_000_000), (raw) => raw.untilReceived("HTTP/1.1 200"))
    }),
  )
})
