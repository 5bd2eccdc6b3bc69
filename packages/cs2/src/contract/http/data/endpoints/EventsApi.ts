/**
 * Endpoints for events, that is, tournaments. Each has two paths, `/cs2/events...` and `/cs2/tournaments...`, with
 * identical responses. An event that ended before the period of the caller's plan is omitted from lists, and a request
 * for it by id or slug is rejected with 403.
 */
import { NoMeta, success, wholeNumber } from "@matchpoint/contracts/http/envelope"
import { NotFound } from "@matchpoint/contracts/http/errors"
import { archiveErrors, CursorPaging, cursorQuery, describe, Flag, rangeQuery } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ActivePaging, EventCalendar, EventParticipant, EventStandings, SparseEvent } from "../eventModels.ts"
import { fieldList } from "../fields.ts"
import { EventRow, EventStatus, EventTier, MatchStatus, MatchSummary } from "../models.ts"
import { EventReference, PlainText, SearchText } from "../references.ts"

const sparseQuery = { fields: fieldList(EventRow), summary: Schema.optionalKey(Flag) } as const
const natural = wholeNumber({ minimum: 0 })
const params = { eventId: EventReference } as const

/** The status values `scheduled` and `upcoming` mean the same. */
const status = Schema.optionalKey(Schema.Literals([...EventStatus.literals, "scheduled"]))

export const calendarQuery = { ...rangeQuery, ...cursorQuery, status } as const

/** `includeUpcoming` and `upcomingLimit` also exist in snake_case. The camelCase spelling takes precedence. */
export const activeQuery = {
  ...cursorQuery,
  ...sparseQuery,
  includeUpcoming: Schema.optionalKey(Flag.annotate({ description: "Whether to append events that start soon. Default true" })),
  include_upcoming: Schema.optionalKey(Flag.annotate({ description: "Alias of `includeUpcoming`, which takes precedence" })),
  upcomingLimit: Schema.optionalKey(natural.annotate({ description: "Maximum number of events that start soon. Default 10" })),
  upcoming_limit: Schema.optionalKey(natural.annotate({ description: "Alias of `upcomingLimit`, which takes precedence" })),
} as const

export const eventListQuery = {
  ...cursorQuery,
  ...rangeQuery,
  ...sparseQuery,
  status,
  q: Schema.optionalKey(SearchText),
  tier: Schema.optionalKey(EventTier.annotate({ description: "Only events of this tier" })),
  region: Schema.optionalKey(PlainText.annotate({ description: "Only events of this region, an id of `/cs2/regions`" })),
  lan: Schema.optionalKey(Flag.annotate({ description: "true: only events on site. false: only online events" })),
} as const

export const eventMatchesQuery = { ...cursorQuery, ...rangeQuery, status: Schema.optionalKey(MatchStatus) } as const

const eventGroup = <const Id extends string>(id: Id, path: "/cs2/events" | "/cs2/tournaments", title: string) =>
  HttpApiGroup.make(id)
    .add(
      HttpApiEndpoint.get("live", `${path}/live`, {
        query: cursorQuery,
        success: success(Schema.Array(EventRow), CursorPaging),
        error: archiveErrors,
      }).annotateMerge(describe("Live events", "Events in progress, earliest end first. `limit` is at most 100.")),
      HttpApiEndpoint.get("upcoming", `${path}/upcoming`, {
        query: cursorQuery,
        success: success(Schema.Array(EventRow), CursorPaging),
        error: archiveErrors,
      }).annotateMerge(
        describe("Upcoming events", "Scheduled events, earliest start first; events without a date come last. `limit` is at most 100."),
      ),
      HttpApiEndpoint.get("recent", `${path}/recent`, {
        query: cursorQuery,
        success: success(Schema.Array(EventRow), CursorPaging),
        error: archiveErrors,
      }).annotateMerge(describe("Finished events", "Finished events, newest first. `limit` is at most 100.")),
      HttpApiEndpoint.get("calendar", `${path}/calendar`, {
        query: calendarQuery,
        success: success(EventCalendar, CursorPaging),
        error: archiveErrors,
      }).annotateMerge(
        describe(
          "Event calendar",
          "Events with at least one day between `from` and `to` (both inclusive), earliest start first. Default of `from`: now; with `to` or `status=completed`, the start of your plan's history. `limit` is at most 250.",
        ),
      ),
      HttpApiEndpoint.get("active", `${path}/active`, {
        query: activeQuery,
        success: success(Schema.Array(SparseEvent), ActivePaging),
        error: archiveErrors,
      }).annotateMerge(
        describe(
          "Active events",
          "Events in progress, then up to `upcomingLimit` (default 10) events that start next. `includeUpcoming=false` leaves the second group out. `fields` selects the fields of each row; `summary=true` selects a short set of them. `limit` is at most 250.",
        ),
      ),
      HttpApiEndpoint.get("list", path, {
        query: eventListQuery,
        success: success(Schema.Array(SparseEvent), CursorPaging),
        error: archiveErrors,
      }).annotateMerge(
        describe(
          "All events",
          "Latest start first; events without a date come last. `from` and `to` (both inclusive) select events with at least one day between them. `fields` selects the fields of each row; `summary=true` selects a short set of them; `fields` takes precedence. Rows leave out structure, prizes, stats and standings, which `/{eventIdOrSlug}` returns. `limit` is at most 100.",
        ),
      ),
      HttpApiEndpoint.get("one", `${path}/:eventIdOrSlug`, {
        params: { eventIdOrSlug: EventReference },
        success: success(EventRow, NoMeta),
        error: [...archiveErrors, NotFound],
      }).annotateMerge(
        describe("One event", "The event with its structure, standings, prizes, and its number of matches, maps, rounds and players."),
      ),
      HttpApiEndpoint.get("participants", `${path}/:eventId/participants`, {
        params,
        query: cursorQuery,
        success: success(Schema.Array(EventParticipant), CursorPaging),
        error: [...archiveErrors, NotFound],
      }).annotateMerge(
        describe("Participants", "Teams by seed, then by world ranking, with the players who played for them. `limit` is at most 100."),
      ),
      HttpApiEndpoint.get("matches", `${path}/:eventId/matches`, {
        params,
        query: eventMatchesQuery,
        success: success(Schema.Array(MatchSummary), CursorPaging),
        error: [...archiveErrors, NotFound],
      }).annotateMerge(describe("Matches of an event", "Matches in playing order. `limit` is at most 100.")),
      HttpApiEndpoint.get("standings", `${path}/:eventId/standings`, {
        params,
        success: success(EventStandings, NoMeta),
        error: [...archiveErrors, NotFound],
      }).annotateMerge(
        describe(
          "Standings",
          "Places published by the organiser. If there are none, teams are ranked by matches won, matches lost and map difference. Maps of forfeits are not counted.",
        ),
      ),
    )
    .pipe(sectionReads("cs2"))
    .annotateMerge(OpenApi.annotations({ title, description: "Tournaments: calendar, participants, matches, standings." }))

export class EventsApi extends eventGroup("cs2-events", "/cs2/events", "CS2 events") {}

export class TournamentsApi extends eventGroup("cs2-tournaments", "/cs2/tournaments", "CS2 tournaments") {}
