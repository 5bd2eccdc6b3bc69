/** Lets the search find names in other letters, and rank names by weight. */
import { foldName } from "@matchpoint/domain/names/foldName"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const playerNames = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

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
