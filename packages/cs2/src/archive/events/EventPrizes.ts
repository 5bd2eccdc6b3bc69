/**
 * Assigns the prize money of the regional standings to events. The standings list a team, a day and an amount, but no
 * event. An amount belongs to an event if the team took part, the event ended within three days of the day, and the
 * assignment is unambiguous (no other event of the team and no other amount fits). Prizes that a source reported with
 * the event are kept.
 *
 * If no source reported a prize pool, it is the sum of the event's prizes. It is not derived if a prize seems to be
 * missing: the winner has none, a team without one is placed as high as a team with one, or an amount of a team may
 * belong to another event.
 */
import { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import { OperationTimeout, type StoreError, storeEffect } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { standingsJson } from "./eventSql.ts"

export class EventPrizes extends Context.Service<
  EventPrizes,
  {
    /** Returns how many prizes and prize pools have changed. Running it again changes nothing. */
    readonly settle: Effect.Effect<number, StoreError>
  }
>()("@matchpoint/cs2/archive/events/EventPrizes") {
  static readonly layer = Layer.effect(
    EventPrizes,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      // Only events in US dollars, because the amounts in the standings are in US dollars.
      const assign = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Schema.Struct({ event: Counter }),
        execute: () => sql`
          WITH won AS (
            SELECT team_number, ended_on, round(sum(usd_cents) / 100.0)::bigint AS dollars, count(*) AS amounts
            FROM cs2_prizes GROUP BY team_number, ended_on
          ), fitting AS (
            SELECT et.event_number, et.team_number, won.dollars,
              count(*) OVER (PARTITION BY won.team_number, won.ended_on) AS events,
              count(*) OVER (PARTITION BY et.event_number, et.team_number) AS amounts
            FROM won
            JOIN cs2_event_teams et USING (team_number)
            JOIN cs2_events e USING (event_number)
            WHERE won.amounts = 1 AND e.ends_at < now() AND (e.currency IS NULL OR e.currency = 'USD')
              AND ${near(sql, "won")}
          ), given AS (
            UPDATE cs2_event_teams et SET prize = f.dollars
            FROM fitting f
            WHERE f.events = 1 AND f.amounts = 1 AND et.event_number = f.event_number AND et.team_number = f.team_number AND et.prize IS NULL
            RETURNING et.event_number
          ), told AS (
            UPDATE cs2_events e SET currency = COALESCE(e.currency, 'USD'), last_synced_at = now()
            FROM (SELECT DISTINCT event_number FROM given) g WHERE g.event_number = e.event_number
          )
          SELECT event_number AS event FROM given`,
      })

      const derive = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Schema.Struct({ event: Counter }),
        execute: () => sql`
          WITH placed AS (
            SELECT e.event_number, substring(row->>'place' FROM '^[0-9]+')::integer AS place, row->>'place' = '1' AS first,
              (row->>'prize')::bigint AS prize
            FROM cs2_events e CROSS JOIN LATERAL jsonb_array_elements(${standingsJson(sql)}) AS s (row)
            WHERE e.prize_pool IS NULL AND e.currency = 'USD' AND e.ends_at < now()
              AND EXISTS (SELECT FROM cs2_event_teams et WHERE et.event_number = e.event_number AND et.prize IS NOT NULL)
              AND NOT EXISTS (
                SELECT FROM cs2_event_teams et JOIN cs2_prizes w USING (team_number)
                WHERE et.event_number = e.event_number AND et.prize IS NULL AND ${near(sql, "w")})
          ), pools AS (
            SELECT event_number,
              CASE WHEN bool_or(first AND prize IS NOT NULL)
                AND COALESCE(min(place) FILTER (WHERE prize IS NULL) > max(place) FILTER (WHERE prize > 0), true) THEN sum(prize)::bigint END AS pool
            FROM placed GROUP BY event_number
          )
          UPDATE cs2_events e SET derived_prize_pool = p.pool, last_synced_at = now()
          FROM cs2_events known LEFT JOIN pools p USING (event_number)
          WHERE e.event_number = known.event_number AND e.prize_pool IS NULL AND e.derived_prize_pool IS DISTINCT FROM p.pool
          RETURNING e.event_number AS event`,
      })

      return EventPrizes.of({
        settle: Effect.zipWith(assign(), derive(), (prizes, pools) => prizes.length + pools.length).pipe(
          storeEffect("EventPrizes.settle", limit),
        ),
      })
    }),
  )
}

/** True if event `e` ended within three days of the listed day. `amount` is the alias of the table of amounts. */
const near = (sql: PgClient.PgClient, amount: string): Fragment =>
  sql.literal(`e.ends_at BETWEEN ${amount}.ended_on - interval '3 days' AND ${amount}.ended_on + interval '4 days'`)
