/** The response of `/cs2/webhooks`: the CS2 events that webhooks report, an example, and how requests are signed. */
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { matchEventId } from "@matchpoint/contracts/webhook/webhookEvents"
import { plansWith } from "@matchpoint/domain/plans"
import type { WebhookDescriptor } from "../../contract/http/data/referenceModels.ts"
import { STREAM_PATH } from "../../contract/http/streamPaths.ts"
import { cs2EventNames } from "../../contract/webhookEvents.ts"
import { matchId, teamId } from "../../rules/ids.ts"

const EXAMPLE_EVENT = "cs2.score.updated"
const example = { matchId: matchId(1001), epoch: 1, seq: 412 }

export const webhookDescriptor: WebhookDescriptor = {
  // The specification names PRO and BUSINESS. SCALE and ENTERPRISE have all that BUSINESS has, as `GET /plans` states.
  available_on_plans: plansWith("webhooks").map((plan) => plan.toUpperCase()),
  delivery_available: true,
  management_endpoint: `${API_ROOT}/webhooks`,
  create_endpoint: `POST ${API_ROOT}/webhooks`,
  events: cs2EventNames,
  example_payload: {
    event: EXAMPLE_EVENT,
    id: matchEventId(example.matchId, example.epoch, example.seq, EXAMPLE_EVENT),
    timestamp: "2026-11-22T12:00:00.000Z",
    data: {
      ...example,
      team1: { id: teamId(12), name: "Alpha Wolves" },
      team2: { id: teamId(34), name: "Beta Bears" },
      team1Score: 1,
      team2Score: 0,
      seriesScore: { team1: 0, team2: 0 },
      mapNumber: 1,
      currentMap: "de_mirage",
    },
  },
  signature_headers: ["X-Svc-Signature", "X-Svc-Event"],
  signing:
    "X-Svc-Signature is the HMAC-SHA256 of the raw request body as hex text without a prefix. The key is the secret of the webhook, exactly as issued. " +
    "Verify it before you parse the body. X-Svc-Event is the name of the event. " +
    "Requests also carry the Standard Webhooks headers webhook-id, webhook-timestamp and webhook-signature, which standard libraries verify.",
  live_sse_stream: `${API_ROOT}${STREAM_PATH}`,
  docs: "/docs",
}
