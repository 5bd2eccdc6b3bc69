/** Every error and limit of QR codes over HTTP, in the section's own format, and hostile logos. */
import { assert, it } from "@effect/vitest"
import { MAX_LOGO_BYTES, MAX_QR_BODY_BYTES } from "@matchpoint/contracts/http/qr/qrLimits"
import { Effect } from "effect"
import { bareGateway, origin } from "../../fixtures/bareGateway.ts"
import { getQr, postQr } from "../../fixtures/qr/askQr.ts"
import * as logos from "../../fixtures/qr/logos.ts"

type Query = Readonly<Record<string, string>>

const data = "https://example.com"

const queries: ReadonlyArray<readonly [query: Query, error: RegExp]> = [
  [{}, /query is invalid: Missing key at \["data"\]/],
  [{ data: "" }, /\["data"\]/],
  [{ data: "x".repeat(2_049) }, /has 2049 characters; use at most 2048/],
  [{ data, size: "99" }, /between 100 and 2000 at \["size"\]/],
  [{ data, size: "2001" }, /\["size"\]/],
  [{ data, size: "300.5" }, /\["size"\]/],
  [{ data, size: "big" }, /\["size"\]/],
  [{ data, margin: "-1" }, /\["margin"\]/],
  [{ data, margin: "11" }, /between 0 and 10 at \["margin"\]/],
  [{ data, ec: "m" }, /"L" \| "M" \| "Q" \| "H" at \["ec"\]/],
  [{ data, format: "gif" }, /"png" \| "svg" \| "base64" at \["format"\]/],
  [{ data, fg: "red" }, /no hex color; write it as #1a2b3c, and # as %23 in a URL at \["fg"\]/],
  [{ data, fg: "" }, /\["fg"\]/],
  [{ data, bg: "#12345" }, /\["bg"\]/],
  [{ data, bg: "#gggggg" }, /\["bg"\]/],
  [{ data, fg: "#ffff00" }, /#ffff00 on the background #ffffff has a contrast of 1\.1; use a darker foreground/],
  [{ data, fg: "#fff", bg: "#000" }, /inverted.*swap the two colors/],
  [{ data: "x".repeat(2_000) }, /too much data for the size: 177 modules.* use a size of at least 354/],
  [{ data: "x".repeat(2_000), ec: "H", size: "2000" }, /does not fit: it has 2000 bytes.* H holds at most 1273 bytes/],
]

const bodies: ReadonlyArray<readonly [body: unknown, error: RegExp]> = [
  ["{", /body is invalid: Expected a valid JSON body/],
  ["", /body is invalid/],
  ["null", /body is invalid/],
  [{}, /Missing key at \["data"\]/],
  [{ data: 1 }, /\["data"\]/],
  [{ data: "\ud800" }, /half of a surrogate pair/],
  [{ data: "é".repeat(2_049) }, /has 2049 characters/],
  [{ data: "漢".repeat(1_000), size: 2_000 }, /does not fit: it has 3000 bytes/],
  [{ data, size: "300" }, /\["size"\]/],
  [{ data, size: 99 }, /\["size"\]/],
  [{ data, margin: 10.5 }, /\["margin"\]/],
  [{ data, fg: "#000" }, /no excess property at \["fg"\]/],
  [{ data, foreground: "black" }, /no hex color/],
  [{ data, background: "#222" }, /has a contrast of 1\.3/],
  [{ data, errorCorrection: "X" }, /\["errorCorrection"\]/],
  [{ data, logo: {} }, /Missing key at \["logo"\]\["image"\]/],
  [{ data, logo: { image: "" } }, /no base64/],
  [{ data, logo: { image: "iVBO", sizeRatio: 0.09 } }, /\["logo"\]\["sizeRatio"\]/],
  [{ data, logo: { image: "iVBO", sizeRatio: 0.36 } }, /\["sizeRatio"\]/],
  [{ data, logo: { image: "iVBO", padding: 51 } }, /\["padding"\]/],
  [{ data, logo: { image: "iVBO", padding: 0.5 } }, /\["padding"\]/],
]

const DAMAGED = /damaged or incomplete/
const UNSUPPORTED = /no image of a supported type; use a PNG, JPEG or WebP/

/** Name, file, error, and the media type of a data URL. Default: plain base64. */
const hostile: ReadonlyArray<readonly [name: string, file: () => Buffer | Promise<Buffer>, error: RegExp, mediaType?: string]> = [
  ["PNG bomb", logos.pngBomb, /has 8000 x 8000 pixels; use at most 4194304/],
  ["JPEG bomb", logos.jpegBomb, /has 65000 x 65000 pixels/],
  ["PNG cut off", async () => (await logos.png()).subarray(0, 5_000), DAMAGED],
  ["JPEG cut off", async () => (await logos.jpeg()).subarray(0, 2_000), DAMAGED],
  ["WebP cut off", async () => (await logos.webp()).subarray(0, 2_000), DAMAGED],
  ["only the signature of a PNG", async () => (await logos.png()).subarray(0, 8), DAMAGED],
  ["animated WebP", logos.animatedWebp, /is animated; use a still image/],
  ["animated PNG", logos.animatedPng, /is animated/],
  ["GIF", logos.animatedGif, UNSUPPORTED],
  ["SVG", logos.svg, UNSUPPORTED],
  ["SVG by its type", logos.svg, UNSUPPORTED, "image/svg+xml"],
  ["SVG as PNG", logos.svg, UNSUPPORTED, "image/png"],
  ["SVG behind the signature of a PNG", logos.svgInPng, DAMAGED],
  ["PNG as JPEG", logos.png, /declared as image\/jpeg, but the file is a png/, "image/jpeg"],
  ["PNG as text", logos.png, /of the type text\/html are not supported/, "text/html"],
  ["too many bytes", async () => Buffer.concat([await logos.png(), Buffer.alloc(MAX_LOGO_BYTES)]), /exceeds the limit of 524288 bytes/],
]

const unreadable: ReadonlyArray<readonly [logo: object, error: RegExp]> = [
  [{ sizeRatio: 0.35, padding: 50 }, /covers too much of the image.*smaller sizeRatio or padding/],
]

it.layer(bareGateway(), { timeout: 60_000, excludeTestServices: true })("errors of QR codes", (it) => {
  it.effect("GET answers 400 with a message that names the parameter or gives advice", () =>
    Effect.gen(function* () {
      for (const [query, error] of queries) {
        const answer = yield* getQr(query)
        assert.strictEqual(answer.status, 400, JSON.stringify(query))
        assert.match(answer.error ?? "", error)
        assert.strictEqual(answer.headers.get("cache-control"), "no-store")
        assert.isNull(answer.headers.get("etag"))
      }
    }),
  )

  it.effect("POST answers 400 with a message that names the field or gives advice", () =>
    Effect.gen(function* () {
      for (const [body, error] of bodies) {
        const answer = yield* postQr(body)
        assert.strictEqual(answer.status, 400, JSON.stringify(body))
        assert.match(answer.error ?? "", error)
      }
      const asText = yield* postQr({ data }, { "content-type": "text/plain" })
      assert.deepStrictEqual([asText.status, asText.error], [400, "send the body as application/json"])
    }),
  )

  it.effect("a body above the limit is answered 413", () =>
    Effect.gen(function* () {
      const body = { data, logo: { image: "A".repeat(MAX_QR_BODY_BYTES) } }
      const answer = yield* postQr(body)
      assert.deepStrictEqual([answer.status, answer.error?.includes(String(MAX_QR_BODY_BYTES))], [413, true])
    }),
  )

  it.effect("a missing key and a wrong method are answered in the format of all sections", () =>
    Effect.gen(function* () {
      const here = yield* origin
      const ask = (init: RequestInit) =>
        Effect.promise(async () => {
          const response = await fetch(`${here}/api/v1/qr/generate?data=x`, init)
          return [response.status, (await response.json()).error.code]
        })
      assert.deepStrictEqual(yield* ask({}), [401, "INVALID_API_KEY"])
      assert.deepStrictEqual(yield* ask({ method: "POST", body: "{", headers: { "content-type": "application/json" } }), [
        401,
        "INVALID_API_KEY",
      ])
      assert.deepStrictEqual(yield* ask({ method: "DELETE" }), [405, "METHOD_NOT_ALLOWED"])
    }),
  )

  it.effect("SVG with a logo, addresses and text that is no base64 are answered 400", () =>
    Effect.gen(function* () {
      const image = (yield* Effect.promise(logos.png)).toString("base64")
      const refused: ReadonlyArray<readonly [format: string, image: string, error: RegExp]> = [
        ["svg", image, /svg has no logo; use the format png or base64/],
        ["png", "https://example.com/logo.png", /addresses are not fetched/],
        ["png", "file:///etc/passwd", /addresses are not fetched/],
        ["png", `data:image/png,${image}`, /file itself in base64/],
        ["png", `data:image/png;base64,https://example.com/logo.png`, /addresses are not fetched/],
        ["png", `${image.slice(0, 100)}*`, /no base64/],
      ]
      for (const [format, text, error] of refused) {
        const answer = yield* postQr({ data, format, logo: { image: text } })
        assert.strictEqual(answer.status, 400)
        assert.match(answer.error ?? "", error)
      }
      for (const [logo, error] of unreadable) {
        const answer = yield* postQr({ data, logo: { image, ...logo } })
        assert.strictEqual(answer.status, 400)
        assert.match(answer.error ?? "", error)
      }
    }),
  )

  for (const [name, file, error, mediaType] of hostile) {
    it.effect(`a logo that is hostile is answered 400: ${name}`, () =>
      Effect.gen(function* () {
        const base64 = (yield* Effect.promise(async () => file())).toString("base64")
        const answer = yield* postQr({ data, logo: { image: mediaType === undefined ? base64 : `data:${mediaType};base64,${base64}` } })
        assert.strictEqual(answer.status, 400, answer.error)
        assert.match(answer.error ?? "", error)
      }),
    )
  }
})
