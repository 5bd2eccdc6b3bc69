import { randomBytes } from "node:crypto"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { AnswerCompression } from "../../../src/http/responses/AnswerCompression.ts"

const text = JSON.stringify(Array.from({ length: 200 }, (_, n) => ({ name: `team ${n}`, wins: n })))
const answer = (body = text, contentType = "application/json") =>
  HttpServerResponse.text(body, { contentType, headers: { etag: '"tag"', "cache-control": "private" } })

const bytesOf = ({ body }: HttpServerResponse.HttpServerResponse): Uint8Array => {
  if (body._tag !== "Uint8Array") throw new Error(`the body is ${body._tag}`)
  return body.body
}

describe("AnswerCompression", () => {
  for (const [coding, decompress] of [["gzip", gunzipSync] as const, ["br", brotliDecompressSync] as const]) {
    it.effect(`${coding} returns the same text in fewer bytes, with a weak tag and the new length`, () =>
      Effect.gen(function* () {
        const form = yield* Effect.promise(async () => new AnswerCompression().form(answer(), coding))
        assert.strictEqual(decompress(bytesOf(form)).toString(), text)
        assert.deepStrictEqual(
          { ...form.headers },
          {
            "cache-control": "private",
            "content-encoding": coding,
            "content-length": String(bytesOf(form).byteLength),
            "content-type": "application/json",
            etag: 'W/"tag"',
          },
        )
      }),
    )
  }

  it.effect("compresses a response once per coding, however often and however concurrently it is sent", () =>
    Effect.gen(function* () {
      const compression = new AnswerCompression()
      const kept = answer()
      const first = compression.form(kept, "gzip")
      assert.instanceOf(first, Promise)
      assert.strictEqual(compression.form(kept, "gzip"), first)
      const made = yield* Effect.promise(async () => first)
      assert.strictEqual(compression.form(kept, "gzip"), made)
      assert.notStrictEqual(yield* Effect.promise(async () => compression.form(kept, "br")), made)
    }),
  )

  it("leaves small responses, other media types and encoded responses unchanged", () => {
    const compression = new AnswerCompression()
    const others = [
      answer("x".repeat(1_023)),
      answer(text, "application/octet-stream"),
      answer(text, "text/event-stream"),
      HttpServerResponse.setHeader(answer(), "content-encoding", "gzip"),
      HttpServerResponse.empty({ status: 304, headers: { etag: '"tag"' } }),
    ]
    for (const other of others) assert.strictEqual(compression.form(other, "gzip"), other)
  })

  it.effect("sends a body uncompressed if compression does not halve it, and does not try again", () =>
    Effect.gen(function* () {
      const compression = new AnswerCompression()
      const noise = answer(randomBytes(4_000).toString("base64"))
      assert.strictEqual(yield* Effect.promise(async () => compression.form(noise, "gzip")), noise)
      assert.strictEqual(compression.form(noise, "gzip"), noise)
    }),
  )

  it.effect("sends responses uncompressed beyond 66 at once, and compresses again afterwards", () =>
    Effect.gen(function* () {
      const compression = new AnswerCompression()
      const forms = Array.from({ length: 200 }, () => compression.form(answer(), "gzip"))
      const promised = forms.filter((form) => form instanceof Promise)
      assert.lengthOf(promised, 66)
      yield* Effect.promise(() => Promise.all(promised))
      assert.instanceOf(compression.form(answer(), "gzip"), Promise)
    }),
  )
})
