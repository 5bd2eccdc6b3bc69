import { assert, describe, it } from "@effect/vitest"
import { codingFor, isCompressible } from "../../../src/http/responses/contentEncoding.ts"

describe("content codings", () => {
  const cases: ReadonlyArray<readonly [string | undefined, "br" | "gzip" | undefined]> = [
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["gzip", "gzip"],
    ["x-gzip", "gzip"],
    ["GZIP", "gzip"],
    ["deflate", undefined],
    ["gzip, deflate, br", "br"],
    ["gzip, deflate, br, zstd", "br"],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.5, gzip;q=0.8", "gzip"],
    ["br ; q=0.8 , gzip ; q=0.5", "br"],
    ["*", "br"],
    ["*;q=0", undefined],
    ["br;q=0, *", "gzip"],
    ["gzip;q=0, br;q=0", undefined],
    ["identity, gzip;q=0.5", undefined],
    ["identity;q=0.5, gzip", "gzip"],
    ["gzip;q=nonsense", undefined],
    ["gzip;q=7", undefined],
    ["gzip;q=0.5, *", "br"],
    ["br;q=0.8, gzip;q=0.5, *", "br"],
  ]
  for (const [header, coding] of cases) {
    it(`answers ${header} with ${coding ?? "no coding"}`, () => {
      assert.strictEqual(codingFor(header), coding)
      assert.strictEqual(codingFor(header), coding)
    })
  }

  it("keeps a bounded number of header values", () => {
    for (let n = 0; n < 10_000; n++) assert.strictEqual(codingFor(`made-up-${n}, gzip`), "gzip")
  })

  it("compresses text with a known end", () => {
    const types = {
      "application/json": true,
      "application/json; charset=utf-8": true,
      "application/problem+json": true,
      "application/vnd.svc.cs2.v2+json": true,
      "text/html; charset=utf-8": true,
      "text/javascript": true,
      "text/plain; version=0.0.4": true,
      "image/svg+xml": true,
      "text/event-stream": false,
      "application/ndjson": false,
      "application/x-ndjson": false,
      "application/octet-stream": false,
      "image/png": false,
    }
    assert.deepStrictEqual(Object.fromEntries(Object.keys(types).map((type) => [type, isCompressible(type)])), types)
  })
})
