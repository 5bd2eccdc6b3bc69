/**
 * Creates the tables for live matches: the register of matches, the checkpoint of each match's state, and the API keys.
 * Never edit a released migration; write a new one.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const spine = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE cs2_matches (
      match_number bigint GENERATED ALWAYS AS IDENTITY (START WITH 1001) PRIMARY KEY,
      status       text NOT NULL DEFAULT 'scheduled' CHECK (status IN ('scheduled', 'live', 'completed', 'cancelled')),
      best_of      integer NOT NULL CHECK (best_of > 0),
      team1_id     text NOT NULL,
      team1_name   text NOT NULL,
      team2_id     text NOT NULL,
      team2_name   text NOT NULL,
      config       jsonb NOT NULL,
      created_at   timestamptz NOT NULL DEFAULT now(),
      started_at   timestamptz,
      ended_at     timestamptz,
      result       jsonb,
      CHECK ((status IN ('completed', 'cancelled')) = (ended_at IS NOT NULL))
    )`

  // A partial index, because there are only a few active matches, which are read at every startup, while finished
  // matches accumulate.
  yield* sql`CREATE INDEX cs2_matches_active ON cs2_matches (match_number) WHERE status IN ('scheduled', 'live')`

  // The type of `state` is text rather than jsonb, because the value must be returned byte for byte, whereas jsonb
  // reorders keys and reformats numbers.
  yield* sql`
    CREATE TABLE match_checkpoints (
      match_id       text PRIMARY KEY,
      epoch          integer NOT NULL CHECK (epoch >= 0),
      seq            bigint NOT NULL CHECK (seq >= 0),
      feed_sequence  bigint NOT NULL CHECK (feed_sequence >= 0),
      format_version integer NOT NULL,
      state          text NOT NULL,
      saved_at       timestamptz NOT NULL DEFAULT now()
    )`

  yield* sql`
    CREATE TABLE api_keys (
      key_id     uuid PRIMARY KEY,
      prefix     text NOT NULL,
      hash       bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
      plan       text NOT NULL CHECK (plan IN ('free', 'starter', 'pro', 'business', 'scale', 'enterprise')),
      label      text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      revoked_at timestamptz
    )`
})
