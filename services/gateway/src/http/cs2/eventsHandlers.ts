/** The endpoints of events, answered from the archive; those of `/cs2/tournaments` by the same functions. */

import type { activeQuery, calendarQuery, eventListQuery, eventMatchesQuery } from "@matchpoint/contracts/http/cs2/data/EventsApi"
import { ACTIVE_SORT, eventSummary, type SparseEvent } from "@matchpoint/contracts/http/cs2/data/eventModels"
import { namesOf } from "@matchpoint/contracts/http/cs2/data/fields"
import { dataLimits, isOn } from "@matchpoint/contracts/http/cs2/data/listing"
import type { EventRow, EventStatus } from "@matchpoint/contracts/http/cs2/data/models"
import { NotFound } from "@matchpoint/contracts/http/errors"
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { EventArchive, type EventFilter } from "@matchpoint/store/cs2/EventArchive"
import { Clock, Effect, Option, type Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { listed, listPage, one, since, until, withinHistory, withoutStore } from "./archive.ts"

type QueryOf<Fields extends Schema.Struct.Fields> = Schema.Schema.Type<Schema.Struct<Fields>>
interface Paged {
  readonly limit?: number
  readonly page?: number
  readonly offset?: number
}
interface Named {
  readonly params: { readonly eventId: string }
}

/** Soon-starting events that fill up the list of active ones, when nobody says how many. */
const UPCOMING_FILL = 10

const answers = Effect.gen(function* () {
  const events = yield* EventArchive

  const list = Effect.fnUntraced(function* (query: Paged, max: number, filter: Omit<EventFilter, "limit" | "offset">) {
    const page = listPage(query, max)
    const { rows, total } = yield* events.list({ ...filter, ...page })
    return { page, rows, total }
  })

  /** The event, when there is one and the caller's plan looks back so far. */
  const found = Effect.fnUntraced(function* (reference: string) {
    const event = Option.getOrUndefined(yield* events.one(reference))
    if (event === undefined) return yield* nothing
    const last = event.endsAt ?? event.startsAt
    if (last !== null) yield* withinHistory(at(last))
    return event
  })

  /** Its id alone, for what hangs on it. */
  const idOf = Effect.fnUntraced(function* (reference: string) {
    const event = Option.getOrUndefined(yield* events.find(reference))
    if (event === undefined) return yield* nothing
    if (event.lastDay !== null) yield* withinHistory(at(event.lastDay))
    return event.id
  })

  return {
    live: Effect.fnUntraced(
      function* ({ query }: { readonly query: Paged }) {
        const { page, rows, total } = yield* list(query, dataLimits.events, { status: "live", order: "endsSoonest" })
        return listed(page, rows, total)
      },
      Effect.catchTag("StoreError", withoutStore),
    ),
    upcoming: Effect.fnUntraced(
      function* ({ query }: { readonly query: Paged }) {
        const { page, rows, total } = yield* list(query, dataLimits.events, { status: "upcoming", order: "soonest" })
        return listed(page, rows, total)
      },
      Effect.catchTag("StoreError", withoutStore),
    ),
    recent: Effect.fnUntraced(
      function* ({ query }: { readonly query: Paged }) {
        const from = yield* since()
        const { page, rows, total } = yield* list(query, dataLimits.events, { status: "completed", from, order: "newestEnd" })
        return listed(page, rows, total)
      },
      Effect.catchTag("StoreError", withoutStore),
    ),
    calendar: Effect.fnUntraced(
      function* ({ query }: { readonly query: QueryOf<typeof calendarQuery> }) {
        const status = statusOf(query.status)
        const ahead = query.from === undefined && query.to === undefined && status !== "completed"
        const from = ahead ? at(yield* Clock.currentTimeMillis) : yield* since(query.from, query.to)
        const { page, rows, total } = yield* list(query, dataLimits.eventCalendar, { status, from, to: until(query.to), order: "soonest" })
        const { meta } = listed(page, rows, total)
        return {
          success: true as const,
          data: { entityType: "cs2_tournament_calendar" as const, dataAvailable: total > 0, events: rows },
          meta,
        }
      },
      Effect.catchTag("StoreError", withoutStore),
    ),
    active: Effect.fnUntraced(
      function* ({ query }: { readonly query: QueryOf<typeof activeQuery> }) {
        const page = listPage(query, dataLimits.eventsActive)
        const wanted = query.includeUpcoming ?? query.include_upcoming
        const filled = wanted === undefined || isOn(wanted)
        const upcoming = filled ? Math.min(query.upcomingLimit ?? query.upcoming_limit ?? UPCOMING_FILL, dataLimits.eventsActive) : 0
        const found = yield* events.active({ ...page, upcoming })
        const statusScope: ReadonlyArray<EventStatus> = filled ? ["live", "upcoming"] : ["live"]
        const total = found.active + found.filled
        return listed(page, found.rows.map(sparse(query)), total, {
          activeCount: found.active,
          upcomingFillCount: found.filled,
          dataAvailable: total > 0,
          sort: ACTIVE_SORT,
          statusScope,
        })
      },
      Effect.catchTag("StoreError", withoutStore),
    ),
    list: Effect.fnUntraced(
      function* ({ query }: { readonly query: QueryOf<typeof eventListQuery> }) {
        const { page, rows, total } = yield* list(query, dataLimits.events, {
          status: statusOf(query.status),
          from: yield* since(query.from, query.to),
          to: until(query.to),
          text: query.q,
          tier: query.tier,
          region: query.region?.toLowerCase(),
          isLan: query.lan === undefined ? undefined : isOn(query.lan),
          order: "newestStart",
        })
        return listed(page, rows.map(sparse(query)), total)
      },
      Effect.catchTag("StoreError", withoutStore),
    ),
    one: Effect.fnUntraced(
      function* ({ params }: { readonly params: { readonly eventIdOrSlug: string } }) {
        return one(yield* found(params.eventIdOrSlug))
      },
      Effect.catchTag("StoreError", withoutStore),
    ),
    participants: Effect.fnUntraced(
      function* ({ params, query }: Named & { readonly query: Paged }) {
        const id = yield* idOf(params.eventId)
        const page = listPage(query, dataLimits.events)
        const { rows, total } = yield* events.participants(id, page)
        return listed(page, rows, total)
      },
      Effect.catchTag("StoreError", withoutStore),
    ),
    matches: Effect.fnUntraced(
      function* ({ params, query }: Named & { readonly query: QueryOf<typeof eventMatchesQuery> }) {
        const id = yield* idOf(params.eventId)
        const page = listPage(query, dataLimits.matches)
        const from = yield* since(query.from, query.to)
        const { rows, total } = yield* events.matches(id, { ...page, from, to: until(query.to), status: query.status })
        return listed(page, rows, total)
      },
      Effect.catchTag("StoreError", withoutStore),
    ),
    standings: Effect.fnUntraced(
      function* ({ params }: Named) {
        const { id, standings } = yield* found(params.eventId)
        const isPlaced = Option.exists(yield* events.find(params.eventId), (event) => event.isPlaced)
        return one({
          entityType: "cs2_event_standings" as const,
          eventId: id,
          dataAvailable: standings.length > 0,
          source: standings.length === 0 ? null : isPlaced ? ("organiser" as const) : ("computed" as const),
          standings,
        })
      },
      Effect.catchTag("StoreError", withoutStore),
    ),
  }
})

/** Of ISO 8601 as the store tells it, or epoch ms. */
const at = (instant: string | number): Date => new Date(instant)

const nothing = Effect.fail(NotFound.of("there is no event of this id or slug; GET /cs2/events lists them"))

const statusOf = (status: EventStatus | "scheduled" | undefined): EventStatus | undefined => (status === "scheduled" ? "upcoming" : status)

/** The fields that were asked for, and the id. */
const sparse = (query: QueryOf<Pick<typeof eventListQuery, "fields" | "summary">>) => {
  const named = query.fields === undefined ? new Set<string>() : namesOf(query.fields)
  const kept = named.size > 0 ? named : isOn(query.summary) ? eventSummary : undefined
  return (row: EventRow): SparseEvent =>
    kept === undefined ? row : { ...Object.fromEntries(Object.entries(row).filter(([name]) => kept.has(name))), id: row.id }
}

export const EventsHandlers = HttpApiBuilder.group(
  MatchpointApi,
  "cs2-events",
  Effect.fn(function* (handlers) {
    return handlers.handleAll(yield* answers)
  }),
)

export const TournamentsHandlers = HttpApiBuilder.group(
  MatchpointApi,
  "cs2-tournaments",
  Effect.fn(function* (handlers) {
    return handlers.handleAll(yield* answers)
  }),
)
