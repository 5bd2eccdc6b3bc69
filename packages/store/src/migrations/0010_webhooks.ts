/**
 * Adds webhooks: subscriptions, events, deliveries of events to subscriptions, and lanes. A lane is the queue of
 * deliveries of one subscription that must arrive in order, for example those of one match.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const webhooks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An empty filter (`games`, `match_ids`, `team_ids`, `player_ids`) matches every event. `secret` and
  // `previous_secret` are encrypted. `previous_secret` is valid until `previous_secret_until`.
  yield* sql`
    CREATE TABLE webhook_subscriptions (
      subscription_id       uuid PRIMARY KEY,
      account_id            uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
      url                   text NOT NULL,
      description           text NOT NULL,
      events                text[] NOT NULL,
      games                 text[] NOT NULL,
      match_ids             text[] NOT NULL,
      team_ids              text[] NOT NULL,
      player_ids            text[] NOT NULL,
      max_per_second        integer,
      status                text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'disabled')),
      status_reason         text CHECK (status_reason IN ('customer', 'plan', 'failures', 'gone')),
      secret                bytea NOT NULL,
      previous_secret       bytea,
      previous_secret_until timestamptz,
      failing_since         timestamptz,
      failed_attempts       smallint NOT NULL DEFAULT 0,
      last_error            text,
      idempotency_key       text,
      request_hash          bytea,
      created_at            timestamptz NOT NULL,
      changed_at            timestamptz NOT NULL,
      CHECK ((status = 'active') = (status_reason IS NULL)),
      UNIQUE (account_id, idempotency_key)
    )`
  yield* sql`CREATE INDEX webhook_subscriptions_events ON webhook_subscriptions USING gin (events)`

  // `lane` is the match, or another subject whose events are in order. `data` is JSON text. `written_at` is the time at
  // which the row was inserted. `fact_id` is the feed event that caused the event, and `received_at` the time at which
  // that one was received.
  yield* sql`
    CREATE TABLE webhook_events (
      event_id    text PRIMARY KEY,
      name        text NOT NULL,
      game        text NOT NULL,
      lane        text NOT NULL,
      epoch       integer NOT NULL,
      seq         bigint NOT NULL,
      place       smallint NOT NULL,
      team_ids    text[] NOT NULL,
      player_ids  text[] NOT NULL,
      occurred_at timestamptz NOT NULL,
      data        text NOT NULL,
      written_at  timestamptz NOT NULL,
      fact_id     text,
      received_at timestamptz
    )`
  yield* sql`CREATE INDEX webhook_events_by_lane ON webhook_events (lane, epoch, seq, place)`
  yield* sql`CREATE INDEX webhook_events_by_time ON webhook_events (written_at)`

  // `pending` is the number of pending deliveries of the lane, and `failures` the number of failed attempts of the
  // first of them. A worker holds a lane until `leased_until`.
  yield* sql`
    CREATE TABLE webhook_lanes (
      subscription_id uuid NOT NULL REFERENCES webhook_subscriptions ON DELETE CASCADE,
      lane            text NOT NULL,
      pending         integer NOT NULL,
      failures        smallint NOT NULL DEFAULT 0,
      due_at          timestamptz NOT NULL,
      holder          uuid,
      leased_until    timestamptz,
      PRIMARY KEY (subscription_id, lane)
    )`
  yield* sql`CREATE INDEX webhook_lanes_due ON webhook_lanes (due_at) WHERE pending > 0`

  // The deliveries of a lane are made in the order of their ids. `attempts` is a list of reports, oldest first.
  yield* sql`
    CREATE TABLE webhook_deliveries (
      delivery_id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      subscription_id uuid NOT NULL REFERENCES webhook_subscriptions ON DELETE CASCADE,
      event_id        text NOT NULL,
      lane            text NOT NULL,
      status          text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
      attempts        jsonb NOT NULL DEFAULT '[]',
      created_at      timestamptz NOT NULL,
      finished_at     timestamptz
    )`
  yield* sql`CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (subscription_id, lane, delivery_id) WHERE status = 'pending'`
  yield* sql`CREATE INDEX webhook_deliveries_log ON webhook_deliveries (subscription_id, delivery_id)`
  yield* sql`CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (event_id)`
  yield* sql`CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (created_at)`
})
