/** Models of the event endpoints. The model of the event (tournament) itself is in `models.ts`. */
import { cursorPaging } from "@matchpoint/contracts/http/listing"
import { Schema, Struct } from "effect"
import { EventId } from "../../../rules/ids.ts"
import { EventRow, EventStanding, EventStatus, PlayerCard, Team } from "./models.ts"

const nullable = Schema.NullOr
const Count = Schema.Natural

/** All fields except the id are optional, because the caller may have selected only some. */
export const SparseEvent = EventRow.mapFields(Struct.map(Schema.optionalKey))
  .mapFields(Struct.assign({ id: EventId }))
  .annotate({ identifier: "SparseEvent", description: "An event. With `fields` or `summary`, it has only the selected fields" })
export type SparseEvent = typeof SparseEvent.Type

/** Fields with `summary=true`: enough to show the event as one line in a list. */
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

/** Events in progress first, the earliest start first. Then the events that start next. */
export const ACTIVE_SORT = "status,startsAt" as const

export const ActivePaging = Schema.Struct({
  ...cursorPaging,
  activeCount: Count.annotate({ description: "Events in progress, on all pages" }),
  upcomingFillCount: Count.annotate({ description: "Appended events that start soon, on all pages" }),
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
  players: Schema.Array(PlayerCard).annotate({ description: "Players who played for the team at this event, without coaches" }),
}).annotate({ identifier: "EventParticipant" })
export type EventParticipant = typeof EventParticipant.Type

export const EventStandings = Schema.Struct({
  entityType: Schema.Literal("cs2_event_standings"),
  eventId: EventId,
  dataAvailable: Schema.Boolean,
  source: nullable(Schema.Literals(["organiser", "computed"])).annotate({
    description: "`organiser`: places published by the organiser; `computed`: ranked by matches won, matches lost and map difference",
  }),
  standings: Schema.Array(EventStanding),
}).annotate({ identifier: "EventStandings" })
export type EventStandings = typeof EventStandings.Type
