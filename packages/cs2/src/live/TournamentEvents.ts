/**
 * Reports starts and ends of tournaments, which the archive knows from importers, as webhook events. The id of an event
 * depends only on the tournament, so each change is reported once, however many processes look for it.
 */
import { type NewWebhookEvent, WebhookEvents } from "@matchpoint/store/webhooks/WebhookEvents"
import { Duration, Effect, Layer } from "effect"
import { type TournamentChange, TournamentChanges } from "../archive/events/TournamentChanges.ts"
import { CS2 } from "../rules/live/cs2Rules.ts"

const LOOK_EVERY = Duration.minutes(1)

/**
 * Older changes are not reported, so that an import of old tournaments reports nothing. Must be shorter than the time
 * for which events are stored, because a deleted event would be reported again.
 */
const REPORT_WITHIN = Duration.days(2)

const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** `seq` is 1 for the start and 2 for the end. */
export const tournamentEvent = (change: TournamentChange): NewWebhookEvent => {
  const { eventId, location, name, slug, tier } = change
  const event = `tournament.${change.change}`
  return {
    eventId: `evt_${eventId}.${event}`,
    name: event,
    game: CS2,
    lane: eventId,
    epoch: 1,
    seq: change.change === "started" ? 1 : 2,
    place: 0,
    teamIds: [],
    playerIds: [],
    occurredAt: change.at,
    data: JSON.stringify({
      game: CS2,
      tournamentId: eventId,
      name,
      slug,
      tier,
      location,
      startsAt: isoOrNull(change.startsAt),
      endsAt: isoOrNull(change.endsAt),
    }),
  }
}

/** Events that are already stored are ignored. */
export const reportTournaments = Effect.gen(function* () {
  const changes = yield* TournamentChanges
  const events = yield* WebhookEvents
  yield* events.write((yield* changes.within(REPORT_WITHIN)).map(tournamentEvent))
})

export class TournamentEvents {
  static readonly layer = Layer.effectDiscard(
    reportTournaments.pipe(
      Effect.catchCause((cause) => Effect.logWarning("cannot report starts and ends of tournaments; retrying", cause)),
      Effect.andThen(Effect.sleep(LOOK_EVERY)),
      Effect.forever,
      Effect.annotateLogs({ service: "webhooks" }),
      Effect.forkScoped,
    ),
  )
}
