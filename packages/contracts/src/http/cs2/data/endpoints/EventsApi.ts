/**
 * Events (tournaments). Every path exists twice, as `/cs2/events...` and as `/cs2/tournaments...`, with one answer. An event that ended
 * before a plan's history begins is not in its lists, and asking for it by name answers 403.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../../../Authentication.ts"
import { ConditionalGet } from "../../../ConditionalGet.ts"
import { NoMeta, success, wholeNumber } from "../../../envelope.ts"
import { NotFound } from "../../../errors.ts"
import { archiveErrors, CursorPaging, cursorQuery, describe, Flag, rangeQuery } from "../../../listing.ts"
import { Metering, Section } from "../../../Metering.ts"
import { RequestRules } from "../../../RequestRules.ts"
import { ActivePaging, EventCalendar, EventParticipant, EventStandings, SparseEvent } from "../eventModels.ts"
import { fieldList } from "../fields.ts"
import { EventRow, EventStatus, EventTier, MatchStatus, MatchSummary } from "../models.ts"
import { EventReference, SearchText, Words } from "../references.ts"

const sparseQuery = { fields: fieldList(EventRow), summary: Schema.optionalKey(Flag) } as const
const natural = wholeNumber({ minimum: 0 })
const params = { eventId: EventReference } as const

/** `scheduled` is what other listings call `upcoming`. */
const status = Schema.optionalKey(Schema.Literals([...EventStatus.literals, "scheduled"]))

export const calendarQuery = { ...rangeQuery, ...cursorQuery, status } as const

/** Both spellings of each; the first wins. */
export const activeQuery = {
  ...cursorQuery,
  ...sparseQuery,
  includeUpcoming: Schema.optionalKey(Flag.annotate({ description: "Whether soon-starting events fill up the list; default true" })),
  include_upcoming: Schema.optionalKey(Flag.annotate({ description: "The same as `includeUpcoming`, which wins" })),
  upcomingLimit: Schema.optionalKey(natural.annotate({ description: "How many of them, 10 unless told" })),
  upcoming_limit: Schema.optionalKey(natural.annotate({ description: "The same as `upcomingLimit`, which wins" })),
} as const

export const eventListQuery = {
  ...cursorQuery,
  ...rangeQuery,
  ...sparseQuery,
  status,
  q: Schema.optionalKey(SearchText),
  tier: Schema.optionalKey(EventTier.annotate({ description: "Only events of this tier" })),
  region: Schema.optionalKey(Words.annotate({ description: "Only events of this region, as `/cs2/regions` lists them" })),
  lan: Schema.optionalKey(Flag.annotate({ description: "Only events on site, or only those online" })),
} as const

export const eventMatchesQuery = { ...cursorQuery, ...rangeQuery, status: Schema.optionalKey(MatchStatus) } as const

const eventGroup = <const Id extends string>(id: Id, path: "/cs2/events" | "/cs2/tournaments", title: string) =>
  HttpApiGroup.make(id)
    .add(
      HttpApiEndpoint.get("live", `${path}/live`, {
        query: cursorQuery,
        success: success(Schema.Array(EventRow), CursorPaging),
        error: archiveErrors,
      }).annotateMerge(describe("Being played", "Events being played now, the ones that end soonest first. `limit` is at most 100.")),
      HttpApiEndpoint.get("upcoming", `${path}/upcoming`, {
        query: cursorQuery,
        success: success(Schema.Array(EventRow), CursorPaging),
        error: archiveErrors,
      }).annotateMerge(describe("Scheduled", "Soonest first; without a date last. `limit` is at most 100.")),
      HttpApiEndpoint.get("recent", `${path}/recent`, {
        query: cursorQuery,
        success: success(Schema.Array(EventRow), CursorPaging),
        error: archiveErrors,
      }).annotateMerge(describe("Finished", "Newest first. `limit` is at most 100.")),
      HttpApiEndpoint.get("calendar", `${path}/calendar`, {
        query: calendarQuery,
        success: success(EventCalendar, CursorPaging),
        error: archiveErrors,
      }).annotateMerge(
        describe(
          "Calendar",
          "Events of which any day is between `from` and `to`, both inclusive, in the order they begin. Without `from`: from now on, or, with `to` or `status=completed`, from where the plan's history begins. `limit` is at most 250.",
        ),
      ),
      HttpApiEndpoint.get("active", `${path}/active`, {
        query: activeQuery,
        success: success(Schema.Array(SparseEvent), ActivePaging),
        error: archiveErrors,
      }).annotateMerge(
        describe(
          "In progress or about to start",
          "Events being played, then the soonest to start, of which `upcomingLimit` (default 10) fill up the list; `includeUpcoming=false` leaves them out. `fields` names the fields to answer with, `summary=true` those of a line of a list. `limit` is at most 250.",
        ),
      ),
      HttpApiEndpoint.get("list", path, {
        query: eventListQuery,
        success: success(Schema.Array(SparseEvent), CursorPaging),
        error: archiveErrors,
      }).annotateMerge(
        describe(
          "All events",
          "The latest to begin first; those without a date last. `from` and `to` are inclusive and keep events of which any day is between them. `fields` names the fields to answer with, `summary=true` those of a line of a list; `fields` wins. Rows are sparse: structure, prizes, stats and standings are one event's. `limit` is at most 100.",
        ),
      ),
      HttpApiEndpoint.get("one", `${path}/:eventIdOrSlug`, {
        params: { eventIdOrSlug: EventReference },
        success: success(EventRow, NoMeta),
        error: [...archiveErrors, NotFound],
      }).annotateMerge(describe("One event", "With its structure, standings, prizes, and how much was played.")),
      HttpApiEndpoint.get("participants", `${path}/:eventId/participants`, {
        params,
        query: cursorQuery,
        success: success(Schema.Array(EventParticipant), CursorPaging),
        error: [...archiveErrors, NotFound],
      }).annotateMerge(
        describe(
          "Participants",
          "Teams in the order of their seeds, then of their world ranking, with who played. `limit` is at most 100.",
        ),
      ),
      HttpApiEndpoint.get("matches", `${path}/:eventId/matches`, {
        params,
        query: eventMatchesQuery,
        success: success(Schema.Array(MatchSummary), CursorPaging),
        error: [...archiveErrors, NotFound],
      }).annotateMerge(describe("Matches of an event", "In the order they are played. `limit` is at most 100.")),
      HttpApiEndpoint.get("standings", `${path}/:eventId/standings`, {
        params,
        success: success(EventStandings, NoMeta),
        error: [...archiveErrors, NotFound],
      }).annotateMerge(
        describe(
          "Standings",
          "Places as the organiser gave them, and where he did not, ranked by matches won, matches lost and difference of maps. Maps of forfeits are not counted.",
        ),
      ),
    )
    .annotate(Section, "cs2")
    .middleware(ConditionalGet)
    .middleware(Metering)
    .middleware(Authentication)
    .middleware(RequestRules)
    .annotateMerge(OpenApi.annotations({ title, description: "Tournaments: calendar, participants, matches, standings." }))

export class EventsApi extends eventGroup("cs2-events", "/cs2/events", "CS2 events") {}

/** The same under its other name. */
export class TournamentsApi extends eventGroup("cs2-tournaments", "/cs2/tournaments", "CS2 tournaments") {}
