/**
 * Tests responses in gzip and brotli over real sockets: the same bytes after decoding, valid entity tags, and
 * uncompressed streams.
 */
import { request as httpRequest, type IncomingHttpHeaders } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { assert, it } from "@effect/vitest"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { Effect, Layer, Schedule } from "effect"
import { simulatedEvents } from "../../fixtures/simulated.ts"
import { announce, feed, KEY, memoryStack, Stack } from "../../fixtures/stack.ts"

const id = matchId(4_711)
const events = simulatedEvents(47, id)

interface Answered {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Bytes as sent. */
  readonly bytes: Buffer
}

const ask = Effect.fnUntraced(function* (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") {
  const { url } = yield* Stack
  return yield* Effect.callback<Answered>((resume) => {
    const options = { method, headers: { "x-api-key": KEY, ...headers }, timeout: 10_000 }
    const sent = httpRequest(new URL(path, url), options, (response) => {
      const status = response.statusCode ?? 0
      const chunks: Array<Buffer> = []
      if (response.headers["content-type"]?.startsWith("text/event-stream")) {
        response.once("data", (chunk: Buffer) => {
          response.destroy()
          resume(Effect.succeed({ status, headers: response.headers, bytes: chunk }))
        })
        return
      }
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () => resume(Effect.succeed({ status, headers: response.headers, bytes: Buffer.concat(chunks) })))
    })
    sent.on("timeout", () => sent.destroy(new Error(`no response to ${path}`)))
    sent.on("error", (error) => resume(Effect.die(error)))
    sent.end()
    return Effect.sync(() => sent.destroy())
  })
})

const Playing = Layer.effectDiscard(
  Effect.gen(function* () {
    yield* announce(id)
    yield* feed(events.slice(0, Math.floor(events.length / 2)))
    yield* ask(`/api/v1/cs2/live/${id}/scoreboard`).pipe(
      Effect.filterOrFail(({ status }) => status === 200),
      Effect.retry(Schedule.spaced("200 millis")),
      Effect.timeout("20 seconds"),
    )
  }),
)

const decoders = { gzip: gunzipSync, br: brotliDecompressSync } as const

/** Paths with an entity tag. The archive of this server is empty, so only maps with fixed data are listed. */
const large = [
  "/openapi.json",
  "/asyncapi.json",
  `/api/v1/cs2/live/${id}/state`,
  `/api/v1/cs2/live/${id}/events?limit=100`,
  `/api/v1/cs2/live/${id}/events?limit=100&shape=v2`,
  `/api/v1/cs2/live/${id}/snapshots?limit=20`,
  "/api/v1/cs2/maps",
]

const lengthOf = ({ headers }: Answered) => headers["content-length"]

it.layer(Layer.provideMerge(Playing, memoryStack), { timeout: 60_000, excludeTestServices: true })("compressed responses", (it) => {
  for (const path of large) {
    for (const [coding, decode] of Object.entries(decoders)) {
      it.effect(`${path} in ${coding}`, () =>
        Effect.gen(function* () {
          const plain = yield* ask(path)
          assert.strictEqual(plain.status, 200, plain.bytes.toString())
          assert.isUndefined(plain.headers["content-encoding"])
          assert.match(plain.headers.etag ?? "", /^"/)
          assert.match(plain.headers.vary ?? "", /(^|, )Accept-Encoding$/)

          const coded = yield* ask(path, { "accept-encoding": coding })
          assert.strictEqual(coded.headers["content-encoding"], coding)
          assert.strictEqual(decode(coded.bytes).toString(), plain.bytes.toString())
          assert.isBelow(coded.bytes.byteLength, plain.bytes.byteLength / 2)
          assert.strictEqual(coded.headers.etag, `W/${plain.headers.etag}`)
          assert.strictEqual(coded.headers.vary, plain.headers.vary)

          for (const { headers } of [plain, coded]) {
            const etag = headers.etag ?? ""
            for (const accepted of ["identity", "gzip", "br"]) {
              const unchanged = yield* ask(path, { "accept-encoding": accepted, "if-none-match": `"other", ${etag}` })
              assert.deepStrictEqual([unchanged.status, unchanged.bytes.byteLength, unchanged.headers.etag], [304, 0, etag])
              assert.strictEqual(unchanged.headers.vary, plain.headers.vary)
              assert.isUndefined(unchanged.headers["content-encoding"])
            }
          }
          const changed = yield* ask(path, { "accept-encoding": coding, "if-none-match": 'W/"other"' })
          assert.strictEqual(changed.status, 200)

          const head = yield* ask(path, { "accept-encoding": coding }, "HEAD")
          assert.deepStrictEqual(
            [head.status, head.bytes.byteLength, lengthOf(head), head.headers.etag, head.headers["content-encoding"]],
            [200, 0, lengthOf(coded), coded.headers.etag, coding],
          )
        }),
      )
    }
  }

  it.effect("returns the same error body with and without a content coding", () =>
    Effect.gen(function* () {
      const refused = yield* ask(`/api/v1/cs2/live?limit=${"9".repeat(3_000)}x`, { "accept-encoding": "gzip" })
      assert.strictEqual(refused.status, 400)
      const coding = refused.headers["content-encoding"]
      const body = coding === "gzip" ? gunzipSync(refused.bytes) : refused.bytes
      assert.include(body.toString(), '"VALIDATION_ERROR"')
      assert.strictEqual(refused.headers.vary, "Accept, Accept-Encoding")
    }),
  )

  it.effect("does not compress small responses but sends Vary: Accept-Encoding", () =>
    Effect.gen(function* () {
      const small = yield* ask("/api/v1/usage/sessions", { "accept-encoding": "gzip, br" })
      assert.strictEqual(small.status, 200)
      assert.isUndefined(small.headers["content-encoding"])
      assert.strictEqual(small.headers.vary, "Accept-Encoding")
    }),
  )

  it.effect("never compresses event streams", () =>
    Effect.gen(function* () {
      for (const path of ["/api/v1/cs2/live/stream", `/api/v1/cs2/live/${id}/replay?speed=0`]) {
        const stream = yield* ask(path, { "accept-encoding": "gzip, br", accept: "text/event-stream" })
        assert.strictEqual(stream.status, 200)
        assert.isUndefined(stream.headers["content-encoding"])
        assert.match(stream.bytes.toString(), /^(?:event|id|data|retry|:)/)
      }
    }),
  )
})
