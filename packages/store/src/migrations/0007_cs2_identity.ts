/**
 * Identity data of the CS2 archive that no single source provides: former slugs, corrections by operators, and what
 * source pages report about players, stored apart from what is derived from their played matches.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const cs2Identity = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Former slugs of entities. A former slug still finds its entity, unless another entity has the slug now.
  yield* sql`
    CREATE TABLE cs2_former_slugs (
      entity_type   text NOT NULL CHECK (entity_type IN ('team', 'player')),
      slug          text NOT NULL,
      entity_number bigint NOT NULL,
      PRIMARY KEY (entity_type, slug)
    )`
  yield* sql`CREATE INDEX cs2_former_slugs_entity ON cs2_former_slugs (entity_type, entity_number)`

  // 'merge': `team_number` was removed as a duplicate of `other_number`. 'split': matches of `team_number` between the
  // two times belong to `other_number`; null leaves the period open.
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

  // Team and role that a source's page reports for a player, and when. They apply to players without a played match and
  // to coaches.
  yield* sql`
    ALTER TABLE cs2_players ADD COLUMN told_team_number bigint REFERENCES cs2_teams, ADD COLUMN told_role text CHECK (told_role IN ('player', 'coach')),
      ADD COLUMN told_at timestamptz`

  // Indexes that answer whether imported data exists, which every statistics query checks, and how many matches have a
  // demo, which a page shows.
  yield* sql`CREATE INDEX cs2_series_imported ON cs2_series (match_number) WHERE source NOT IN ('simulator', 'live')`
  yield* sql`CREATE INDEX cs2_rankings_published ON cs2_rankings (ranked_on) WHERE ranking = 'vrs' AND source <> 'simulator'`
  yield* sql`CREATE INDEX cs2_series_demos ON cs2_series (match_number) WHERE jsonb_array_length(COALESCE(demo_links, '[]')) > 0`
})
