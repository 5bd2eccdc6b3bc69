/** Signatures compared with values that Python's hmac and OpenSSL computed. */
import { assert, describe, it } from "vitest"
import { newSecret, signatureHeaders } from "../src/signatures.ts"

const secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
const previous = "ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8="
const body = '{"id":"evt_m.1.7.match.ended","event":"match.ended","created_at":"2026-11-24T10:00:00.000Z","data":{"team":"Größe ☃"}}'
const delivery = { id: "evt_m.1.7.match.ended", timestampSeconds: 1_763_978_400, body }

const signed = {
  "X-Svc-Signature": "6278cbace13bc3d002b63675510a3632e5abbd67a1666376e3003fd9aa2cf422",
  "webhook-id": "evt_m.1.7.match.ended",
  "webhook-timestamp": "1763978400",
  "webhook-signature": "v1,+bqDSX6SmZuxmA9NpniEu4D7CHoykZ2yCL2enJeHi7Q=",
}

describe("signatureHeaders", () => {
  it("signs a string and its bytes with the known signatures", () => {
    assert.deepStrictEqual(signatureHeaders({ ...delivery, secrets: [secret] }), signed)
    assert.deepStrictEqual(signatureHeaders({ ...delivery, body: new TextEncoder().encode(body), secrets: [secret] }), signed)
  })

  it("also signs with the previous secret, in both schemes", () => {
    assert.deepStrictEqual(signatureHeaders({ ...delivery, secrets: [secret, previous] }), {
      ...signed,
      "X-Svc-Signature-Previous": "cf21b5fb19080a4fc5762a872c89ec38facc1b313d7c684f1fa468b5fc7d727d",
      "webhook-signature": "v1,+bqDSX6SmZuxmA9NpniEu4D7CHoykZ2yCL2enJeHi7Q= v1,D8GxgB90GwuvwG8z3utsqoPqxrw1GwJfP1Ss/ulchCs=",
    })
  })
})

describe("newSecret", () => {
  it("returns the base64 text of 32 bytes", () => {
    assert.strictEqual(newSecret(Uint8Array.from({ length: 32 }, (_, index) => index)), secret)
    assert.throws(() => newSecret(new Uint8Array(16)), "A secret needs 32 random bytes, not 16.")
  })

  it("returns another secret of 44 characters each time", () => {
    const secrets = Array.from({ length: 100 }, () => newSecret())
    assert.strictEqual(new Set(secrets).size, 100)
    for (const one of secrets) assert.match(one, /^[A-Za-z0-9+/]{43}=$/)
  })
})
