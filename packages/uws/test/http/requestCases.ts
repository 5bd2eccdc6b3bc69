// Part of the behaviour suite: requests as handlers see them.
import { assert, it } from "@effect/vitest"
import { ByteSize, Effect, Layer, Option, Schema, Stream } from "effect"
import { HttpClientRequest, HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse, UrlParams } from "effect/http"
import { RawClient } from "../RawClient.ts"
import { type Driver, servingOne } from "./driver.ts"

const { HttpServerRequest: CurrentRequest } = HttpServerRequest

/** Answers with the result of `look` on the request. */
const showing = <E>(driver: Driver, look: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<unknown, E>) =>
  servingOne(
    driver,
    Effect.gen(function* () {
      const request = yield* CurrentRequest
      return HttpServerResponse.jsonUnsafe(yield* look(request))
    }),
  )

export const requestCases = (driver: Driver): void => {
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const) {
    it.effect(`serves ${method}`, () =>
      Effect.gen(function* () {
        const { client } = yield* showing(driver, (request) => Effect.succeed(request.method))
        const response = yield* client.execute(HttpClientRequest.make(method)("/any"))
        assert.strictEqual(yield* response.json, method)
      }),
    )
  }

  it.effect("serves arbitrary methods", () =>
    Effect.gen(function* () {
      const { port } = yield* showing(driver, (request) => Effect.succeed(request.method))
      const raw = yield* RawClient.open(port)
      raw.write("PROPFIND /any HTTP/1.1\r\nhost: test\r\n\r\n")
      yield* raw.untilReceived('"PROPFIND"')
    }),
  )

  it.effect("keeps percent-encoding in the url and decodes it in parameters", () =>
    Effect.gen(function* () {
      const handler = Effect.gen(function* () {
        const request = yield* CurrentRequest
        const params = yield* HttpRouter.params
        const query = yield* HttpServerRequest.schemaSearchParams(Schema.Struct({ q: Schema.String }))
        return HttpServerResponse.jsonUnsafe({ url: request.url, name: params.name, q: query.q })
      })
      const { port } = yield* servingOne(driver, handler, "/players/:name")
      const raw = yield* RawClient.open(port)
      raw.get("/players/J%C3%B6rg%20%2F?q=a%26b%20c")
      yield* raw.untilReceived("}")
      assert.deepStrictEqual(JSON.parse(raw.received.slice(raw.received.indexOf("{"))), {
        url: "/players/J%C3%B6rg%20%2F?q=a%26b%20c",
        name: Buffer.from("Jörg /").toString("latin1"),
        q: "a&b c",
      })
    }),
  )

  it.effect("joins repeated headers, keeps the first of singular ones, and reads cookies", () =>
    Effect.gen(function* () {
      const { port } = yield* showing(driver, (request) =>
        Effect.succeed({ many: request.headers["x-many"], agent: request.headers["user-agent"], cookies: request.cookies }),
      )
      const raw = yield* RawClient.open(port)
      raw.get("/", ["X-Many: 1", "x-many: 2", "User-Agent: first", "User-Agent: second", "Cookie: a=1", "Cookie: b=two"])
      yield* raw.untilReceived("}}")
      assert.deepStrictEqual(JSON.parse(raw.received.slice(raw.received.indexOf("{"))), {
        many: "1, 2",
        agent: "first",
        cookies: { a: "1", b: "two" },
      })
    }),
  )

  it.effect("provides the address of the client", () =>
    Effect.gen(function* () {
      const { client } = yield* showing(driver, (request) => Effect.succeed(Option.getOrElse(request.remoteAddress, () => "none")))
      const address = yield* Effect.flatMap(client.get("/"), (response) => response.json)
      assert.match(String(address), /^(::ffff:)?127\.0\.0\.1$/)
    }),
  )

  it.effect("provides a modified request and the original url", () =>
    Effect.gen(function* () {
      const { client, port } = yield* showing(driver, (request) => {
        const modified = request.modify({ url: "/elsewhere", remoteAddress: Option.some("203.0.113.7"), protocol: "https" })
        return Effect.succeed([
          modified.url,
          Option.getOrThrow(modified.remoteAddress),
          modified.protocol,
          modified.originalUrl,
          modified.method,
        ])
      })
      const seen = yield* Effect.flatMap(client.get("/here?x=1"), (response) => response.json)
      assert.deepStrictEqual(seen, ["/elsewhere", "203.0.113.7", "https", `http://127.0.0.1:${port}/here?x=1`, "GET"])
    }),
  )

  it.effect("reads a body as text, JSON, form and bytes, even twice", () =>
    Effect.gen(function* () {
      const { client } = yield* showing(driver, (request) =>
        Effect.gen(function* () {
          const text = yield* request.text
          const bytes = yield* request.arrayBuffer
          const form = UrlParams.toString(yield* request.urlParamsBody)
          const json = text.startsWith("{") ? yield* request.json : undefined
          return { text, length: bytes.byteLength, form, json }
        }),
      )
      const send = (text: string) =>
        Effect.flatMap(client.execute(HttpClientRequest.bodyText(HttpClientRequest.post("/"), text)), (response) => response.json)
      assert.deepStrictEqual(yield* send('{"a":"ö"}'), {
        text: '{"a":"ö"}',
        length: 10,
        form: "%7B%22a%22%3A%22%C3%B6%22%7D=",
        json: { a: "ö" },
      })
      assert.deepStrictEqual(yield* send("a=1&a=2&b=%20"), { text: "a=1&a=2&b=%20", length: 13, form: "a=1&a=2&b=+" })
    }),
  )

  it.effect("reads an empty body as null JSON, and answers 400 to malformed JSON", () =>
    Effect.gen(function* () {
      const { client } = yield* showing(driver, (request) => request.json)
      assert.strictEqual(yield* Effect.flatMap(client.post("/"), (response) => response.json), null)
      const malformed = yield* client.execute(HttpClientRequest.bodyText(HttpClientRequest.post("/"), "{", "application/json"))
      assert.strictEqual(malformed.status, 400)
    }),
  )

  it.effect("reads a body sent in many small pieces", () =>
    Effect.gen(function* () {
      const { port } = yield* showing(driver, (request) => request.text)
      const raw = yield* RawClient.open(port)
      raw.write("POST / HTTP/1.1\r\nhost: test\r\ntransfer-encoding: chunked\r\n\r\n")
      for (const piece of ["one", "two", "three"]) raw.write(`${piece.length}\r\n${piece}\r\n`)
      raw.write("0\r\n\r\n")
      yield* raw.untilReceived('"onetwothree"')
    }),
  )

  it.effect("reads a large body as a whole and as a stream, and sends it back", () =>
    Effect.gen(function* () {
      const { client } = yield* servingOne(
        driver,
        Effect.gen(function* () {
          const request = yield* CurrentRequest
          return request.url === "/stream"
            ? HttpServerResponse.stream(request.stream)
            : HttpServerResponse.uint8Array(new Uint8Array(yield* request.arrayBuffer))
        }),
      )
      const sent = Buffer.alloc(6_000_000, "0123456789abcdefghijklmnopqrstuvwxyz-")
      for (const path of ["/whole", "/stream"]) {
        const response = yield* client.execute(HttpClientRequest.bodyUint8Array(HttpClientRequest.post(path), sent))
        assert.strictEqual(Buffer.compare(Buffer.from(yield* response.arrayBuffer), sent), 0, path)
      }
    }),
  )

  it.effect("answers 413 to bodies over MaxBodySize, announced or chunked, and serves the next request of the connection", () =>
    Effect.gen(function* () {
      const limited = Layer.succeed(HttpIncomingMessage.MaxBodySize)(ByteSize.fromInputUnsafe(1000))
      const { client, port } = yield* showing(driver, (request) => Effect.provide(request.text, limited))
      const send = (length: number) => client.execute(HttpClientRequest.bodyText(HttpClientRequest.post("/"), "x".repeat(length)))
      assert.strictEqual((yield* send(1000)).status, 200)
      assert.strictEqual((yield* send(1001)).status, 413)
      assert.strictEqual((yield* send(100_000)).status, 413)
      const raw = yield* RawClient.open(port)
      raw.write(`POST / HTTP/1.1\r\nhost: test\r\ntransfer-encoding: chunked\r\n\r\n800\r\n${"x".repeat(2048)}\r\n`)
      yield* raw.untilReceived("HTTP/1.1 413")
      const next = yield* RawClient.open(port)
      next.write(`POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 2000\r\n\r\n${"x".repeat(2000)}`)
      yield* next.untilReceived("HTTP/1.1 413")
      next.write("POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 4\r\n\r\nmore")
      yield* next.untilReceived('"more"')
    }),
  )

  it.effect("ignores an unread body and serves the next request of the connection", () =>
    Effect.gen(function* () {
      const { port } = yield* showing(driver, (request) => Effect.succeed(request.url))
      const raw = yield* RawClient.open(port)
      raw.write(`POST /first HTTP/1.1\r\nhost: test\r\ncontent-length: 100000\r\n\r\n${"x".repeat(100_000)}`)
      yield* raw.untilReceived('"/first"')
      raw.get("/second")
      yield* raw.untilReceived('"/second"')
    }),
  )

  it.effect("requests the body of a client that waits for 100 Continue", () =>
    Effect.gen(function* () {
      const { port } = yield* showing(driver, (request) => request.text)
      const raw = yield* RawClient.open(port)
      raw.write("POST / HTTP/1.1\r\nhost: test\r\ncontent-length: 4\r\nexpect: 100-continue\r\n\r\n")
      yield* raw.untilReceived("HTTP/1.1 100 Continue\r\n\r\n")
      raw.write("body")
      yield* raw.untilReceived('"body"')
      assert.include(raw.received, "HTTP/1.1 200 OK")
    }),
  )

  it.effect("parses multipart, persisted and as a stream", () =>
    Effect.gen(function* () {
      const { client } = yield* servingOne(
        driver,
        Effect.gen(function* () {
          const request = yield* CurrentRequest
          if (request.url === "/stream") {
            const parts = yield* Stream.runCollect(
              Stream.mapEffect(request.multipartStream, (part) =>
                part._tag === "Field"
                  ? Effect.succeed(`${part.key}=${part.value}`)
                  : Effect.map(part.contentEffect, (bytes) => `${part.key}:${part.name}:${bytes.length}`),
              ),
            )
            return HttpServerResponse.jsonUnsafe(parts)
          }
          const { title, file } = yield* request.multipart
          const persisted = Array.isArray(file) && typeof file[0] === "object" ? file[0] : undefined
          if (persisted === undefined) return HttpServerResponse.empty({ status: 422 })
          return yield* HttpServerResponse.file(persisted.path, { headers: { "x-title": String(title), "x-name": persisted.name } })
        }),
      )
      const form = () => {
        const data = new FormData()
        data.set("title", "demo")
        data.set("file", new Blob([Buffer.alloc(300_000, "z")]), "round.dem")
        return data
      }
      const persisted = yield* client.execute(HttpClientRequest.bodyFormData(HttpClientRequest.post("/"), form()))
      assert.deepStrictEqual([persisted.headers["x-title"], persisted.headers["x-name"]], ["demo", "round.dem"])
      assert.strictEqual(yield* persisted.text, "z".repeat(300_000))
      const streamed = yield* client.execute(HttpClientRequest.bodyFormData(HttpClientRequest.post("/stream"), form()))
      assert.deepStrictEqual(yield* streamed.json, ["title=demo", "file:round.dem:300000"])
    }),
  )

  it.effect("answers 413 to multipart over MaxBodySize", () =>
    Effect.gen(function* () {
      const limited = Layer.succeed(HttpIncomingMessage.MaxBodySize)(ByteSize.fromInputUnsafe(10_000))
      const { client } = yield* servingOne(
        driver,
        Effect.gen(function* () {
          const request = yield* CurrentRequest
          yield* request.multipart
          return HttpServerResponse.empty()
        }).pipe(Effect.provide(limited)),
      )
      const data = new FormData()
      data.set("file", new Blob([Buffer.alloc(50_000)]), "big")
      const response = yield* client.execute(HttpClientRequest.bodyFormData(HttpClientRequest.post("/"), data))
      assert.strictEqual(response.status, 413)
    }),
  )
}
