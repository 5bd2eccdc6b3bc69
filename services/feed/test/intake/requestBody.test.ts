/** The addresses that a registration answers with. */
import { assert, describe, it } from "@effect/vitest"
import { intakeUrl } from "@matchpoint/game/feed/intake/requestBody"
import { Headers } from "effect/http"

const urlOf = (headers: Record<string, string>, settings: { readonly behindProxy: boolean; readonly publicUrl: string | null }) =>
  intakeUrl(settings, { headers: Headers.fromInput(headers) })

const alone = { behindProxy: false, publicUrl: null }
const proxied = { behindProxy: true, publicUrl: null }

describe("intakeUrl", () => {
  it("is where the request came to, and https only if our own proxy says so", () => {
    assert.strictEqual(urlOf({ host: "here:80" }, alone), "http://here:80/feed/v1")
    assert.strictEqual(urlOf({ host: "here", "x-forwarded-proto": "https" }, alone), "http://here/feed/v1")
    assert.strictEqual(urlOf({ host: "here", "x-forwarded-proto": "https" }, proxied), "https://here/feed/v1")
    assert.strictEqual(urlOf({ host: "here", "x-forwarded-proto": "https, http" }, proxied), "http://here/feed/v1")
    assert.strictEqual(urlOf({ host: "here", "x-forwarded-proto": "http, HTTPS" }, proxied), "https://here/feed/v1")
  })

  it("is the public URL if there is one", () => {
    assert.strictEqual(urlOf({ host: "here" }, { behindProxy: true, publicUrl: "https://api.example/" }), "https://api.example/feed/v1")
  })
})
