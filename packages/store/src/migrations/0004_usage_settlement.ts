/**
 * Creates a database function that settles a gateway's usage: it records how many requests the gateway reports as
 * served, and reserves new requests for the gateway from the accounts' quotas. Because this takes a single statement
 * and round trip, a gateway that fails midway holds no lock. The function implements in SQL the same rules as the
 * domain's `settle` (metering/leases.ts). The ledger's tests check that both give the same results.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const usageSettlement = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Arguments and results of the function:
  //
  // - `reports`: usage reports. `n` is the index of a report. `turn` is the position of the report among those about
  //   the same account and month; each report is applied to the result of the previous one.
  // - `fixed`: time in epoch ms that is used instead of the clock, or null.
  // - `told_at`: time of the settlement, epoch ms.
  // - `answers`: `[n, granted, quota, left]` for each report whose account exists.
  yield* sql`
    CREATE FUNCTION settle_usage(reports jsonb, lines jsonb, receipts jsonb, fixed double precision, OUT told_at bigint, OUT answers jsonb)
    LANGUAGE plpgsql AS $$
    #variable_conflict use_column
    DECLARE
      moment     timestamptz;
      this_month date;
      answered   jsonb;
    BEGIN
      answers := '[]';

      -- Creates missing months of existing accounts. In a fixed order and before any lock is taken, so that two callers cannot
      -- deadlock.
      INSERT INTO usage_periods (account_id, period)
      SELECT DISTINCT r.account_id, r.period
      FROM jsonb_to_recordset(reports) AS r (account_id uuid, period date) JOIN accounts USING (account_id)
      WHERE NOT EXISTS (SELECT FROM usage_periods p WHERE p.account_id = r.account_id AND p.period = r.period)
      ORDER BY r.account_id, r.period
      ON CONFLICT DO NOTHING;

      -- Every caller locks months in the same order. A report that arrives late finds the newer revision that overtook it. The
      -- statements below see everything that the previous holder has committed, and a later time.
      PERFORM FROM usage_periods p
      WHERE (p.account_id, p.period) IN (SELECT r.account_id, r.period FROM jsonb_to_recordset(reports) AS r (account_id uuid, period date))
      ORDER BY p.account_id, p.period
      FOR UPDATE;

      told_at := floor(COALESCE(fixed, extract(epoch FROM clock_timestamp()) * 1000));
      moment := to_timestamp(told_at / 1000.0);
      this_month := date_trunc('month', moment AT TIME ZONE 'UTC');

      FOR this_turn IN 1 .. (SELECT COALESCE(max(r.turn), 0) FROM jsonb_to_recordset(reports) AS r (turn integer)) LOOP
        WITH report AS (
          SELECT r.*, p.granted AS given, a.requests_per_month AS quota, l.revision IS NULL OR l.revision < r.revision AS counts,
            -- A grant whose reply never reached the gateway is returned: the size in this report does not include it.
            r.size - r.give_back + r.owed AS kept, p.granted - COALESCE(l.size, 0) + r.size - r.give_back + r.owed AS base
          FROM jsonb_to_recordset(reports) AS r
            (n integer, turn integer, lease_id uuid, account_id uuid, period date, gateway_id uuid, revision bigint, size bigint,
              want bigint, give_back bigint, owed bigint)
          JOIN usage_periods p ON p.account_id = r.account_id AND p.period = r.period
          JOIN accounts a ON a.account_id = r.account_id
          LEFT JOIN usage_leases l ON l.lease_id = r.lease_id
          WHERE r.turn = this_turn
        ), settled AS (
          SELECT *, CASE WHEN counts AND period = this_month AND base < quota
            THEN LEAST(want, GREATEST(1, (quota - base) / ${sql.literal(String(SHARE_OF_REST))})) ELSE 0 END AS more
          FROM report
        ), months AS (
          UPDATE usage_periods p SET granted = s.base + s.more
          FROM settled s
          WHERE p.account_id = s.account_id AND p.period = s.period AND s.counts AND s.given <> s.base + s.more
        ), leases AS (
          INSERT INTO usage_leases AS l (lease_id, account_id, period, gateway_id, size, revision, opened_at, seen_at)
          SELECT s.lease_id, s.account_id, s.period, s.gateway_id, s.kept + s.more, s.revision, moment, moment
          FROM settled s WHERE s.counts
          ON CONFLICT (lease_id) DO UPDATE SET size = excluded.size, revision = excluded.revision, seen_at = excluded.seen_at
        )
        SELECT COALESCE(jsonb_agg(jsonb_build_array(
          s.n, s.more, s.quota, GREATEST(0, s.quota - CASE WHEN s.counts THEN s.base + s.more ELSE s.given END))), '[]')
        INTO answered FROM settled s;
        answers := answers || answered;
      END LOOP;

      -- Lines and receipts are absolute values: the larger one is kept.
      INSERT INTO usage_lines AS stored (lease_id, day, account_id, requests, stream_ticks)
      SELECT l.lease_id, line.day, l.account_id, line.requests, line.stream_ticks
      FROM jsonb_to_recordset(lines) AS line (lease_id uuid, day date, requests bigint, stream_ticks bigint)
      JOIN usage_leases l ON l.lease_id = line.lease_id
      ON CONFLICT (lease_id, day) DO UPDATE
      SET requests = GREATEST(stored.requests, excluded.requests), stream_ticks = GREATEST(stored.stream_ticks, excluded.stream_ticks);

      -- In a fixed order, because no lock protects their months.
      IF receipts <> '[]' THEN
        INSERT INTO stream_sessions AS stored
          (session_id, period, account_id, key_id, channel, opened_at, ticks, last_tick_at, closed_at)
        SELECT session_id, period, account_id, key_id, channel, to_timestamp(opened_at / 1000), ticks, to_timestamp(last_tick_at / 1000),
          to_timestamp(closed_at / 1000)
        FROM jsonb_to_recordset(receipts)
          AS receipt (session_id uuid, period date, account_id uuid, key_id uuid, channel text, opened_at double precision, ticks bigint,
            last_tick_at double precision, closed_at double precision)
        JOIN accounts USING (account_id)
        ORDER BY session_id, period
        ON CONFLICT (session_id, period) DO UPDATE
        SET ticks = GREATEST(stored.ticks, excluded.ticks), last_tick_at = GREATEST(stored.last_tick_at, excluded.last_tick_at),
          closed_at = COALESCE(excluded.closed_at, stored.closed_at);
      END IF;
    END $$`
})

/**
 * Limits how many requests are granted to a gateway at once: at most the remaining quota divided by this number. It has
 * the value that the domain's `settle` used when this migration was written; changing it requires another migration.
 */
const SHARE_OF_REST = 8
