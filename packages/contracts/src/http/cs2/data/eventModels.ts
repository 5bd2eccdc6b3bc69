/** What only the endpoints of events answer with. The event itself is `models.ts`'. */

import { EventId } from "@matchpoint/domain/cs2/ids"
import { Schema, Struct } from "effect"
import { cursorPaging } from "../../listing.ts"
import { EventRow, EventStanding, EventStatus, PlayerCard, Team } from "./models.ts"

const nullable = Schema.NullOr
const Count = Schema.Natural

/** A row of which a caller may leave out what he does not need. */
export const SparseEvent = EventRow.mapFields(Struct.map(Schema.optionalKey))
  .mapFields(Struct.assign({ id: EventId }))
  .annotate({ identifier: "SparseEvent", description: "An event; with `fields` or `summary`, only some of its fields" })
export type SparseEvent = typeof SparseEvent.Type

/** What `summary=true` leaves of a row: enough for a line of a list. */
export const eventSummary: ReadonlySet<string> = new Set<keyof EventRow>([
  "entityType",
  "eventId",
  "id",
  "name",
  "slug",
  "status",
  "startsAt",
  "endsAt",
  "tier",
  "region",
  "isLan",
  "location",
  "prizePool",
  "currency",
  "teamCount",
  "logoUrl",
])

export const EventCalendar = Schema.Struct({
  entityType: Schema.Literal("cs2_tournament_calendar"),
  dataAvailable: Schema.Boolean,
  events: Schema.Array(EventRow),
}).annotate({ identifier: "EventCalendar" })

/** How active events are sorted: those being played first, the ones that began longest ago first; then the soonest. */
export const ACTIVE_SORT = "status,startsAt" as const

export const ActivePaging = Schema.Struct({
  ...cursorPaging,
  activeCount: Count.annotate({ description: "Events being played now, on all pages" }),
  upcomingFillCount: Count.annotate({ description: "Soon-starting events behind them, on all pages" }),
  dataAvailable: Schema.Boolean,
  sort: Schema.Literal(ACTIVE_SORT),
  statusScope: Schema.Array(EventStatus),
}).annotate({ identifier: "ActivePaging" })

export const EventParticipant = Schema.Struct({
  team: Team,
  seed: nullable(Count),
  placement: nullable(Schema.String),
  prize: nullable(Count),
  matchesPlayed: Count,
  matchesWon: Count,
  matchesLost: Count,
  players: Schema.Array(PlayerCard).annotate({ description: "Who stood in for it at this event, coaches left out" }),
}).annotate({ identifier: "EventParticipant" })
export type EventParticipant = typeof EventParticipant.Type

export const EventStandings = Schema.Struct({
  entityType: Schema.Literal("cs2_event_standings"),
  eventId: EventId,
  dataAvailable: Schema.Boolean,
  source: nullable(Schema.Literals(["organiser", "computed"])).annotate({
    description: "`organiser`: places as they were given out; `computed`: ranked by matches won, lost, and difference of maps",
  }),
  standings: Schema.Array(EventStanding),
}).annotate({ identifier: "EventStandings" })
export type EventStandings = typeof EventStandings.Type
