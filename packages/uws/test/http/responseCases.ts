// Part of the behaviour suite: responses as clients see them.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { setTimeout } from "node:timers/promises"
import { assert, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { Cookies, Headers, HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import { SharedHeaders, withHeaders } from "../../src/http/SharedHeaders.ts"
import { RawClient } from "../RawClient.ts"
import { type Driver, servingOne } from "./driver.ts"

const byUrl = (driver: Driver, responses: Record<string, HttpServerResponse.HttpServerResponse>) =>
  servingOne(
    driver,
    Effect.map(
      HttpServerRequest.HttpServerRequest,
      (request) => responses[request.url.split("?")[0] ?? ""] ?? HttpServerResponse.empty({ status: 404 }),
    ),
  )

const encoder = new TextEncoder()

/** Returns the text after other requests have been answered. */
const later = (text: string) => Effect.promise(() => setTimeout(5, text))

export const responseCases = (driver: Driver): void => {
  it.effect("sends every kind of body", () =>
    Effect.gen(function* () {
      const form = new FormData()
      form.set("field", "value")
      const { client } = yield* byUrl(driver, {
        "/text": HttpServerResponse.text("täxt"),
        "/json": HttpServerResponse.jsonUnsafe({ a: ["ö"] }),
        "/bytes": HttpServerResponse.uint8Array(new Uint8Array([0, 255, 10, 13]).subarray(1)),
        "/large": HttpServerResponse.uint8Array(Buffer.alloc(3_000_000, "y")),
        "/raw": HttpServerResponse.raw("raw text", { contentType: "text/plain" }),
        "/readable": HttpServerResponse.raw(Readable.from([Buffer.from("read"), Buffer.from("able")])),
        "/stream": HttpServerResponse.stream(Stream.make(encoder.encode("a"), encoder.encode("b"), new Uint8Array(0), encoder.encode("c"))),
        "/sized": HttpServerResponse.stream(Stream.make(encoder.encode("12"), encoder.encode("345")), { contentLength: 5 }),
        "/nothing": HttpServerResponse.stream(Stream.empty),
        "/form": HttpServerResponse.formData(form),
        "/empty": HttpServerResponse.empty({ status: 200 }),
      })
      const text = (path: string) => Effect.flatMap(client.get(path), (response) => response.text)
      assert.strictEqual(yield* text("/text"), "täxt")
      assert.strictEqual(yield* text("/json"), '{"a":["ö"]}')
      const bytes = yield* client.get("/bytes")
      assert.deepStrictEqual([...new Uint8Array(yield* bytes.arrayBuffer)], [255, 10, 13])
      assert.strictEqual((yield* text("/large")).length, 3_000_000)
      assert.strictEqual(yield* text("/raw"), "raw text")
      assert.strictEqual(yield* text("/readable"), "readable")
      assert.strictEqual(yield* text("/stream"), "abc")
      const sized = yield* client.get("/sized")
      assert.deepStrictEqual([sized.headers["content-length"], yield* sized.text], ["5", "12345"])
      assert.strictEqual(yield* text("/nothing"), "")
      const sent = yield* client.get("/form")
      assert.match(sent.headers["content-type"] ?? "", /^multipart\/form-data; boundary=/)
      assert.include(yield* sent.text, "value")
      const empty = yield* client.get("/empty")
      assert.deepStrictEqual([empty.status, yield* empty.text], [200, ""])
    }),
  )

  it.effect("streams files from disk, as a whole and in part", () =>
    Effect.gen(function* () {
      const directory = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "matchpoint-uws-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true })),
      )
      const path = join(directory, "demo.txt")
      writeFileSync(path, Buffer.alloc(2_000_000, "0123456789"))
      const { client } = yield* servingOne(
        driver,
        Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
          HttpServerResponse.file(path, request.url === "/part" ? { offset: 15, bytesToRead: 10 } : {}),
        ),
      )
      const whole = yield* client.get("/whole")
      assert.deepStrictEqual([whole.headers["content-length"], whole.headers["content-type"]], ["2000000", "text/plain"])
      assert.isString(whole.headers.etag)
      assert.strictEqual((yield* whole.text).length, 2_000_000)
      assert.strictEqual(yield* Effect.flatMap(client.get("/part"), (response) => response.text), "5678901234")
    }),
  )

  it.effect("sends the status line, repeated cookies and headers unchanged", () =>
    Effect.gen(function* () {
      const cookies = Cookies.fromIterable([
        Cookies.makeCookieUnsafe("a", "1", { path: "/" }),
        Cookies.makeCookieUnsafe("b", "2", { httpOnly: true }),
      ])
      const { port } = yield* byUrl(driver, {
        "/": HttpServerResponse.uint8Array(encoder.encode("hi"), {
          status: 418,
          statusText: "Short And Stout",
          headers: { "x-one": "1", "x-latin": "h\xe9" },
          cookies,
        }),
      })
      const raw = yield* RawClient.open(port)
      raw.get("/")
      yield* raw.untilReceived("\r\n\r\nhi")
      const lines = raw.received.split("\r\n").map((line) => line.toLowerCase())
      assert.strictEqual(lines[0], "http/1.1 418 short and stout")
      assert.includeMembers(lines, [
        "set-cookie: a=1; path=/",
        "set-cookie: b=2; httponly",
        "x-one: 1",
        "x-latin: h\xe9",
        "content-length: 2",
      ])
    }),
  )

  it.effect("sends shared headers together with those of each response", () =>
    Effect.gen(function* () {
      const bytes = encoder.encode("hi")
      const shared = new SharedHeaders({ etag: '"1"', "x-place": "h\xe9", "x-one": "everybody's", "content-length": "2" })
      const { port, client } = yield* byUrl(driver, {
        "/1": withHeaders(HttpServerResponse.uint8Array(bytes), shared, { "x-one": "1", "x-left": "r=7" }),
        "/2": withHeaders(HttpServerResponse.uint8Array(bytes), shared, { "x-two": "2" }),
        "/304": withHeaders(HttpServerResponse.empty({ status: 304 }), shared, { "x-two": "2" }),
        "/set": HttpServerResponse.setHeader(withHeaders(HttpServerResponse.text("hi"), shared, { "x-two": "2" }), "x-two", "3"),
        "/cookie": HttpServerResponse.setCookieUnsafe(withHeaders(HttpServerResponse.text("hi"), shared, { "x-two": "2" }), "a", "1"),
        "/stream": withHeaders(HttpServerResponse.stream(Stream.make(bytes)), shared, { "x-two": "2" }),
      })
      const raw = yield* RawClient.open(port)
      for (const path of ["/1", "/2", "/1"]) {
        const before = raw.received.length
        raw.get(path)
        yield* raw.until(({ received }) => received.indexOf("hi", before) !== -1)
        const lines = raw.received.slice(before).toLowerCase().split("\r\n")
        assert.includeMembers(lines, ['etag: "1"', "x-place: h\xe9"])
        assert.deepStrictEqual(
          lines.filter((line) => /^x-(one|two|left)/.test(line)).sort(),
          path === "/1" ? ["x-left: r=7", "x-one: 1"] : ["x-one: everybody's", "x-two: 2"],
        )
      }
      for (const path of ["/304", "/cookie", "/stream"])
        assert.deepInclude((yield* client.get(path)).headers, { etag: '"1"', "x-two": "2" })
      assert.deepInclude((yield* client.get("/set")).headers, { etag: '"1"', "x-two": "3" })
      assert.deepInclude((yield* client.head("/1")).headers, { etag: '"1"', "x-one": "1", "x-left": "r=7" })
    }),
  )

  it.effect("keeps the heads of concurrent responses apart, immediate and late ones", () =>
    Effect.gen(function* () {
      const shared = [
        new SharedHeaders({ etag: '"0"', "x-shared": "zero" }),
        new SharedHeaders({ etag: '"1"', "x-shared": "one" }),
      ] as const
      const large = encoder.encode("y".repeat(200_000))
      const responses = Array.from({ length: 60 }, (_, n) => {
        const body = [
          HttpServerResponse.text("short"),
          HttpServerResponse.uint8Array(large),
          HttpServerResponse.stream(Stream.fromIterable(["in", "pieces"]).pipe(Stream.mapEffect(later), Stream.encodeText)),
        ][n % 3]
        return withHeaders(body ?? HttpServerResponse.empty(), shared[n % 2 === 0 ? 0 : 1], {
          "x-left": `r=${10 ** (n % 8)}`,
          "x-number": `${n}`,
        })
      })
      const { client } = yield* byUrl(driver, Object.fromEntries(responses.map((response, n) => [`/${n}`, response])))
      yield* Effect.forEach(
        responses.keys(),
        Effect.fnUntraced(function* (n) {
          const answer = yield* client.get(`/${n}`)
          const expected = {
            etag: `"${n % 2}"`,
            "x-shared": n % 2 === 0 ? "zero" : "one",
            "x-left": `r=${10 ** (n % 8)}`,
            "x-number": `${n}`,
          }
          assert.deepInclude(answer.headers, expected)
          assert.strictEqual((yield* answer.text).length, [5, 200_000, 8][n % 3])
        }),
        { concurrency: 20 },
      )
    }),
  )

  it.effect("answers HEAD like GET, without the body", () =>
    Effect.gen(function* () {
      const { port } = yield* byUrl(driver, {
        "/text": HttpServerResponse.text("hello"),
        "/stream": HttpServerResponse.stream(Stream.never),
        "/end": HttpServerResponse.text("the end"),
      })
      const raw = yield* RawClient.open(port)
      raw.write("HEAD /text HTTP/1.1\r\nhost: test\r\n\r\n")
      yield* raw.untilReceived("\r\n\r\n")
      assert.match(raw.received, /content-length: 5\r\n/i)
      raw.write("HEAD /stream HTTP/1.1\r\nhost: test\r\n\r\n")
      yield* raw.until(({ received }) => received.split("HTTP/1.1 200 OK").length === 3)
      raw.get("/end")
      yield* raw.untilReceived("the end")
      assert.notInclude(raw.received, "hello")
    }),
  )

  it.effect("omits the body for 204, 205 and 304, and the length unless the status is 304", () =>
    Effect.gen(function* () {
      const { port } = yield* byUrl(driver, {
        "/204": HttpServerResponse.text("unwanted", { status: 204 }),
        "/205": HttpServerResponse.text("unwanted", { status: 205 }),
        "/304": HttpServerResponse.text("unwanted", { status: 304, headers: { etag: '"1"' } }),
        "/end": HttpServerResponse.text("the end"),
      })
      const raw = yield* RawClient.open(port)
      for (const status of [204, 205, 304]) {
        raw.get(`/${status}`)
        yield* raw.until(({ received }) => received.includes(` ${status} `) && received.endsWith("\r\n\r\n"))
        const answer = raw.received.slice(raw.received.lastIndexOf("HTTP/1.1"))
        assert.strictEqual(/content-length: 8\r\n/i.test(answer), status === 304, answer)
      }
      raw.get("/end")
      yield* raw.untilReceived("the end")
      assert.notInclude(raw.received, "unwanted")
    }),
  )

  const forged = "1\r\nx-forged: yes"
  for (const [what, response] of Object.entries({
    "a header value": HttpServerResponse.text("hi", { headers: Headers.fromRecordUnsafe({ "x-user": forged }) }),
    "a header name": HttpServerResponse.text("hi", { headers: Headers.fromRecordUnsafe({ [`x-user: ${forged}`]: "1" }) }),
    "a streamed response": HttpServerResponse.stream(Stream.make(encoder.encode("hi")), {
      headers: Headers.fromRecordUnsafe({ "x-user": forged }),
    }),
    "a header of a single response": withHeaders(HttpServerResponse.text("hi"), new SharedHeaders({ etag: "1" }), { "x-user": forged }),
    "the name of a header of a single response": withHeaders(HttpServerResponse.text("hi"), new SharedHeaders({ etag: "1" }), {
      [`x-user: ${forged}`]: "1",
    }),
    "a shared header": withHeaders(HttpServerResponse.text("hi"), new SharedHeaders({ "x-user": forged }), { "x-one": "1" }),
    "a header with characters beyond Latin-1": HttpServerResponse.text("hi", { headers: { "x-user": "\u{10d}\u{10a}" } }),
  })) {
    it.effect(`rejects line breaks in ${what}`, () =>
      Effect.gen(function* () {
        const { port } = yield* byUrl(driver, { "/": response })
        const raw = yield* RawClient.open(port)
        raw.get("/")
        yield* raw.untilReceived("HTTP/1.1 500")
        assert.notInclude(raw.received, "x-forged")
      }),
    )
  }

  it.effect("answers 500 in place of a status that is not final", () =>
    Effect.gen(function* () {
      const { client } = yield* byUrl(driver, { "/": HttpServerResponse.empty({ status: 102 }) })
      assert.strictEqual((yield* client.get("/")).status, 500)
    }),
  )

  it.effect("runs pre-response handlers before writing", () =>
    Effect.gen(function* () {
      const { client } = yield* servingOne(
        driver,
        HttpEffect.withPreResponseHandler(Effect.succeed(HttpServerResponse.text("hi")), (_request, response) =>
          Effect.succeed(HttpServerResponse.setHeader(response, "x-before", "yes")),
        ),
      )
      assert.strictEqual((yield* client.get("/")).headers["x-before"], "yes")
    }),
  )

  it.effect("cuts the connection if a response fails midway, so that it does not look complete", () =>
    Effect.gen(function* () {
      const half = Stream.make(encoder.encode("half"))
      const { port } = yield* byUrl(driver, {
        "/fails": HttpServerResponse.stream(Stream.concat(half, Stream.die("broken"))),
        "/short": HttpServerResponse.stream(half, { contentLength: 5 }),
        "/long": HttpServerResponse.stream(Stream.concat(half, Stream.make(encoder.encode("more"))), { contentLength: 5 }),
        "/readable": HttpServerResponse.raw(
          Readable.from(
            (async function* () {
              yield Buffer.from("half")
              throw new Error("broken")
            })(),
          ),
        ),
      })
      for (const path of ["/fails", "/short", "/long", "/readable"]) {
        const raw = yield* RawClient.open(port)
        raw.get(path)
        yield* raw.untilClosed
        assert.notInclude(raw.received, "0\r\n\r\n", path)
        assert.notInclude(raw.received, "halfm", path)
      }
    }),
  )

  it.effect("answers 404 without a route and 500 to a defect", () =>
    Effect.gen(function* () {
      const { client } = yield* servingOne(driver, Effect.die("broken"), "/broken")
      assert.strictEqual((yield* client.get("/missing")).status, 404)
      assert.strictEqual((yield* client.get("/broken")).status, 500)
    }),
  )
}
