/**
 * Creates the search index and the function that finds and ranks entities in it. Part of migration 0003; requires the
 * trigram extension.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const cs2Search = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Search index, one row per entity. `words` contains the name, slug, tag and aliases, normalized by `searchKey()` of
  // `rules/archive/names.ts`. `weight` is a number from 0 to 1 that is higher for better-known entities. The fill factor
  // leaves free space in each page, so that a weight can be updated without updating the index of `words`.
  yield* sql`
    CREATE TABLE cs2_search (
      entity_type   text NOT NULL CHECK (entity_type IN ('team', 'player', 'event')),
      entity_number bigint NOT NULL,
      label         text NOT NULL,
      words         text NOT NULL,
      weight        real NOT NULL,
      PRIMARY KEY (entity_type, entity_number)
    ) WITH (fillfactor = 80)`
  yield* sql`CREATE INDEX cs2_search_words ON cs2_search USING gin (words gin_trgm_ops)`
  // Index for names that consist of symbols only. They cannot be found by the trigram index, because they have no
  // trigrams. It is a hash index because tournament names can be long.
  yield* sql`CREATE INDEX cs2_search_exact ON cs2_search USING hash (words)`

  // Function that finds the best matching entities of each type.
  //
  // - The arguments contain the search text, normalized by searchKey(): `spoken` with its spaces, `joined` without
  //   spaces (null if it has no spaces). `spoken_like` and `joined_like` are the same texts, escaped for LIKE.
  // - `tier` states how well the name agrees with the text: 4 for the exact name, 3 for whole words of the name, 2 for
  //   the beginning of words, 1 for similar names.
  // - Similar names are searched only if there are fewer than five better results. This search ignores spaces, because
  //   words such as "team" occur in half of all names.
  // - The similarity threshold is 0.4, which is the similarity that remains if two letters of a six-letter word are
  //   swapped. Swapped letters at the start of a short word reduce the similarity below the threshold. To find such
  //   words, too, the function also searches for every text that results from swapping two adjacent letters.
  // - The threshold is set as a configuration parameter of the function, because an index can apply it only in this
  //   form.
  // - The function is written in PL/pgSQL, because a session then caches its query plans. As plain SQL, each call took
  //   0.6 ms, of which 0.5 ms were spent on planning.
  yield* sql`
    CREATE FUNCTION cs2_find(spoken text, joined text, spoken_like text, joined_like text, how_many integer)
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
        SELECT r.*, row_number() OVER (PARTITION BY r.entity_type ORDER BY r.tier DESC, r.worth DESC, r.entity_number) AS place
        FROM ranked r
      ) f
      WHERE f.place <= how_many;
    END
    $$`
})
