/**
 * Adds identity data of the CS2 archive that cannot be derived from a single source or from played matches: former
 * slugs, corrections by operators, and the team and role of each player as listed by sources.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const cs2Identity = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Former slugs of entities. An entity can still be found by its former slug, unless another entity uses that slug
  // now.
  yield* sql`
    CREATE TABLE cs2_former_slugs (
      entity_type   text NOT NULL CHECK (entity_type IN ('team', 'player')),
      slug          text NOT NULL,
      entity_number bigint NOT NULL,
      PRIMARY KEY (entity_type, slug)
    )`
  yield* sql`CREATE INDEX cs2_former_slugs_entity ON cs2_former_slugs (entity_type, entity_number)`

  // Corrections of team identities by operators. 'merge': the team `team_number` was a duplicate of `other_number` and
  // was removed. 'split': matches of `team_number` between the two times belong to `other_number`; if one of the times
  // is null, the period is open at that end.
  yield* sql`
    CREATE TABLE cs2_team_corrections (
      correction_number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      kind              text NOT NULL CHECK (kind IN ('merge', 'split')),
      team_number       bigint NOT NULL,
      other_number      bigint NOT NULL REFERENCES cs2_teams,
      from_at           timestamptz,
      until_at          timestamptz,
      reason            text,
      actor             text NOT NULL,
      created_at        timestamptz NOT NULL DEFAULT now(),
      CHECK (team_number <> other_number),
      CHECK (from_at < until_at)
    )`
  yield* sql`CREATE UNIQUE INDEX cs2_team_corrections_merged ON cs2_team_corrections (team_number) WHERE kind = 'merge'`
  yield* sql`CREATE INDEX cs2_team_corrections_other ON cs2_team_corrections (other_number)`

  // Team and role of a player as listed by a source, and the time of that report. They are used for coaches, and for
  // players who have not played a match yet.
  yield* sql`
    ALTER TABLE cs2_players ADD COLUMN told_team_number bigint REFERENCES cs2_teams, ADD COLUMN told_role text CHECK (told_role IN ('player', 'coach')),
      ADD COLUMN told_at timestamptz`

  // Adds two kinds of indexes. The first kind shows whether the archive contains imported data, which every statistics
  // query checks. The second kind is used to count the matches that have a demo (recording); a web page displays this
  // number.
  yield* sql`CREATE INDEX cs2_series_imported ON cs2_series (match_number) WHERE source NOT IN ('simulator', 'live')`
  yield* sql`CREATE INDEX cs2_rankings_published ON cs2_rankings (ranked_on) WHERE ranking = 'vrs' AND source <> 'simulator'`
  yield* sql`CREATE INDEX cs2_series_demos ON cs2_series (match_number) WHERE jsonb_array_length(COALESCE(demo_links, '[]')) > 0`
})
