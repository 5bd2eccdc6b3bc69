/**
 * Adds customer accounts (each with a plan and API keys), the usage ledger, and the audit log. For every existing API
 * key, a separate account is created. Never edit a released migration; write a new one.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const accounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The account's quota and rate limit are stored as agreed when the account chose its plan, so later changes to the
  // plans do not affect them.
  yield* sql`
    CREATE TABLE accounts (
      account_id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
      name                text NOT NULL,
      plan                text NOT NULL CHECK (plan IN ('free', 'starter', 'pro', 'business', 'scale', 'enterprise')),
      add_ons             text[] NOT NULL DEFAULT '{}',
      game                text,
      requests_per_month  bigint NOT NULL CHECK (requests_per_month >= 0),
      requests_per_second integer NOT NULL CHECK (requests_per_second > 0),
      created_at          timestamptz NOT NULL DEFAULT now()
    )`

  yield* sql`ALTER TABLE api_keys ADD COLUMN account_id uuid, ADD COLUMN expires_at timestamptz`
  yield* sql`UPDATE api_keys SET account_id = gen_random_uuid()`
  yield* sql`
    INSERT INTO accounts (account_id, name, plan, game, requests_per_month, requests_per_second, created_at)
    SELECT account_id, label, plan, CASE plan WHEN 'starter' THEN 'cs2' END,
      CASE plan WHEN 'free' THEN 500 WHEN 'starter' THEN 10000 WHEN 'pro' THEN 1000000 WHEN 'business' THEN 5000000
        WHEN 'scale' THEN 50000000 ELSE 500000000 END,
      CASE plan WHEN 'free' THEN 2 WHEN 'starter' THEN 5 WHEN 'pro' THEN 25 WHEN 'business' THEN 100 WHEN 'scale' THEN 500 ELSE 2000 END,
      created_at
    FROM api_keys`
  yield* sql`
    ALTER TABLE api_keys
      DROP COLUMN plan,
      ALTER COLUMN account_id SET NOT NULL,
      ADD FOREIGN KEY (account_id) REFERENCES accounts`
  yield* sql`CREATE INDEX api_keys_account ON api_keys (account_id)`

  // Usage per account and month. `granted` is the number of requests that were reserved from the account's quota for
  // gateways in that month. It never exceeds the quota, except for the grace allowance (requests that gateways may
  // serve while the ledger does not respond).
  yield* sql`
    CREATE TABLE usage_periods (
      account_id uuid NOT NULL REFERENCES accounts,
      period     date NOT NULL,
      granted    bigint NOT NULL DEFAULT 0 CHECK (granted >= 0),
      PRIMARY KEY (account_id, period)
    )`

  yield* sql`
    CREATE TABLE usage_leases (
      lease_id   uuid PRIMARY KEY,
      account_id uuid NOT NULL,
      period     date NOT NULL,
      gateway_id uuid NOT NULL,
      size       bigint NOT NULL CHECK (size >= 0),
      revision   bigint NOT NULL,
      opened_at  timestamptz NOT NULL,
      seen_at    timestamptz NOT NULL,
      FOREIGN KEY (account_id, period) REFERENCES usage_periods
    )`
  yield* sql`CREATE INDEX usage_leases_period ON usage_leases (account_id, period)`

  // Billing data: the number of requests served, by day and by lease (a block of requests reserved from the quota for a
  // gateway). `account_id` is stored redundantly so that an index can find the latest days of an account.
  yield* sql`
    CREATE TABLE usage_lines (
      lease_id     uuid NOT NULL REFERENCES usage_leases,
      day          date NOT NULL,
      account_id   uuid NOT NULL,
      requests     bigint NOT NULL CHECK (requests >= 0),
      stream_ticks bigint NOT NULL CHECK (stream_ticks >= 0),
      PRIMARY KEY (lease_id, day)
    )`
  yield* sql`CREATE INDEX usage_lines_account ON usage_lines (account_id, day)`

  // Receipts of billed streams: for each stream and month, the number of billing ticks (charged intervals during which
  // the stream was open).
  yield* sql`
    CREATE TABLE stream_sessions (
      session_id   uuid NOT NULL,
      period       date NOT NULL,
      account_id   uuid NOT NULL REFERENCES accounts,
      key_id       uuid NOT NULL,
      channel      text NOT NULL,
      opened_at    timestamptz NOT NULL,
      ticks        bigint NOT NULL CHECK (ticks >= 0),
      last_tick_at timestamptz NOT NULL,
      closed_at    timestamptz,
      PRIMARY KEY (session_id, period)
    )`
  yield* sql`CREATE INDEX stream_sessions_account ON stream_sessions (account_id, period, opened_at DESC)`

  yield* sql`
    CREATE TABLE audit_log (
      id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      at         timestamptz NOT NULL DEFAULT now(),
      actor      text NOT NULL,
      address    text,
      request_id text NOT NULL,
      action     text NOT NULL,
      account_id uuid,
      key_id     uuid,
      details    jsonb NOT NULL
    )`
})
