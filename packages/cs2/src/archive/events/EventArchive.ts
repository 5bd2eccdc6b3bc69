/** Reads events (tournaments) from the archive in the format of API responses. */
import { PgClient } from "@effect/sql-pg"
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Counter } from "@matchpoint/store/Counter"
import type { Order } from "@matchpoint/store/paging/cursor"
import { type ForeignCursor, type Listed, type PageWindow, readList, readPage } from "@matchpoint/store/paging/listReader"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Option, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { EventParticipant } from "../../contract/http/data/eventModels.ts"
import { EventRow, type EventStatus, type MatchStatus, MatchSummary } from "../../contract/http/data/models.ts"
import { EventId } from "../../rules/ids.ts"
import { eventJson, matchJoins, matchJson } from "../fragments.ts"
import { matchesSoonest, ofMatches } from "../matches/MatchArchive.ts"
import { eventNumberOf } from "../references.ts"
import { named } from "../search/words.ts"
import { eventStatsJson, participantJson, prizesJson, standingsJson, structureJson } from "./eventSql.ts"

/** Sort order of event lists, by start or end date. Events for which the date is unknown come last in every order. */
export type EventOrder = "soonest" | "endsSoonest" | "newestEnd" | "newestStart"

/** With `from` and `to`: events that take place on at least one day of this period, both ends included. */
export interface EventFilter extends PageWindow {
  readonly status?: EventStatus | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly text?: string | undefined
  readonly tier?: string | undefined
  readonly region?: string | undefined
  readonly isLan?: boolean | undefined
  readonly order: EventOrder
}

/** Selects all running events and, after them, at most `upcoming` upcoming events, soonest first. */
export interface ActiveFilter extends PageWindow {
  readonly upcoming: number
}

/** Both counts refer to all pages: `active` counts running events, `filled` the upcoming events in the list. */
export interface ActiveEvents extends Listed<EventRow> {
  readonly active: number
  readonly filled: number
}

/** `isPlaced`: a source reported the final place of at least one team. If false, match results give the standings. */
const FoundEvent = Schema.Struct({ id: EventId, lastDay: Schema.NullOr(Timestamp), isPlaced: Schema.Boolean })
export type FoundEvent = typeof FoundEvent.Type

export interface EventMatchFilter extends PageWindow {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly status?: MatchStatus | undefined
}

export class EventArchive extends Context.Service<
  EventArchive,
  {
    readonly list: (filter: EventFilter) => Effect.Effect<Listed<EventRow>, StoreError | ForeignCursor>
    readonly active: (filter: ActiveFilter) => Effect.Effect<ActiveEvents, StoreError | ForeignCursor>
    /** Finds an event by id or slug and returns its last day, or its first day if the end is unknown. */
    readonly find: (reference: string) => Effect.Effect<Option.Option<FoundEvent>, StoreError>
    readonly one: (reference: string) => Effect.Effect<Option.Option<EventRow>, StoreError>
    readonly participants: (reference: string, window: PageWindow) => Effect.Effect<Listed<EventParticipant>, StoreError | ForeignCursor>
    /** Lists the matches of an existing event in playing order. */
    readonly matches: (reference: string, filter: EventMatchFilter) => Effect.Effect<Listed<MatchSummary>, StoreError | ForeignCursor>
  }
>()("@matchpoint/cs2/archive/events/EventArchive") {
  static readonly layer = Layer.effect(
    EventArchive,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const inState: Record<EventStatus, Fragment> = {
        upcoming: sql`(e.starts_at > now() OR e.starts_at IS NULL) AND (e.ends_at >= now() OR e.ends_at IS NULL)`,
        live: sql`e.starts_at <= now() AND (e.ends_at >= now() OR e.ends_at IS NULL)`,
        completed: sql`e.ends_at < now()`,
      }

      const where = ({ from, isLan, region, status, text, tier, to }: EventFilter) =>
        sql.and([
          status === undefined ? sql`true` : inState[status],
          ...(from === undefined ? [] : [sql`(COALESCE(e.ends_at, e.starts_at) >= ${from} OR COALESCE(e.ends_at, e.starts_at) IS NULL)`]),
          ...(to === undefined ? [] : [sql`COALESCE(e.starts_at, e.ends_at) <= ${to}`]),
          ...(text === undefined ? [] : [named(sql, "event", "e.event_number", text)]),
          ...(tier === undefined ? [] : [sql`e.tier = ${tier}`]),
          ...(region === undefined ? [] : [sql`e.region = ${region}`]),
          ...(isLan === undefined ? [] : [sql`e.is_lan = ${isLan}`]),
        ])

      const soonest = (limit: number) =>
        sql`SELECT event_number FROM cs2_events e WHERE ${inState.upcoming} AND e.starts_at IS NOT NULL
            ORDER BY e.starts_at, e.event_number LIMIT ${limit}`

      const countActive = Effect.fnUntraced(
        function* (upcoming: number) {
          const [counted] = yield* Effect.flatMap(
            sql`
            SELECT (SELECT count(*) FROM cs2_events e WHERE ${inState.live}) AS active,
              (SELECT count(*) FROM (${soonest(upcoming)}) AS soon) AS filled`,
            decodeActive,
          )
          return counted
        },
        storeOperation("EventArchive.active", timeout),
      )

      const matchesWhere = (reference: string, { from, status, to }: EventMatchFilter) =>
        sql.and([
          sql`s.event_number = ${eventNumberOf(sql, reference)}`,
          ...(from === undefined ? [] : [sql`s.starts_at >= ${from}`]),
          ...(to === undefined ? [] : [sql`s.starts_at <= ${to}`]),
          ...(status === undefined ? [] : [sql`s.status = ${status}`]),
        ])

      const listOf = (from: Fragment, order: Order) => ({ model: EventRow, order, ...ofEvents, from, row: eventJson(sql, "e") })

      return EventArchive.of({
        list: (filter) =>
          readList(sql, listOf(sql`cs2_events e WHERE ${where(filter)}`, orders[filter.order]), filter, {
            name: "EventArchive.list",
            timeout,
          }),
        active: Effect.fn("EventArchive.active")(function* ({ upcoming, ...window }) {
          const from = sql`cs2_events e WHERE ((${inState.live}) OR e.event_number IN (${soonest(upcoming)}))`
          const page = yield* readPage(sql, listOf(from, ACTIVE), window, { name: "EventArchive.active", timeout })
          const counted = yield* countActive(upcoming)
          return { ...page, ...counted, total: counted.active + counted.filled }
        }),
        find: storeFn("EventArchive.find", timeout, function* (reference) {
          const rows = yield* foundEvents(sql`
            SELECT jsonb_build_object('id', cs2_event_id(event_number), 'lastDay', iso_utc(COALESCE(ends_at, starts_at)),
              'isPlaced', (SELECT count(placement) > 0 FROM cs2_event_teams et WHERE et.event_number = e.event_number)) AS row
            FROM cs2_events e WHERE event_number = ${eventNumberOf(sql, reference)}`)
          return Option.fromUndefinedOr(rows[0])
        }),
        one: storeFn("EventArchive.one", timeout, function* (reference) {
          const rows = yield* eventRows(sql`
            SELECT ${eventJson(sql, "e")} || jsonb_build_object('eventStructure', ${structureJson(sql)},
              'prizeDistribution', ${prizesJson(sql)}, 'stats', ${eventStatsJson(sql)}, 'standings', ${standingsJson(sql)}) AS row
            FROM cs2_events e WHERE e.event_number = ${eventNumberOf(sql, reference)}`)
          return Option.fromUndefinedOr(rows[0])
        }),
        participants: (reference, window) =>
          readList(
            sql,
            {
              model: EventParticipant,
              order: BY_SEED,
              from: sql`cs2_event_teams et JOIN cs2_teams t USING (team_number) WHERE et.event_number = ${eventNumberOf(sql, reference)}`,
              of: "cs2_event_teams et",
              key: ["event_number", "team_number"],
              joins: sql`JOIN cs2_teams t ON t.team_number = et.team_number`,
              row: participantJson(sql),
            },
            window,
            { name: "EventArchive.participants", timeout },
          ),
        matches: (reference, filter) =>
          readList(
            sql,
            {
              model: MatchSummary,
              order: matchesSoonest,
              ...ofMatches,
              from: sql`cs2_series s WHERE ${matchesWhere(reference, filter)}`,
              joins: matchJoins(sql),
              row: matchJson(sql, "s", "t1", "t2", "e"),
            },
            filter,
            { name: "EventArchive.matches", timeout },
          ),
      })
    }),
  )
}

const foundEvents = rowsOf(FoundEvent)
const eventRows = rowsOf(EventRow)
const decodeActive = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ active: Counter, filled: Counter })))

const ofEvents = { of: "cs2_events e", key: ["event_number"] } as const

const eventsBy = (name: string, column: "starts_at" | "ends_at", descending: boolean): Order => ({
  name: `events-${name}`,
  keys: [
    { of: `e.${column}`, type: "timestamptz", descending, nullable: true },
    { of: "e.event_number", type: "bigint", descending },
  ],
})

const orders: Record<EventOrder, Order> = {
  soonest: eventsBy("soonest", "starts_at", false),
  endsSoonest: eventsBy("ends-soonest", "ends_at", false),
  newestEnd: eventsBy("newest-end", "ends_at", true),
  newestStart: eventsBy("newest-start", "starts_at", true),
}

const ACTIVE: Order = {
  name: "events-active",
  keys: [
    { of: "e.starts_at", type: "timestamptz" },
    { of: "e.event_number", type: "bigint" },
  ],
}

const BY_SEED: Order = {
  name: "participants-by-seed",
  keys: [
    { of: "et.seed", type: "bigint", nullable: true },
    { of: "t.world_ranking", type: "bigint", nullable: true },
    { of: "et.team_number", type: "bigint" },
  ],
}
