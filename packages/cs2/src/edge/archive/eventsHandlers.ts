/** Handlers of the event endpoints, which read the archive. The `/cs2/tournaments` endpoints share these functions. */
import { NotFound } from "@matchpoint/contracts/http/errors"
import { type cursorQuery, isOn } from "@matchpoint/contracts/http/listing"
import { listHandler, one, reading, since, until, withinHistory } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import type { PageWindow } from "@matchpoint/store/paging/listReader"
import { Clock, Effect, Option, type Schema } from "effect"
import { EventArchive, type EventFilter } from "../../archive/events/EventArchive.ts"
import { Cs2Api } from "../../contract/http/Cs2Api.ts"
import { dataLimits } from "../../contract/http/data/dataLimits.ts"
import type { activeQuery, calendarQuery, eventListQuery, eventMatchesQuery } from "../../contract/http/data/endpoints/EventsApi.ts"
import { ACTIVE_SORT, eventSummary, type SparseEvent } from "../../contract/http/data/eventModels.ts"
import { namesOf } from "../../contract/http/data/fields.ts"
import type { EventRow, EventStatus } from "../../contract/http/data/models.ts"

type QueryOf<Fields extends Schema.Struct.Fields> = Schema.Schema.Type<Schema.Struct<Fields>>
interface Paged {
  readonly query: QueryOf<typeof cursorQuery>
}
interface Named {
  readonly params: { readonly eventId: string }
}

/** Default number of upcoming events that are appended to the list of active events. */
const UPCOMING_FILL = 10

const answers = Effect.gen(function* () {
  const events = yield* EventArchive

  const list = (filter: Omit<EventFilter, "limit" | "offset">) => (_: Paged, window: PageWindow) => events.list({ ...filter, ...window })

  /** Finds an event by id or slug. Fails if there is none or it is older than the caller's plan gives access to. */
  const found = Effect.fnUntraced(function* (reference: string) {
    const event = Option.getOrUndefined(yield* events.one(reference))
    if (event === undefined) return yield* nothing
    const last = event.endsAt ?? event.startsAt
    if (last !== null) yield* withinHistory(at(last))
    return event
  })

  /** Like `found`, but returns only the id, for endpoints that list participants or matches. */
  const idOf = Effect.fnUntraced(function* (reference: string) {
    const event = Option.getOrUndefined(yield* events.find(reference))
    if (event === undefined) return yield* nothing
    if (event.lastDay !== null) yield* withinHistory(at(event.lastDay))
    return event.id
  })

  return {
    live: listHandler({ max: dataLimits.events }, list({ status: "live", order: "endsSoonest" })),
    upcoming: listHandler({ max: dataLimits.events }, list({ status: "upcoming", order: "soonest" })),
    recent: listHandler(
      { max: dataLimits.events },
      Effect.fnUntraced(function* (_: Paged, window) {
        return yield* events.list({ ...window, status: "completed", from: yield* since(), order: "newestEnd" })
      }),
    ),
    calendar: listHandler(
      { max: dataLimits.eventCalendar },
      Effect.fnUntraced(function* ({ query }: { readonly query: QueryOf<typeof calendarQuery> }, window) {
        const status = statusOf(query.status)
        const ahead = query.from === undefined && query.to === undefined && status !== "completed"
        const from = ahead ? at(yield* Clock.currentTimeMillis) : yield* since(query.from, query.to)
        return yield* events.list({ ...window, status, from, to: until(query.to), order: "soonest" })
      }),
      { data: ({ rows, total }) => ({ entityType: "cs2_tournament_calendar" as const, dataAvailable: total > 0, events: rows }) },
    ),
    active: listHandler(
      { max: dataLimits.eventsActive },
      ({ query }: { readonly query: QueryOf<typeof activeQuery> }, window) =>
        events.active({
          ...window,
          upcoming: isFilled(query) ? Math.min(query.upcomingLimit ?? query.upcoming_limit ?? UPCOMING_FILL, dataLimits.eventsActive) : 0,
        }),
      {
        data: ({ rows }, { query }) => rows.map(sparse(query)),
        meta: ({ active, filled, total }, { query }) => ({
          activeCount: active,
          upcomingFillCount: filled,
          dataAvailable: total > 0,
          sort: ACTIVE_SORT,
          statusScope: (isFilled(query) ? ["live", "upcoming"] : ["live"]) satisfies ReadonlyArray<EventStatus>,
        }),
      },
    ),
    list: listHandler(
      { max: dataLimits.events },
      Effect.fnUntraced(function* ({ query }: { readonly query: QueryOf<typeof eventListQuery> }, window) {
        return yield* events.list({
          ...window,
          status: statusOf(query.status),
          from: yield* since(query.from, query.to),
          to: until(query.to),
          text: query.q,
          tier: query.tier,
          region: query.region?.toLowerCase(),
          isLan: query.lan === undefined ? undefined : isOn(query.lan),
          order: "newestStart",
        })
      }),
      { data: ({ rows }, { query }) => rows.map(sparse(query)) },
    ),
    one: reading(function* ({ params }: { readonly params: { readonly eventIdOrSlug: string } }) {
      return one(yield* found(params.eventIdOrSlug))
    }),
    participants: listHandler(
      { max: dataLimits.events },
      Effect.fnUntraced(function* ({ params }: Named & Paged, window) {
        return yield* events.participants(yield* idOf(params.eventId), window)
      }),
    ),
    matches: listHandler(
      { max: dataLimits.matches },
      Effect.fnUntraced(function* ({ params, query }: Named & { readonly query: QueryOf<typeof eventMatchesQuery> }, window) {
        const id = yield* idOf(params.eventId)
        const from = yield* since(query.from, query.to)
        return yield* events.matches(id, { ...window, from, to: until(query.to), status: query.status })
      }),
    ),
    standings: reading(function* ({ params }: Named) {
      const { id, standings } = yield* found(params.eventId)
      const isPlaced = Option.exists(yield* events.find(params.eventId), (event) => event.isPlaced)
      return one({
        entityType: "cs2_event_standings" as const,
        eventId: id,
        dataAvailable: standings.length > 0,
        source: standings.length === 0 ? null : isPlaced ? ("organiser" as const) : ("computed" as const),
        standings,
      })
    }),
  }
})

/** Times from the database are ISO 8601 strings or epoch milliseconds. */
const at = (instant: string | number): Date => new Date(instant)

const nothing = Effect.fail(NotFound.of("no event has this id or slug; GET /cs2/events lists all events"))

/** Upcoming events are appended to the active ones unless the query disables it. */
const isFilled = (query: QueryOf<Pick<typeof activeQuery, "includeUpcoming" | "include_upcoming">>): boolean => {
  const wanted = query.includeUpcoming ?? query.include_upcoming
  return wanted === undefined || isOn(wanted)
}

const statusOf = (status: EventStatus | "scheduled" | undefined): EventStatus | undefined => (status === "scheduled" ? "upcoming" : status)

/** Reduces a row to the requested fields and the id. Without `fields` or `summary`, rows are unchanged. */
const sparse = (query: QueryOf<Pick<typeof eventListQuery, "fields" | "summary">>) => {
  const named = query.fields === undefined ? new Set<string>() : namesOf(query.fields)
  const kept = named.size > 0 ? named : isOn(query.summary) ? eventSummary : undefined
  return (row: EventRow): SparseEvent =>
    kept === undefined ? row : { ...Object.fromEntries(Object.entries(row).filter(([name]) => kept.has(name))), id: row.id }
}

export const EventsHandlers = endpointGroup(
  Cs2Api,
  "cs2-events",
  Effect.fn(function* (handlers) {
    return handlers.handleAll(yield* answers)
  }),
)

export const TournamentsHandlers = endpointGroup(
  Cs2Api,
  "cs2-tournaments",
  Effect.fn(function* (handlers) {
    return handlers.handleAll(yield* answers)
  }),
)
