/** Verifies a webhook delivery and a changed one, and prints the event and the reason as one line each. */
import { createHmac, randomBytes } from "node:crypto"
import { verifyWebhook, WebhookVerificationError } from "@matchpoint/client"

const secret = randomBytes(32).toString("base64")
const body = '{"id":"evt_1","event":"match.ended","created_at":"2026-11-24T10:00:00.000Z","data":{"winner":"Alpha"}}'
const timestamp = String(Math.floor(Date.now() / 1_000))
const signature = createHmac("sha256", Buffer.from(secret, "base64")).update(`evt_1.${timestamp}.${body}`).digest("base64")
const headers = { "webhook-id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` }

interface Events {
  readonly "match.ended": { readonly winner: string }
}

const { data, event, occurredAt } = await verifyWebhook<Events>({ body, headers, secrets: secret })
const winner: string = data.winner
console.log(event, occurredAt.toISOString(), winner)
try {
  await verifyWebhook({ body: `${body} `, headers, secrets: [secret] })
} catch (error) {
  if (!(error instanceof WebhookVerificationError)) throw error
  console.log(error.reason)
}
