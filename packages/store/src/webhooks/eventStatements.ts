/** SQL statements that store webhook events and queue their deliveries. `WebhookEvents` runs them. */
import type { PgClient } from "@effect/sql-pg"
import type { NewWebhookEvent } from "./WebhookEvents.ts"

/**
 * The condition that an event matches the filters of the subscription `s`. The event is a row of `webhook_events` or of
 * `inputColumns`; the arguments are its name in the statement and its columns.
 */
const fitsText = (event: string, teamIds: string, playerIds: string, accountId: string): string => `
  s.events @> ARRAY[${event}.name]
  AND (${accountId} IS NULL OR ${accountId} = s.account_id)
  AND (cardinality(s.games) = 0 OR ${event}.game = ANY(s.games))
  AND (cardinality(s.match_ids) = 0 OR ${event}.lane = ANY(s.match_ids))
  AND (cardinality(s.team_ids) = 0 OR ${teamIds} && s.team_ids)
  AND (cardinality(s.player_ids) = 0 OR ${playerIds} && s.player_ids)`

const inputColumns = `
  "eventId" text, name text, game text, lane text, epoch integer, seq bigint, place smallint, "teamIds" text[], "playerIds" text[],
  "occurredAt" bigint, data text, fact jsonb, "accountId" uuid`

export const eventStatements = (sql: PgClient.PgClient) => {
  const fits = sql.literal(fitsText("e", "e.team_ids", "e.player_ids", "e.account_id"))
  const fitsInput = sql.literal(fitsText("input", 'input."teamIds"', 'input."playerIds"', 'input."accountId"'))

  const inputOf = (events: ReadonlyArray<NewWebhookEvent>) =>
    sql`jsonb_to_recordset(${JSON.stringify(events)}::text::jsonb) AS (${sql.literal(inputColumns)})`

  /** Starts an INSERT of the events `input`. Its SELECT continues with the value of `queued_to` and with FROM. */
  const insertEvents = (now: Date) => sql`
    INSERT INTO webhook_events (event_id, name, game, lane, epoch, seq, place, team_ids, player_ids, occurred_at, data, written_at, fact_id,
      received_at, account_id, queued_to)
    SELECT "eventId", name, game, lane, epoch, seq, place, "teamIds", "playerIds", to_timestamp("occurredAt" / 1000.0), data, ${now},
      fact->>'id', to_timestamp((fact->>'receivedAt')::bigint / 1000.0), "accountId"`

  /**
   * Adds the deliveries of the common table expression `queued` to their lanes, in order of the keys, so that two
   * writers cannot deadlock.
   */
  const addToLanes = (now: Date) => sql`
    INSERT INTO webhook_lanes AS l (subscription_id, lane, pending, due_at)
    SELECT subscription_id, lane, count(*), ${now} FROM queued GROUP BY subscription_id, lane ORDER BY subscription_id, lane
    ON CONFLICT (subscription_id, lane) DO UPDATE
    SET pending = l.pending + excluded.pending, due_at = CASE WHEN l.pending > 0 THEN l.due_at ELSE excluded.due_at END
    RETURNING l.pending`

  /**
   * Stores the first events whose deliveries are at most `maxDeliveries`, and of the next event as many deliveries as
   * there is room for, in the order of the events, then of the subscriptions. `webhook_events.queued_to` is the last
   * subscription of an event that is stored in part, and null otherwise.
   *
   * If another writer stores an event of the list at the same time, this statement queues nothing for the event and does
   * not count it, because it does not see how far the other one got.
   */
  const writeSome = (events: ReadonlyArray<NewWebhookEvent>, maxDeliveries: number, now: Date) => sql`
    WITH input AS (
      SELECT DISTINCT ON ("eventId") given.*, e.queued_to AS after, e.event_id IS NOT NULL AS is_stored
      FROM ROWS FROM (${inputOf(events)}) WITH ORDINALITY AS given LEFT JOIN webhook_events e ON e.event_id = given."eventId"
      WHERE e.event_id IS NULL OR e.queued_to IS NOT NULL
      ORDER BY "eventId", ordinality
    ),
    matching AS (
      SELECT ordinality, "eventId", lane, epoch, seq, input.place, s.subscription_id,
        row_number() OVER (ORDER BY ordinality, s.subscription_id) AS turn
      FROM input JOIN webhook_subscriptions s
        ON s.status = 'active' AND ${fitsInput} AND (input.after IS NULL OR s.subscription_id > input.after)
    ),
    -- One more than may be queued shows that there are more, and of which event.
    chosen AS MATERIALIZED (SELECT * FROM matching WHERE turn <= ${maxDeliveries}::bigint + 1),
    cut AS (SELECT ordinality FROM chosen WHERE turn = ${maxDeliveries}::bigint + 1),
    part AS (SELECT ordinality, subscription_id FROM chosen JOIN cut USING (ordinality) WHERE turn = ${maxDeliveries}::bigint),
    begun AS (
      SELECT input.*, part.subscription_id AS up_to, EXISTS (SELECT FROM webhook_subscriptions s WHERE ${fitsInput}) AS is_wanted
      FROM input LEFT JOIN part USING (ordinality)
      WHERE part.ordinality IS NOT NULL OR ordinality < coalesce((SELECT ordinality FROM cut), ${events.length}::bigint + 1)
    ),
    written AS (
      ${insertEvents(now)}, up_to FROM begun WHERE NOT is_stored AND is_wanted ORDER BY lane, epoch, seq, place
      ON CONFLICT (event_id) DO NOTHING
      RETURNING event_id
    ),
    continued AS (
      UPDATE webhook_events e SET queued_to = begun.up_to FROM begun
      WHERE begun.is_stored AND e.event_id = begun."eventId" AND e.queued_to = begun.after
      RETURNING e.event_id
    ),
    taken AS (SELECT event_id FROM written UNION ALL SELECT event_id FROM continued),
    queued AS (
      INSERT INTO webhook_deliveries (subscription_id, event_id, lane, created_at)
      SELECT subscription_id, event_id, lane, ${now} FROM taken JOIN chosen ON chosen."eventId" = taken.event_id
      WHERE turn <= ${maxDeliveries}::bigint ORDER BY lane, epoch, seq, place
      RETURNING subscription_id, lane
    ),
    lanes AS (${addToLanes(now)}),
    open AS (
      SELECT ordinality FROM cut UNION ALL
      SELECT ordinality FROM begun WHERE (is_stored OR is_wanted) AND "eventId" NOT IN (SELECT event_id FROM taken)
    )
    SELECT (SELECT count(*) FROM queued) AS deliveries, coalesce((SELECT min(ordinality) - 1 FROM open), ${events.length}::bigint) AS events,
      (SELECT count(*) FROM lanes) AS lanes`

  const writeFor = (subscriptionId: string, event: NewWebhookEvent, now: Date) => sql`
    WITH written AS (
      ${insertEvents(now)}, NULL FROM ${inputOf([event])} ON CONFLICT (event_id) DO NOTHING
      RETURNING event_id, lane
    ),
    queued AS (
      INSERT INTO webhook_deliveries (subscription_id, event_id, lane, created_at)
      SELECT s.subscription_id, e.event_id, e.lane, ${now} FROM written e, webhook_subscriptions s
      WHERE s.subscription_id = ${subscriptionId} AND s.removed_at IS NULL
      RETURNING subscription_id, lane
    ),
    lanes AS (${addToLanes(now)})
    SELECT (SELECT count(*) FROM queued) AS count, (SELECT count(*) FROM lanes) AS lanes`

  return { addToLanes, fits, writeFor, writeSome }
}
