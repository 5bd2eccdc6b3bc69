/**
 * Adds the table by which players are searched. It is a summary, see `archive/summaries/playerNames.ts`; this migration fills
 * it from the summaries that exist, so that the search works before the next import.
 */
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
})
