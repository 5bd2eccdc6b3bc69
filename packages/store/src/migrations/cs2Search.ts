/** What search looks at, and the function that ranks it. Part of migration 0003, behind the extension for trigrams. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const cs2Search = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `words`: searchKey() of the domain over name, slug, tag, aliases. `weight`: 0..1, better known first. Its pages have room, so that a
  // new weight leaves the index of words alone.
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
  // For names of nothing but signs, which have no trigrams. A hash, because names of tournaments are long.
  yield* sql`CREATE INDEX cs2_search_exact ON cs2_search USING hash (words)`

  // The best of each kind for words as searchKey() makes them: 'spoken' with gaps, 'joined' without (null: the same). '..._like': escaped.
  // 'tier': 4 the name itself, 3 whole words of it, 2 their beginning, 1 similar, which are looked for only where there is hardly anything
  // better, and without gaps, because words such as "team" are in half of all names. Of six letters, 0.4 are left when two change places,
  // and of the first letters of a short word less: those are put back, two by two.
  // An index can use the threshold as a setting only, and a function can carry one. In PL/pgSQL, because a session keeps its plan: of
  // the 0.6 ms that it took in SQL, 0.5 went into planning it each time.
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
