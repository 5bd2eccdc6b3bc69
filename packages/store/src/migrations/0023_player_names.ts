/**
 * Adds the table by which tennis players are searched. It is a summary, see `packages/tennis/src/archive/summaries/playerNames.ts`; this
 * migration fills it from the summaries that exist, so that the search works before the next import. Also
 * adds what the searches of the other sections need to rank by weight.
 */
import { foldName } from "@matchpoint/domain/names/foldName"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const playerNames = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `name` is the folded name. `words` has its words and other spellings, with a space before and after each. `weight` is
  // from 0, for players without results, to about 9, for the best ones.
  yield* sql`
    CREATE TABLE tennis_player_names (
      player_id text PRIMARY KEY,
      tour      text NOT NULL,
      name      text NOT NULL,
      words     text NOT NULL,
      weight    real NOT NULL
    )`
  yield* sql`
    INSERT INTO tennis_player_names (player_id, tour, name, words, weight)
    SELECT player_id, tour, words, ' ' || words || ' ', ln(1 + fame + matches / 10.0) FROM tennis_player_summaries`
  yield* sql`CREATE INDEX tennis_player_names_words ON tennis_player_names USING gin (words gin_trgm_ops)`
  // Similar names are searched only among players with results, because half of all players have none and would hide the
  // others.
  yield* sql`CREATE INDEX tennis_player_names_similar ON tennis_player_names USING gin (words gin_trgm_ops) WHERE weight > 0`
  yield* sql`CREATE INDEX tennis_player_names_by_name ON tennis_player_names (name)`
  yield* sql`CREATE INDEX tennis_player_names_by_weight ON tennis_player_names (weight DESC, player_id)`
  yield* sql`ANALYZE tennis_player_names`

  // Finds players by patterns of their words. A plan that does not know the patterns would read the whole table instead
  // of the index, because it expects many hits. The setting prevents this, and needs a function.
  yield* sql`
    CREATE FUNCTION tennis_names_like(patterns text[]) RETURNS SETOF tennis_player_names
    LANGUAGE plpgsql STABLE ROWS 50 SET enable_seqscan = off AS $$
    BEGIN
      RETURN QUERY SELECT n.* FROM tennis_player_names n WHERE n.words LIKE ANY (patterns);
    END
    $$`

  // Finds players whose name is similar to `spoken`, most similar first. The threshold is a setting of the function, because
  // an index can apply it only in this form. At 0.5, `fedrer` finds Federer and `djokovich` finds Djokovic.
  yield* sql`
    CREATE FUNCTION tennis_names_similar(spoken text, of_tour text, how_many integer)
    RETURNS TABLE (player_id text, weight real, similarity real)
    LANGUAGE plpgsql STABLE ROWS 10 SET pg_trgm.word_similarity_threshold = 0.5 SET enable_seqscan = off AS $$
    #variable_conflict use_column
    BEGIN
      RETURN QUERY
      SELECT s.player_id, s.weight, word_similarity(spoken, s.words)
      FROM tennis_player_names s
      WHERE s.weight > 0 AND s.words %> spoken AND (of_tour IS NULL OR s.tour = of_tour)
      ORDER BY 4 * word_similarity(spoken, s.words) + s.weight DESC, s.player_id LIMIT how_many;
    END
    $$`

  // Names of Call of Duty: the logarithm of the maps or matches, and names with hyphens as folded names have them.
  yield* sql`ALTER TABLE cod_names ADD COLUMN weight real NOT NULL DEFAULT 0`
  yield* sql`INSERT INTO cod_names (kind, id, name) SELECT kind, id, translate(name, '-', ' ') FROM cod_names ON CONFLICT DO NOTHING`

  // Folded names of Apex players.
  yield* sql`ALTER TABLE apex_players ADD COLUMN words text NOT NULL DEFAULT ''`
  yield* sql`UPDATE apex_players SET words = trim(regexp_replace(lower(name), '[^[:alnum:]]+', ' ', 'g'))`
  yield* sql`CREATE INDEX apex_players_words ON apex_players USING gin (words gin_trgm_ops)`

  // Names of CS2 in other letters, which are now searched in Latin letters.
  const foreign = yield* sql<{ readonly type: string; readonly number: string; readonly words: string }>`
    SELECT entity_type AS type, entity_number::text AS number, words FROM cs2_search WHERE words ~ '[^\\u0020-\\u007e]'`
  for (const { number, type, words } of foreign) {
    yield* sql`UPDATE cs2_search SET words = ${`${words} ${foldName(words)}`} WHERE entity_type = ${type} AND entity_number = ${number}::bigint`
  }

  // The search of CS2 as in migration 0003, but an entity that fits better no longer stands before all that are better known:
  // an exact name counts as much as 0.6 of the weight, which is from 0 to 1, and whole words of a name as much as 0.3.
  yield* sql`
    CREATE OR REPLACE FUNCTION cs2_find(spoken text, joined text, spoken_like text, joined_like text, how_many integer)
    RETURNS TABLE (entity_type text, entity_number bigint, tier integer, place bigint)
    LANGUAGE plpgsql STABLE ROWS 100 SET pg_trgm.word_similarity_threshold = 0.4 SET plan_cache_mode = force_generic_plan AS $$
    #variable_conflict use_column
    DECLARE
      spoken_first  CONSTANT text := spoken_like || '%';
      spoken_inside CONSTANT text := '% ' || spoken_first;
      joined_first  CONSTANT text := joined_like || '%';
      joined_inside CONSTANT text := '% ' || joined_first;
      spoken_word   CONSTANT text := ' ' || spoken || ' ';
      joined_word   CONSTANT text := ' ' || joined || ' ';
      whole         CONSTANT text := concat_ws(' ', spoken, joined);
      gapless       CONSTANT text := coalesce(joined, spoken);
    BEGIN
      RETURN QUERY
      WITH near AS MATERIALIZED (
        SELECT s.entity_type, s.entity_number, s.label, s.weight, s.words
        FROM cs2_search s
        WHERE s.words LIKE spoken_first OR s.words LIKE spoken_inside OR s.words LIKE joined_first OR s.words LIKE joined_inside
      ), hardly AS MATERIALIZED (
        SELECT WHERE (SELECT count(*) FROM near) < 5
      ), swapped AS (
        SELECT overlay(gapless PLACING reverse(substr(gapless, i, 2)) FROM i FOR 2) || '%' AS first
        FROM hardly CROSS JOIN generate_series(1, length(gapless) - 1) AS i
        WHERE length(gapless) BETWEEN 4 AND 9
      ), alike AS (
        SELECT a.entity_type, a.entity_number, max(a.worth) AS worth
        FROM (
          SELECT s.entity_type, s.entity_number, word_similarity(gapless, s.words) * 2 + s.weight AS worth
          FROM hardly CROSS JOIN cs2_search s
          WHERE s.words %> gapless
          UNION ALL
          SELECT s.entity_type, s.entity_number, 1.8 + s.weight
          FROM swapped w JOIN cs2_search s ON s.words LIKE w.first OR s.words LIKE '% ' || w.first
        ) a
        GROUP BY a.entity_type, a.entity_number
      ), ranked AS (
        SELECT n.entity_type, n.entity_number, n.weight AS worth, CASE
          WHEN n.words = whole OR starts_with(n.words, whole || ' ') AND (joined IS NOT NULL OR lower(n.label) = spoken) THEN 4
          WHEN strpos(' ' || n.words || ' ', spoken_word) > 0 OR strpos(' ' || n.words || ' ', joined_word) > 0 THEN 3
          ELSE 2 END AS tier
        FROM near n
        UNION ALL
        SELECT m.entity_type, m.entity_number, m.worth, 1 FROM alike m
        WHERE NOT EXISTS (SELECT FROM near n WHERE n.entity_type = m.entity_type AND n.entity_number = m.entity_number)
      )
      SELECT f.entity_type, f.entity_number, f.tier, f.place
      FROM (
        SELECT r.*, row_number() OVER (PARTITION BY r.entity_type ORDER BY r.worth + CASE r.tier WHEN 4 THEN 0.6 WHEN 3 THEN 0.3 WHEN 2 THEN 0 ELSE -3 END DESC, r.tier DESC, r.entity_number) AS place
        FROM ranked r
      ) f
      WHERE f.place <= how_many;
    END
    $$`
})
