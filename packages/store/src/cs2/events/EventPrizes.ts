/**
 * Assigns the prize money in the regional standings to events. The standings name a team, a day and an amount, but no
 * event. An amount is assigned to an event if the team took part in it, it ended within three days of that day, and
 * neither another event of the team nor another amount fits. Prizes that a source reported with the event are kept.
 */
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "../../Counter.ts"
import { OperationTimeout, type StoreError, storeOperation } from "../../StoreError.ts"

export class EventPrizes extends Context.Service<
  EventPrizes,
  {
    /** Assigns prizes and returns how many were assigned. Running it again changes nothing. */
    readonly settle: Effect.Effect<number, StoreError>
  }
>()("@matchpoint/store/cs2/events/EventPrizes") {
  static readonly layer = Layer.effect(
    EventPrizes,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      // Amounts are in US dollars, so events with another currency are skipped.
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
              AND e.ends_at BETWEEN won.ended_on - interval '3 days' AND won.ended_on + interval '4 days'
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

      return EventPrizes.of({
        settle: assign().pipe(
          Effect.map((given) => given.length),
          storeOperation("EventPrizes.settle", limit),
          Effect.withSpan("EventPrizes.settle"),
        ),
      })
    }),
  )
}
