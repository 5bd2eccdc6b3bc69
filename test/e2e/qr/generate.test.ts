/** QR codes over HTTP: formats, defaults, colors, logos, entity tags and the typed client. */
import { assert, it } from "@effect/vitest"
import { createClient } from "@matchpoint/client"
import { Matchpoint } from "@matchpoint/client/effect"
import { readQrCode } from "@matchpoint/testing/readQrCode"
import { Effect, Redacted } from "effect"
import sharp from "sharp"
import { bareGateway, GOOD_KEY, origin } from "../../fixtures/bareGateway.ts"
import { getQr, postQr, type QrAnswer } from "../../fixtures/qr/askQr.ts"
import * as logos from "../../fixtures/qr/logos.ts"

const data = "https://example.com/é漢字😀"

const read = (image: Uint8Array) => Effect.promise(() => readQrCode(image))
const header = (image: Uint8Array) => Effect.promise(() => sharp(image).metadata())
const pixel = (image: Uint8Array) =>
  Effect.map(
    Effect.promise(() => sharp(image).extract({ left: 0, top: 0, width: 1, height: 1 }).removeAlpha().raw().toBuffer()),
    (bytes) => [...bytes],
  )

const assertImage = (answer: QrAnswer, mediaType: string) => {
  assert.strictEqual(answer.status, 200, answer.error)
  assert.strictEqual(answer.headers.get("content-type"), mediaType)
}

it.layer(bareGateway(), { timeout: 60_000, excludeTestServices: true })("QR codes", (it) => {
  it.effect("answer a PNG of 300 pixels with a margin of 4 modules by default", () =>
    Effect.gen(function* () {
      for (const answer of [yield* getQr({ data }), yield* postQr({ data })]) {
        assertImage(answer, "image/png")
        assert.deepInclude(yield* header(answer.bytes), { format: "png", width: 300, height: 300 })
        assert.strictEqual(yield* read(answer.bytes), data)
        // The code has 29 modules, so that the first dark pixel is at 4 / 37 of the width.
        const { info } = yield* Effect.promise(() => sharp(answer.bytes).trim().toBuffer({ resolveWithObject: true }))
        assert.deepStrictEqual([info.trimOffsetLeft, info.trimOffsetTop], [-33, -33])
      }
    }),
  )

  it.effect("answer SVG and base64 with the requested size, colors, margin and error correction", () =>
    Effect.gen(function* () {
      const look = { data, size: 417, margin: 2, fg: "#036", bg: "#FFEEDD", ec: "Q" }
      const body = { data, size: 417, margin: 2, foreground: "#036", background: "#FFEEDD", errorCorrection: "Q" }
      const query = Object.fromEntries(Object.entries(look).map(([name, value]) => [name, String(value)]))
      for (const answer of [yield* getQr({ ...query, format: "svg" }), yield* postQr({ ...body, format: "svg" })]) {
        assertImage(answer, "image/svg+xml")
        assert.match(answer.bytes.toString(), /^<svg [^>]*width="417" height="417".*#003366/)
        assert.strictEqual(yield* read(answer.bytes), data)
      }
      for (const answer of [yield* getQr({ ...query, format: "base64" }), yield* postQr({ ...body, format: "base64" })]) {
        assertImage(answer, "application/json")
        const { image, ...rest } = JSON.parse(answer.bytes.toString()).data
        assert.deepStrictEqual(rest, { format: "base64", size: 417 })
        const [, base64 = ""] = /^data:image\/png;base64,(.+)$/.exec(image) ?? []
        const png = Buffer.from(base64, "base64")
        assert.deepStrictEqual(yield* pixel(png), [0xff, 0xee, 0xdd])
        assert.strictEqual((yield* header(png)).width, 417)
        assert.strictEqual(yield* read(png), data)
      }
    }),
  )

  it.effect("contain a PNG, JPEG or WebP logo, with the defaults and at the limits", () =>
    Effect.gen(function* () {
      for (const logo of [logos.png, logos.jpeg, logos.webp, logos.transparent, logos.pngWithPage]) {
        const image = (yield* Effect.promise(logo)).toString("base64")
        const answer = yield* postQr({ data, logo: { image } })
        assertImage(answer, "image/png")
        assert.strictEqual(yield* read(answer.bytes), data)
        assert.notInclude(answer.bytes.toString("latin1"), "polyglot")
        const plain = yield* postQr({ data, errorCorrection: "H" })
        assert.isFalse(plain.bytes.equals(answer.bytes))
      }
      const image = `data:image/jpeg;base64,${(yield* Effect.promise(logos.jpeg)).toString("base64")}`
      for (const limits of [
        { sizeRatio: 0.1, padding: 0 },
        { sizeRatio: 0.1, padding: 50 },
        { sizeRatio: 0.35, padding: 0 },
        { sizeRatio: 0.35 },
      ]) {
        const answer = yield* postQr({ data: data.repeat(5), size: 1_200, format: "base64", logo: { image, ...limits } })
        assertImage(answer, "application/json")
      }
    }),
  )

  it.effect("have a strong entity tag of their parameters, and 304 is answered without drawing", () =>
    Effect.gen(function* () {
      const first = yield* getQr({ data })
      const etag = first.headers.get("etag") ?? ""
      assert.match(etag, /^"[\w-]{22}"$/)
      assert.strictEqual(first.headers.get("cache-control"), "private, max-age=31536000, immutable")
      const same = yield* getQr({ size: "300", data, fg: "#000" })
      assert.strictEqual(same.headers.get("etag"), etag)
      assert.isTrue(same.bytes.equals(first.bytes))
      const tags = [etag]
      const others: ReadonlyArray<Readonly<Record<string, string>>> = [
        { size: "301" },
        { margin: "3" },
        { ec: "H" },
        { fg: "#111" },
        { bg: "#eee" },
        { format: "svg" },
        { format: "base64" },
        { data: `${data}!` },
      ]
      for (const other of others) tags.push((yield* getQr({ data, ...other }, { "accept-encoding": "identity" })).headers.get("etag") ?? "")
      assert.strictEqual(new Set(tags).size, 9)
      // Data of this length is refused when it is drawn. The tag alone is enough for 304.
      const unchanged = yield* getQr({ data: "x".repeat(2_000) }, { "if-none-match": "*" })
      assert.deepStrictEqual([unchanged.status, unchanged.bytes.length], [304, 0])
      assert.strictEqual((yield* getQr({ data }, { "if-none-match": `"other", ${etag}` })).status, 304)
      assert.strictEqual((yield* getQr({ data, fg: "#fff" }, { "if-none-match": "*" })).status, 400)
      assert.strictEqual((yield* postQr({ data })).headers.get("cache-control"), "no-store")
    }),
  )

  it.effect("are read by both typed clients", () =>
    Effect.gen(function* () {
      const baseUrl = yield* origin
      const { rest } = yield* Matchpoint.pipe(Effect.provide(Matchpoint.layer({ baseUrl, apiKey: Redacted.make(GOOD_KEY) })))
      const png = yield* rest.qr.read({ query: { data } })
      assert.strictEqual(png instanceof Uint8Array ? yield* read(png) : png, data)
      const svg = yield* rest.qr.generate({ payload: { data, format: "svg" } })
      assert.strictEqual(typeof svg === "string" ? yield* read(Buffer.from(svg)) : svg, data)
      const refused = yield* Effect.flip(rest.qr.read({ query: { data: "x".repeat(2_000) } }))
      assert.deepInclude(refused, { success: false })

      const client = createClient({ baseUrl, apiKey: GOOD_KEY })
      const json = yield* Effect.promise(() => client.get("/qr/generate", { query: { data, format: "base64" } }))
      assert.deepInclude(json.data, { format: "base64", size: 300 })
      const bytes = yield* Effect.promise(() => client.get("/qr/generate", { query: { data } }))
      assert.strictEqual(bytes.body instanceof Uint8Array ? yield* read(bytes.body) : bytes.body, data)
      const text = yield* Effect.promise(() => client.get("/qr/generate", { query: { data, format: "svg" } }))
      assert.strictEqual(typeof text.body === "string" ? yield* read(Buffer.from(text.body)) : text.body, data)
    }),
  )
})
