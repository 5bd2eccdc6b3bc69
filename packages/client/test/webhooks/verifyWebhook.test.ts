/** `verifyWebhook` on a delivery that Python signed, and on deliveries changed in each way that must be rejected. */
import { afterEach, assert, describe, it } from "@effect/vitest"
import { vi } from "vitest"
import {
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from "../../src/client.ts"

const secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
const other = "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8="
const body = '{"id":"evt_m.1.7.match.ended","event":"match.ended","created_at":"2026-11-24T10:00:00.000Z","data":{"team":"Größe ☃"}}'
const sentAt = 1_763_978_400
const signature = "v1,+bqDSX6SmZuxmA9NpniEu4D7CHoykZ2yCL2enJeHi7Q="
const headers = { "webhook-id": "evt_m.1.7.match.ended", "webhook-timestamp": String(sentAt), "webhook-signature": signature }
const delivery: VerifyWebhookOptions = { body, headers, secrets: secret, now: sentAt * 1_000 }
const event = {
  id: "evt_m.1.7.match.ended",
  event: "match.ended",
  occurredAt: new Date("2026-11-24T10:00:00.000Z"),
  data: { team: "Größe ☃" },
}

const rejects = async (options: Partial<VerifyWebhookOptions>, reason: WebhookVerificationReason, message?: RegExp) => {
  const error: unknown = await verifyWebhook({ ...delivery, ...options }).then(
    () => assert.fail(`the delivery verified instead of being rejected with ${reason}`),
    (cause: unknown) => cause,
  )
  assert.instanceOf(error, WebhookVerificationError)
  assert.strictEqual(error.reason, reason)
  if (message !== undefined) assert.match(error.message, message)
  assert.notInclude(error.message, secret)
}

const sign = async (text: string): Promise<VerifyWebhookOptions> => {
  const bytes = Uint8Array.from(atob(secret), (character) => character.charCodeAt(0))
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"])
  const mac = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`e.${sentAt}.${text}`))
  const base64 = btoa(String.fromCharCode(...new Uint8Array(mac)))
  return { ...delivery, body: text, headers: { ...headers, "webhook-id": "e", "webhook-signature": `v1,${base64}` } }
}

describe("verifyWebhook accepts", () => {
  it("a string, bytes and a Buffer", async () => {
    assert.deepStrictEqual(await verifyWebhook(delivery), event)
    assert.deepStrictEqual(await verifyWebhook({ ...delivery, body: new TextEncoder().encode(body) }), event)
    assert.deepStrictEqual(await verifyWebhook({ ...delivery, body: Buffer.from(body) }), event)
  })

  it("a Headers object, and a record with names in any case and lists of values", async () => {
    assert.deepStrictEqual(await verifyWebhook({ ...delivery, headers: new Headers(headers) }), event)
    const record = {
      "Webhook-Id": headers["webhook-id"],
      "WEBHOOK-TIMESTAMP": [headers["webhook-timestamp"]],
      "webhook-Signature": ["v1,AAAA", signature],
      accept: undefined,
    }
    assert.deepStrictEqual(await verifyWebhook({ ...delivery, headers: record }), event)
  })

  it("one matching signature of several, and one matching secret of several", async () => {
    const list = { ...headers, "webhook-signature": `v1a,xyz v1,!!! v1,${btoa("another signature")} ${signature}` }
    assert.deepStrictEqual(await verifyWebhook({ ...delivery, headers: list, secrets: [other, secret] }), event)
  })

  it("a delivery within the tolerance, in both directions", async () => {
    for (const seconds of [-300, 300]) await verifyWebhook({ ...delivery, now: (sentAt + seconds) * 1_000 })
    await verifyWebhook({ ...delivery, now: (sentAt + 3_600) * 1_000, toleranceSeconds: 3_600 })
  })

  it("a game's own event, whose time is in `timestamp`", async () => {
    interface Events {
      readonly "bomb.planted": { readonly site: string }
      readonly "match.ended": { readonly winner: string }
    }
    const signed = await sign('{"event":"bomb.planted","id":"e","timestamp":"2026-11-24T10:00:00.000Z","data":{"site":"A"}}')
    const verified: WebhookEvent<Events> = await verifyWebhook<Events>(signed)
    if (verified.event !== "bomb.planted") assert.fail(verified.event)
    assert.strictEqual(verified.data.site, "A")
    assert.strictEqual(verified.occurredAt.toISOString(), "2026-11-24T10:00:00.000Z")
  })
})

describe("verifyWebhook without the global `crypto`, as in Node 18", () => {
  afterEach(() => vi.unstubAllGlobals())

  it("uses the WebCrypto of node:crypto", async () => {
    vi.stubGlobal("crypto", undefined)
    assert.deepStrictEqual(await verifyWebhook(delivery), event)
  })
})

describe("verifyWebhook rejects", () => {
  it("missing headers", async () => {
    for (const name of Object.keys(headers)) {
      await rejects({ headers: { ...headers, [name]: undefined } }, "missing_headers", new RegExp(name))
      await rejects({ headers: { ...headers, [name]: "" } }, "missing_headers")
    }
    await rejects({ headers: new Headers() }, "missing_headers")
    for (const timestamp of ["now", "1e9", "-1", "1.5", "9".repeat(400)]) {
      await rejects({ headers: { ...headers, "webhook-timestamp": timestamp } }, "missing_headers", /Unix seconds/)
    }
  })

  it("old and future timestamps, and a tolerance that is not a number", async () => {
    await rejects({ now: (sentAt + 301) * 1_000 }, "timestamp_too_old", /300 seconds/)
    await rejects({ now: (sentAt - 301) * 1_000 }, "timestamp_too_new")
    await rejects({ toleranceSeconds: Number.NaN }, "timestamp_too_old")
  })

  it("a timestamp that was changed to a recent one", async () => {
    const recent = { ...headers, "webhook-timestamp": String(sentAt + 900) }
    await rejects({ headers: recent, now: (sentAt + 900) * 1_000 }, "wrong_signature")
  })

  it("a changed body or id, another secret, and JSON that was written again", async () => {
    await rejects({ body: body.replace("ended", "began") }, "wrong_signature", /raw body/)
    await rejects({ body: JSON.stringify(JSON.parse(body), null, 2) }, "wrong_signature")
    await rejects({ headers: { ...headers, "webhook-id": "evt_m.1.8.match.ended" } }, "wrong_signature")
    await rejects({ secrets: other }, "wrong_signature")
  })

  it("signatures of other versions, empty ones, shortened ones, and more than eight", async () => {
    const wrong = [`v2,${signature.slice(3)}`, "v1,", "v1", signature.slice(0, -5), `${"v1,AAAA ".repeat(8)}${signature}`]
    for (const text of wrong) await rejects({ headers: { ...headers, "webhook-signature": text } }, "wrong_signature")
  })

  it("invalid secrets", async () => {
    for (const secrets of ["", "not base64!", "c2hvcnQ=", btoa("x".repeat(65)), []]) await rejects({ secrets }, "invalid_secret")
    const unset: unknown = undefined
    // @ts-expect-error A program in JavaScript can pass a variable that is not set.
    await rejects({ secrets: [unset] }, "invalid_secret")
    // @ts-expect-error The same.
    await rejects({ secrets: unset }, "invalid_secret")
  })

  it("a parsed body", async () => {
    await rejects({ body: JSON.parse(body) }, "invalid_body", /raw body/)
  })

  it("signed bodies that are not events", async () => {
    const time = '"created_at":"2026-11-24T10:00:00.000Z"'
    const bodies: ReadonlyArray<readonly [text: string, problem: RegExp]> = [
      ["no", /not JSON/],
      ["[]", /not a JSON object/],
      ["null", /not a JSON object/],
      [`{"event":"a",${time},"data":{}}`, /`id` and `event`/],
      [`{"id":"e","event":1,${time},"data":{}}`, /`id` and `event`/],
      ['{"id":"e","event":"a","data":{}}', /must be a time/],
      ['{"id":"e","event":"a","created_at":"soon","data":{}}', /must be a time/],
      [`{"id":"e","event":"a",${time},"data":[]}`, /`data` must be an object/],
    ]
    for (const [text, problem] of bodies) await rejects(await sign(text), "invalid_body", problem)
  })
})
