/** The Standard Webhooks headers of the server, compared with those of the public library `standardwebhooks`. */
import { newSecret, signatureHeaders } from "@matchpoint/webhooks/signatures"
import { Webhook } from "standardwebhooks"
import { assert, describe, it } from "vitest"

const bodies = ["{}", '{"team":"Größe ☃ 😀","text":"a.b\\n"}', JSON.stringify({ text: "x".repeat(100_000) })]

describe("signatureHeaders", () => {
  it("signs as the library does, for random secrets and bodies of several sizes", () => {
    for (const body of bodies) {
      for (let round = 0; round < 20; round += 1) {
        const secret = newSecret()
        const timestampSeconds = 1_763_978_400 + round
        const headers = signatureHeaders({ id: "evt_m.1.7.match.ended", timestampSeconds, body, secrets: [secret] })
        const expected = new Webhook(secret).sign("evt_m.1.7.match.ended", new Date(timestampSeconds * 1_000), body)
        assert.strictEqual(headers["webhook-signature"], expected)
      }
    }
  })
})
