/** Reads events (tournaments) of the archive as answers show them. Their matches are shown as `MatchArchive` shows them. */
import { PgClient } from "@effect/sql-pg"
import { EventParticipant } from "@matchpoint/contracts/http/cs2/data/eventModels"
import { EventRow, type EventStatus, type MatchStatus, MatchSummary } from "@matchpoint/contracts/http/cs2/data/models"
import { Timestamp } from "@matchpoint/contracts/stream/LiveMatch"
import { EventId } from "@matchpoint/domain/ids"
import { Context, Effect, Layer, Option, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"
import { eventStatsJson, participantJson, prizesJson, standingsJson, structureJson } from "./eventSql.ts"
import { eventJson, matchJoins, matchJson } from "./fragments.ts"
import type { Rows } from "./MatchArchive.ts"
import { rowsOf, totalOf, type Window } from "./reading.ts"
import { eventNumberOf } from "./references.ts"
import { named } from "./words.ts"

/** Those without a date come last, whichever it is. */
export type EventOrder = "soonest" | "endsSoonest" | "newestEnd" | "newestStart"

/** Undefined: whatever it is. `from` and `to` are inclusive and keep events of which any day is between them. */
export interface EventFilter extends Window {
  readonly status?: EventStatus | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly text?: string | undefined
  readonly tier?: string | undefined
  readonly region?: string | undefined
  readonly isLan?: boolean | undefined
  readonly order: EventOrder
}

/** `upcoming`: how many of the soonest to start follow those that are played. */
export interface ActiveFilter extends Window {
  readonly upcoming: number
}

export interface ActiveEvents {
  readonly rows: ReadonlyArray<EventRow>
  /** Of all pages. */
  readonly active: number
  readonly filled: number
}

/** `isPlaced`: somebody was given a place; otherwise standings are computed. */
const FoundEvent = Schema.Struct({ id: EventId, lastDay: Schema.NullOr(Timestamp), isPlaced: Schema.Boolean })
export type FoundEvent = typeof FoundEvent.Type

export interface EventMatchFilter extends Window {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly status?: MatchStatus | undefined
}

export class EventArchive extends Context.Service<
  EventArchive,
  {
    readonly list: (filter: EventFilter) => Effect.Effect<Rows<EventRow>, StoreError>
    readonly active: (filter: ActiveFilter) => Effect.Effect<ActiveEvents, StoreError>
    /** Whether there is one of this id or slug, and when it was over, or began where nobody knows its end. */
    readonly find: (reference: string) => Effect.Effect<Option.Option<FoundEvent>, StoreError>
    /** The whole of one, by id or slug. */
    readonly one: (reference: string) => Effect.Effect<Option.Option<EventRow>, StoreError>
    /** Of an event that exists. */
    readonly participants: (reference: string, window: Window) => Effect.Effect<Rows<EventParticipant>, StoreError>
    /** Of an event that exists, in the order they are played. */
    readonly matches: (reference: string, filter: EventMatchFilter) => Effect.Effect<Rows<MatchSummary>, StoreError>
  }
>()("@matchpoint/store/cs2/EventArchive") {
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

      const inOrder: Record<EventOrder, Fragment> = {
        soonest: sql`e.starts_at, e.event_number`,
        endsSoonest: sql`e.ends_at, e.event_number`,
        newestEnd: sql`e.ends_at DESC NULLS LAST, e.event_number DESC`,
        newestStart: sql`e.starts_at DESC NULLS LAST, e.event_number DESC`,
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
            ORDER BY ${inOrder.soonest} LIMIT ${limit}`

      const matchesWhere = (reference: string, { from, status, to }: EventMatchFilter) =>
        sql.and([
          sql`s.event_number = ${eventNumberOf(sql, reference)}`,
          ...(from === undefined ? [] : [sql`s.starts_at >= ${from}`]),
          ...(to === undefined ? [] : [sql`s.starts_at <= ${to}`]),
          ...(status === undefined ? [] : [sql`s.status = ${status}`]),
        ])

      return EventArchive.of({
        list: Effect.fn("EventArchive.list")(
          function* (filter) {
            const rows = yield* eventRows(sql`
              SELECT ${eventJson(sql, "e")} AS row
              FROM (SELECT * FROM cs2_events e WHERE ${where(filter)}
                ORDER BY ${inOrder[filter.order]} LIMIT ${filter.limit} OFFSET ${filter.offset}) AS e
              ORDER BY ${inOrder[filter.order]}`)
            const total = yield* totalOf(sql`SELECT count(*) AS total FROM cs2_events e WHERE ${where(filter)}`)
            return { rows, total }
          },
          storeOperation("EventArchive.list", timeout),
        ),
        active: Effect.fn("EventArchive.active")(
          function* ({ limit, offset, upcoming }) {
            const rows = yield* eventRows(sql`
              WITH soon AS (${soonest(upcoming)})
              SELECT ${eventJson(sql, "e")} AS row
              FROM (SELECT * FROM cs2_events e WHERE (${inState.live}) OR e.event_number IN (SELECT event_number FROM soon)
                ORDER BY e.starts_at, e.event_number LIMIT ${limit} OFFSET ${offset}) AS e
              ORDER BY e.starts_at, e.event_number`)
            const active = yield* totalOf(sql`SELECT count(*) AS total FROM cs2_events e WHERE ${inState.live}`)
            const filled = yield* totalOf(sql`SELECT count(*) AS total FROM (${soonest(upcoming)}) AS soon`)
            return { rows, active, filled }
          },
          storeOperation("EventArchive.active", timeout),
        ),
        find: Effect.fn("EventArchive.find")(
          function* (reference) {
            const rows = yield* foundEvents(sql`
              SELECT jsonb_build_object('id', cs2_event_id(event_number), 'lastDay', iso_utc(COALESCE(ends_at, starts_at)),
                'isPlaced', (SELECT count(placement) > 0 FROM cs2_event_teams et WHERE et.event_number = e.event_number)) AS row
              FROM cs2_events e WHERE event_number = ${eventNumberOf(sql, reference)}`)
            return Option.fromUndefinedOr(rows[0])
          },
          storeOperation("EventArchive.find", timeout),
        ),
        one: Effect.fn("EventArchive.one")(
          function* (reference) {
            const rows = yield* eventRows(sql`
              SELECT ${eventJson(sql, "e")} || jsonb_build_object('eventStructure', ${structureJson(sql)},
                'prizeDistribution', ${prizesJson(sql)}, 'stats', ${eventStatsJson(sql)}, 'standings', ${standingsJson(sql)}) AS row
              FROM cs2_events e WHERE e.event_number = ${eventNumberOf(sql, reference)}`)
            return Option.fromUndefinedOr(rows[0])
          },
          storeOperation("EventArchive.one", timeout),
        ),
        participants: Effect.fn("EventArchive.participants")(
          function* (reference, { limit, offset }) {
            const rows = yield* participantRows(sql`
              SELECT ${participantJson(sql)} AS row
              FROM cs2_event_teams et JOIN cs2_teams t USING (team_number)
              WHERE et.event_number = ${eventNumberOf(sql, reference)}
              ORDER BY et.seed, t.world_ranking, t.team_number LIMIT ${limit} OFFSET ${offset}`)
            const total = yield* totalOf(sql`
              SELECT count(*) AS total FROM cs2_event_teams WHERE event_number = ${eventNumberOf(sql, reference)}`)
            return { rows, total }
          },
          storeOperation("EventArchive.participants", timeout),
        ),
        matches: Effect.fn("EventArchive.matches")(
          function* (reference, filter) {
            const rows = yield* matchRows(sql`
              SELECT ${matchJson(sql, "s", "t1", "t2", "e")} AS row
              FROM (SELECT * FROM cs2_series s WHERE ${matchesWhere(reference, filter)}
                ORDER BY s.starts_at, s.match_number LIMIT ${filter.limit} OFFSET ${filter.offset}) AS s ${matchJoins(sql)}
              ORDER BY s.starts_at, s.match_number`)
            const total = yield* totalOf(sql`SELECT count(*) AS total FROM cs2_series s WHERE ${matchesWhere(reference, filter)}`)
            return { rows, total }
          },
          storeOperation("EventArchive.matches", timeout),
        ),
      })
    }),
  )
}

const foundEvents = rowsOf(FoundEvent)
const eventRows = rowsOf(EventRow)
const matchRows = rowsOf(MatchSummary)
const participantRows = rowsOf(EventParticipant)
