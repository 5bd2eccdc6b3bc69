/** Selection of the shape by a request, and valid times in queries. */
import { assert, describe, it } from "@effect/vitest"
import { shapeOfAccept, V2_CONTENT_TYPE } from "@matchpoint/cs2/contract/http/shapes"
import { Effect, Result } from "effect"
import { readInstant, readRangeEnd } from "../../src/http/instants.ts"

describe("shapeOfAccept", () => {
  it.effect.each([
    [undefined, "v1"],
    ["*/*", "v1"],
    ["application/json", "v1"],
    [V2_CONTENT_TYPE, "v2"],
    [V2_CONTENT_TYPE.toUpperCase().replace("SVC", "svc").replace("CS2", "cs2").replace("VND", "vnd"), "v2"],
    [`text/html, ${V2_CONTENT_TYPE};q=0.9, */*;q=0.1`, "v2"],
    [`${V2_CONTENT_TYPE};q=0.5, application/json`, "v1"],
    [`${V2_CONTENT_TYPE};q=0, */*`, "v1"],
    ["application/vnd.svc.cs2.v9+json, application/json;q=0.1", "v1"],
    ["application/vnd.svc.cs2.v9+json, */*", "v1"],
    [`application/vnd.svc.cs2.v9+json, ${V2_CONTENT_TYPE};q=0.1`, "v2"],
  ] as const)("%s selects %s", ([accept, shape]) => Effect.sync(() => assert.strictEqual(Result.getOrThrow(shapeOfAccept(accept)), shape)))

  it.effect("rejects an unknown version and names the supported ones", () =>
    Effect.sync(() => {
      const refusal = Result.getOrThrow(Result.flip(shapeOfAccept("application/vnd.svc.cs2.v9+json")))
      assert.include(refusal, "v9")
      assert.include(refusal, V2_CONTENT_TYPE)
    }),
  )
})

describe("readRangeEnd", () => {
  it.effect.each([
    ["2026-01-31", "2026-01-31T23:59:59.999Z"],
    ["2026-01-31T00:00:00Z", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31T12:00:00+02:00", "2026-01-31T10:00:00.000Z"],
  ] as const)("a range up to %s ends at %s", ([text, iso]) => Effect.sync(() => assert.strictEqual(readRangeEnd(text), Date.parse(iso))))
})

describe("readInstant", () => {
  it.effect.each([
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00:00.25", "2026-01-31T12:00:00.250Z"],
    ["2026-01-31T12:00:00+02:00", "2026-01-31T10:00:00.000Z"],
  ] as const)("reads %s as %s in any time zone of the server", ([text, iso]) =>
    Effect.sync(() => assert.strictEqual(readInstant(text), Date.parse(iso))),
  )

  it.effect.each(["", "yesterday", "2026", "1769860800", "Jan 31 2026", "2026-13-01", "2026-01-31T25:00:00Z", "2026-01-31 12:00"])(
    "rejects %j",
    (text) => Effect.sync(() => assert.isNaN(readInstant(text))),
  )
})
