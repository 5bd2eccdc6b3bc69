/**
 * Webhook events of finished requests that asked for one. An event is stored at least once and has the same id each
 * time, so that customers receive it once.
 */
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { type TranscriptEventName, transcriptEventId } from "@matchpoint/contracts/webhook/transcriptEvents"
import type { FinishedRequest, TranscriptAnnouncements } from "@matchpoint/store/transcripts/TranscriptAnnouncements"
import type { NewWebhookEvent, WebhookEvents } from "@matchpoint/store/webhooks/WebhookEvents"
import { Effect } from "effect"

/** Stores the events of all requests that have finished since the last call. */
export const announceFinished = Effect.fnUntraced(function* (
  announcements: TranscriptAnnouncements["Service"],
  events: WebhookEvents["Service"],
) {
  const finished = yield* announcements.due
  if (finished.length === 0) return
  yield* events.write(finished.map(eventOf))
  yield* announcements.done(finished.map(({ requestId }) => requestId))
})

const eventOf = (request: FinishedRequest): NewWebhookEvent => {
  const { accountId, createdAt, duration, error, finishedAt, format, language, platform, requestId, url } = request
  const eventId = transcriptEventId(requestId)
  const name: TranscriptEventName = error === null ? "transcript.completed" : "transcript.failed"
  const data = {
    job_id: requestId,
    platform,
    url,
    format,
    ...(error === null ? { language, duration } : { error }),
    job_url: `${API_ROOT}/transcript/jobs/${requestId}`,
    created_at: new Date(createdAt).toISOString(),
    finished_at: new Date(finishedAt).toISOString(),
  }
  return {
    eventId,
    name,
    game: "transcript",
    // Each request has its own lane, so that a failed delivery does not delay others.
    lane: eventId,
    epoch: 0,
    seq: 0,
    place: 0,
    teamIds: [],
    playerIds: [],
    occurredAt: finishedAt,
    data: JSON.stringify(data),
    accountId,
  }
}
