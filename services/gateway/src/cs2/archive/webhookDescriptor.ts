/**
 * The response of `/cs2/webhooks`: the planned events and how they will be signed. The response also states that
 * webhooks are not delivered yet.
 */
import type { WebhookDescriptor } from "@matchpoint/contracts/http/cs2/data/referenceModels"
import { STREAM_PATH } from "@matchpoint/contracts/http/cs2/streamPaths"
import { API_ROOT } from "@matchpoint/contracts/http/MatchpointApi"

export const webhookDescriptor: WebhookDescriptor = {
  available_on_plans: ["PRO", "BUSINESS"],
  delivery_available: false,
  management_endpoint: `${API_ROOT}/webhooks`,
  create_endpoint: `POST ${API_ROOT}/webhooks`,
  events: ["cs2.match.started", "cs2.match.live_started"],
  example_payload: {
    event: "cs2.score.updated",
    id: "evt_cs2-match-1001.1.412",
    timestamp: "2026-11-22T12:00:00.000Z",
    data: { matchId: "cs2-match-1001", team1Score: 1, team2Score: 0, currentMap: "de_mirage" },
  },
  signature_headers: ["X-Svc-Signature", "X-Svc-Event"],
  signing:
    "Deliveries will be signed with the secret of the webhook, in X-Svc-Signature; X-Svc-Event names the event. This server does not deliver yet: follow the stream instead.",
  live_sse_stream: `${API_ROOT}${STREAM_PATH}`,
  docs: "/docs",
}
