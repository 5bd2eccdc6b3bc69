/**
 * Adds the tables that the endpoints for tennis players and matches read instead of many rows of the archive. All of
 * them are computed from the archive, see `packages/tennis/src/archive/summaries`. Text columns are empty where the archive has no
 * value, because primary keys cannot contain null.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const tennisPlayers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Sums of the matches of a player in a year, one row per circuit, level and surface.
  yield* sql`
    CREATE TABLE tennis_player_years (
      player_id text NOT NULL,
      year      smallint NOT NULL,
      circuit   text NOT NULL,
      level     text NOT NULL,
      surface   text NOT NULL,
      first_day date NOT NULL,
      last_day  date NOT NULL,
      listed                      integer NOT NULL,
      wins                        integer NOT NULL,
      losses                      integer NOT NULL,
      walkovers_won               integer NOT NULL,
      walkovers_lost              integer NOT NULL,
      finals                      integer NOT NULL,
      titles                      integer NOT NULL,
      tiebreaks_won               integer NOT NULL,
      tiebreaks_lost              integer NOT NULL,
      deciding_won                integer NOT NULL,
      deciding_lost               integer NOT NULL,
      with_statistics             integer NOT NULL,
      aces                        integer NOT NULL,
      double_faults               integer NOT NULL,
      serve_points                integer NOT NULL,
      first_in                    integer NOT NULL,
      first_won                   integer NOT NULL,
      second_won                  integer NOT NULL,
      serve_games                 integer NOT NULL,
      break_points_saved          integer NOT NULL,
      break_points_faced          integer NOT NULL,
      opponent_aces               integer NOT NULL,
      opponent_double_faults      integer NOT NULL,
      opponent_serve_points       integer NOT NULL,
      opponent_first_in           integer NOT NULL,
      opponent_first_won          integer NOT NULL,
      opponent_second_won         integer NOT NULL,
      opponent_serve_games        integer NOT NULL,
      opponent_break_points_saved integer NOT NULL,
      opponent_break_points_faced integer NOT NULL,
      PRIMARY KEY (player_id, year, circuit, level, surface)
    )`

  // One row per player. `words` is the name in lower case without accents and punctuation. `fame` orders players by how
  // well they are known. `rank_order` is the current rank, or 1000000 for players without one, so that an index can
  // order all players by it.
  yield* sql`
    CREATE TABLE tennis_player_summaries (
      player_id         text PRIMARY KEY,
      tour              text NOT NULL,
      name              text NOT NULL,
      first_name        text,
      last_name         text,
      words             text NOT NULL,
      hand              text,
      birth_date        date,
      country           text,
      height_cm         integer,
      wikidata_id       text,
      matches           integer NOT NULL,
      titles            integer NOT NULL,
      fame              integer NOT NULL,
      current_rank      integer,
      current_points    integer,
      rank_date         date,
      rank_order        integer NOT NULL,
      career_high       integer,
      career_high_date  date
    )`
  for (const column of ["fame", "rank_order", "matches", "words"]) {
    yield* sql`CREATE INDEX ${sql.literal(`tennis_player_summaries_by_${column}`)} ON tennis_player_summaries (${sql.literal(column)}, player_id)`
    yield* sql`
      CREATE INDEX ${sql.literal(`tennis_player_summaries_of_tour_by_${column}`)} ON tennis_player_summaries (tour, ${sql.literal(column)}, player_id)`
  }
  yield* sql`CREATE INDEX tennis_player_summaries_words ON tennis_player_summaries USING gin (words gin_trgm_ops)`
  // Only players with matches are found by similar names: half of the players have none, and they would hide the others.
  yield* sql`
    CREATE INDEX tennis_player_summaries_similar ON tennis_player_summaries USING gin (words gin_trgm_ops) WHERE matches > 0`

  // Finds players by two patterns of their words. A plan that does not know the patterns would read all players instead
  // of the index, because it expects many hits. The setting prevents this, and needs a function.
  yield* sql`
    CREATE FUNCTION tennis_players_named(whole text, inside text) RETURNS SETOF tennis_player_summaries
    LANGUAGE plpgsql STABLE ROWS 50 SET enable_seqscan = off AS $$
    BEGIN
      RETURN QUERY SELECT s.* FROM tennis_player_summaries s WHERE s.words LIKE whole OR s.words LIKE inside;
    END
    $$`

  // Finds players whose name is similar to `spoken`, most similar first. The threshold is a setting of the function, because
  // an index can apply it only in this form. At 0.5, `fedrer` finds Federer and `djokovich` finds Djokovic.
  yield* sql`
    CREATE FUNCTION tennis_similar_players(spoken text, of_tour text, how_many integer)
    RETURNS TABLE (player_id text, similarity real)
    LANGUAGE plpgsql STABLE ROWS 10 SET pg_trgm.word_similarity_threshold = 0.5 AS $$
    #variable_conflict use_column
    BEGIN
      RETURN QUERY
      SELECT s.player_id, word_similarity(spoken, s.words)
      FROM tennis_player_summaries s
      WHERE s.matches > 0 AND s.words %> spoken AND (of_tour IS NULL OR s.tour = of_tour)
      ORDER BY word_similarity(spoken, s.words) DESC, s.fame DESC, s.player_id LIMIT how_many;
    END
    $$`

  yield* sql`CREATE TABLE tennis_player_totals (tour text PRIMARY KEY, players integer NOT NULL)`

  // Number of matches by year and all combinations of the other columns. `*` in a column stands for all its values.
  yield* sql`
    CREATE TABLE tennis_match_counts (
      tour    text NOT NULL,
      circuit text NOT NULL,
      level   text NOT NULL,
      surface text NOT NULL,
      round   text NOT NULL,
      year    smallint NOT NULL,
      matches integer NOT NULL,
      PRIMARY KEY (tour, circuit, level, surface, round, year)
    )`
  yield* sql`CREATE INDEX tennis_match_counts_year ON tennis_match_counts (tour, year)`
})
