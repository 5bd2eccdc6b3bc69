import { assert, describe, it } from "@effect/vitest"
import { type PublicAddress, placeOf, socketUrl } from "@matchpoint/game/edge/publicAddress"

const alone = { publicUrl: null, behindProxy: false }
const proxied = { publicUrl: null, behindProxy: true }
const configured = { publicUrl: "https://api.example.com/live", behindProxy: true }

const cases: ReadonlyArray<readonly [Record<string, string>, typeof alone | typeof configured, PublicAddress | undefined]> = [
  [{ host: "127.0.0.1:8080" }, alone, { host: "127.0.0.1:8080", secure: false }],
  [{ host: "[::1]:8080" }, alone, { host: "[::1]:8080", secure: false }],
  [{ host: "here", "x-forwarded-proto": "https", "x-forwarded-host": "there" }, alone, { host: "here", secure: false }],
  [{ host: "here", "x-forwarded-proto": "https", "x-forwarded-host": "there" }, proxied, { host: "here", secure: true }],
  [{ host: "here", "x-forwarded-proto": "http, HTTPS", "x-forwarded-host": "forged, there:443" }, proxied, { host: "here", secure: true }],
  [{ host: "here", "x-forwarded-proto": "http" }, proxied, { host: "here", secure: false }],
  [{ host: "here" }, configured, { host: "api.example.com", secure: true }],
  [{}, alone, undefined],
  [{ host: "evil.example/path" }, alone, undefined],
  [{ host: "user@evil.example" }, alone, undefined],
  [{ host: 'a"b' }, alone, undefined],
]

describe("public address", () => {
  for (const [headers, settings, place] of cases) {
    const { behindProxy, publicUrl } = settings
    it(`${JSON.stringify(headers)}, ${publicUrl ?? "no address configured"}${behindProxy ? ", behind a proxy" : ""}`, () => {
      assert.deepStrictEqual(placeOf(headers, settings), place)
    })
  }

  it("makes socket URLs absolute if the address is known", () => {
    assert.strictEqual(socketUrl(null, { host: "here:1", secure: false }, "/ws"), "ws://here:1/ws")
    assert.strictEqual(socketUrl(null, { host: "here", secure: true }, "/ws"), "wss://here/ws")
    assert.strictEqual(socketUrl("https://api.example.com/live/", undefined, "/ws"), "wss://api.example.com/live/ws")
    assert.strictEqual(socketUrl(null, undefined, "/ws"), "/ws")
  })
})
