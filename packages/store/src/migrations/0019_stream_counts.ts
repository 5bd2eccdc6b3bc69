/**
 * Adds the counts of what each API key has open on all gateways, for installations without Redis, and the function that
 * applies one exchange of a gateway. It implements in SQL the rules of the domain's metering/streamCounts.ts; the tests
 * of the counts check that all drivers give the same results.
 *
 * The tables are unlogged, because gateways report their counts again if the database has lost them. So a handshake
 * writes nothing to the write-ahead log.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const streamCounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `left_at` is set if the gateway has shut down.
  yield* sql`
    CREATE UNLOGGED TABLE stream_gateways (
      gateway_id uuid PRIMARY KEY,
      seen_at    timestamptz NOT NULL,
      left_at    timestamptz
    )`

  // A row per key that has ever opened a stream. Exchanges lock it, so that claims for a key are decided in turn.
  yield* sql`
    CREATE UNLOGGED TABLE stream_keys (
      key_id     uuid PRIMARY KEY,
      claimed_at timestamptz NOT NULL
    )`

  // `streams` of a gateway that is gone are the credits that are left. Rows that are updated in place need room.
  yield* sql`
    CREATE UNLOGGED TABLE stream_counts (
      key_id      uuid NOT NULL,
      gateway_id  uuid NOT NULL,
      connections integer NOT NULL,
      streams     integer NOT NULL,
      replays     integer NOT NULL,
      PRIMARY KEY (key_id, gateway_id)
    ) WITH (fillfactor = 50)`

  // Arguments and results of the function:
  //
  // - `claims`: at most one per key. `n` is the index of a claim.
  // - `lost_ms`, `free_ms`: LOST_AFTER_MS and FREE_WITHIN_MS of the domain.
  // - `fixed`: time in epoch ms that is used instead of the clock, or null.
  // - `grants`: `[n, connections, replays, free]` for each claim.
  yield* sql`
    CREATE FUNCTION claim_streams(me uuid, claims jsonb, lost_ms integer, free_ms integer, fixed double precision,
      OUT is_known boolean, OUT gone jsonb, OUT grants jsonb)
    LANGUAGE plpgsql AS $$
    #variable_conflict use_column
    DECLARE
      moment   timestamptz := COALESCE(to_timestamp(fixed / 1000), clock_timestamp());
      lost_at  timestamptz := moment - lost_ms * interval '1 millisecond';
      free_at  timestamptz := moment - free_ms * interval '1 millisecond';
      expired  uuid[];
    BEGIN
      UPDATE stream_gateways SET seen_at = moment WHERE gateway_id = me AND left_at IS NULL AND seen_at >= lost_at;
      is_known := FOUND;
      IF NOT is_known THEN
        INSERT INTO stream_gateways VALUES (me, moment, NULL)
        ON CONFLICT (gateway_id) DO UPDATE SET seen_at = moment, left_at = NULL;
      END IF;

      -- Removes gateways whose credits have expired. Rows that another gateway is removing are skipped.
      WITH removed AS (
        DELETE FROM stream_gateways WHERE gateway_id IN (
          SELECT gateway_id FROM stream_gateways WHERE COALESCE(left_at, seen_at) < free_at FOR UPDATE SKIP LOCKED)
        RETURNING gateway_id
      ) SELECT array_agg(gateway_id) INTO expired FROM removed;
      IF expired IS NOT NULL THEN
        DELETE FROM stream_counts WHERE gateway_id = ANY(expired);
      END IF;

      SELECT COALESCE(jsonb_agg(gateway_id), '[]') INTO gone FROM stream_gateways
      WHERE gateway_id <> me AND (left_at IS NOT NULL OR seen_at < lost_at) AND COALESCE(left_at, seen_at) >= free_at;

      grants := '[]';
      IF claims = '[]' THEN
        RETURN;
      END IF;

      -- Locks the keys, in a fixed order so that two gateways cannot deadlock. The statements below see everything that the
      -- previous holders of the locks have committed.
      INSERT INTO stream_keys (key_id, claimed_at)
      SELECT key_id, moment FROM jsonb_to_recordset(claims) AS claim (key_id uuid) ORDER BY key_id
      ON CONFLICT (key_id) DO UPDATE SET claimed_at = excluded.claimed_at;

      WITH claim AS (
        SELECT * FROM jsonb_to_recordset(claims) AS claim
          (n integer, key_id uuid, connections integer, streams integer, replays integer, want_connections integer,
            want_streams integer, want_replays integer, most_connections integer, most_replays integer, redeem integer)
      ), other AS (
        SELECT c.key_id, c.gateway_id, c.connections, c.streams, c.replays, g.left_at IS NULL AND g.seen_at >= lost_at AS is_alive
        FROM claim JOIN stream_counts c USING (key_id) JOIN stream_gateways g USING (gateway_id)
        WHERE c.gateway_id <> me AND COALESCE(g.left_at, g.seen_at) >= free_at
      ), sums AS (
        SELECT key_id, sum(connections) FILTER (WHERE is_alive) AS connections, sum(replays) FILTER (WHERE is_alive) AS replays,
          sum(streams) FILTER (WHERE NOT is_alive) AS credits
        FROM other GROUP BY key_id
      ), granted AS (
        SELECT claim.*, COALESCE(sums.credits, 0) AS credits,
          GREATEST(0, LEAST(want_connections, most_connections - COALESCE(sums.connections, 0) - claim.connections)) AS got_connections,
          GREATEST(0, LEAST(want_replays, most_replays - COALESCE(sums.replays, 0) - claim.replays)) AS got_replays
        FROM claim LEFT JOIN sums USING (key_id)
      ), settled AS (
        SELECT *, GREATEST(0, LEAST(credits, redeem - (want_connections - got_connections) - (want_replays - got_replays))) AS free
        FROM granted
      ), mine AS (
        INSERT INTO stream_counts AS stored (key_id, gateway_id, connections, streams, replays)
        SELECT key_id, me, connections + got_connections, streams + want_streams, replays + got_replays FROM settled
        ON CONFLICT (key_id, gateway_id) DO UPDATE
        SET connections = excluded.connections, streams = excluded.streams, replays = excluded.replays
      ), credited AS (
        SELECT o.key_id, o.gateway_id, o.streams, s.free,
          sum(o.streams) OVER (PARTITION BY o.key_id ORDER BY o.gateway_id) - o.streams AS before
        FROM other o JOIN settled s ON s.key_id = o.key_id WHERE NOT o.is_alive AND s.free > 0
      ), used AS (
        UPDATE stream_counts c SET streams = c.streams - LEAST(x.streams, x.free - x.before)
        FROM credited x WHERE c.key_id = x.key_id AND c.gateway_id = x.gateway_id AND x.free > x.before
      )
      SELECT jsonb_agg(jsonb_build_array(n, got_connections, got_replays, free)) INTO grants FROM settled;
    END $$`
})
