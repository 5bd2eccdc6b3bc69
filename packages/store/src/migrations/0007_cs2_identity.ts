/**
 * Who is who in the archive of CS2, beyond what one source tells: slugs that have passed on, corrections by operators, and what pages say
 * of players, apart from what is derived of the matches they played.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const cs2Identity = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A slug that has named an entity before still finds it, unless another entity has the slug now.
  yield* sql`
    CREATE TABLE cs2_former_slugs (
      entity_type   text NOT NULL CHECK (entity_type IN ('team', 'player')),
      slug          text NOT NULL,
      entity_number bigint NOT NULL,
      PRIMARY KEY (entity_type, slug)
    )`
  yield* sql`CREATE INDEX cs2_former_slugs_entity ON cs2_former_slugs (entity_type, entity_number)`

  // 'merge': `team_number` is gone and was the same as `other_number`. 'split': what `team_number` did between the two times is of
  // `other_number`; a null time is open.
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

  // What a page says of a player, and when it said so. It counts for players without a played match, and for coaches.
  yield* sql`
    ALTER TABLE cs2_players ADD COLUMN told_team_number bigint REFERENCES cs2_teams, ADD COLUMN told_role text CHECK (told_role IN ('player', 'coach')),
      ADD COLUMN told_at timestamptz`

  // Whether anything was imported, and how many matches have a demo: each is asked with every statement of statistics, or by a page.
  yield* sql`CREATE INDEX cs2_series_imported ON cs2_series (match_number) WHERE source NOT IN ('simulator', 'live')`
  yield* sql`CREATE INDEX cs2_rankings_published ON cs2_rankings (ranked_on) WHERE ranking = 'vrs' AND source <> 'simulator'`
  yield* sql`CREATE INDEX cs2_series_demos ON cs2_series (match_number) WHERE jsonb_array_length(COALESCE(demo_links, '[]')) > 0`
})
