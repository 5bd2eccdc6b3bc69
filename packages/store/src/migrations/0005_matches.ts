/**
 * Extends the register of CS2 matches to the matches of all games. Existing rows belong to CS2 and keep their numbers.
 * The match numbers of each game start at 1001.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const matches = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE cs2_matches RENAME TO matches`
  yield* sql`ALTER TABLE matches RENAME COLUMN team1_maps TO team1_parts`
  yield* sql`ALTER TABLE matches RENAME COLUMN team2_maps TO team2_parts`
  yield* sql`ALTER TABLE matches ADD COLUMN game text NOT NULL DEFAULT 'cs2' CHECK (game ~ '^[a-z][a-z0-9]{1,15}$')`
  // Removes the default value, which was only needed for existing rows. New registrations always specify their game.
  yield* sql`ALTER TABLE matches ALTER COLUMN game DROP DEFAULT`

  yield* sql`ALTER TABLE matches DROP CONSTRAINT cs2_matches_pkey, ADD PRIMARY KEY (game, match_number)`
  yield* sql`DROP INDEX cs2_matches_active`
  yield* sql`CREATE INDEX matches_active ON matches (game, match_number) WHERE status IN ('scheduled', 'live')`
  yield* sql`DROP INDEX cs2_matches_unarchived`
  yield* sql`CREATE INDEX matches_unarchived ON matches (game, match_number) WHERE archived_status IS DISTINCT FROM status`

  // Each game has a database sequence instead of a counter row, because an import that assigns numbers in a long
  // transaction must not block the registration of matches.
  yield* sql`CREATE SEQUENCE cs2_match_numbers START WITH 1001`
  yield* sql`
    SELECT setval('cs2_match_numbers', numbers.last_value, numbers.is_called)
    FROM cs2_matches_match_number_seq AS numbers`
  yield* sql`ALTER TABLE matches ALTER COLUMN match_number DROP IDENTITY`

  // Function that returns the next match number of a game. The first call for a game creates the game's sequence under
  // a lock, so that only one caller creates it. Later calls do not need the lock.
  yield* sql`
    CREATE FUNCTION next_match_number(game text) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      sequence text := quote_ident(game || '_match_numbers');
    BEGIN
      IF to_regclass(sequence) IS NULL THEN
        PERFORM pg_advisory_xact_lock(hashtext('matchpoint.match_numbers'));
        EXECUTE 'CREATE SEQUENCE IF NOT EXISTS ' || sequence || ' START WITH 1001';
      END IF;
      RETURN nextval(sequence);
    END $$`
})
