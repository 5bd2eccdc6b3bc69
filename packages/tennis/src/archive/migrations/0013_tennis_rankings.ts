/**
 * Adds the summaries of the tennis archive for rankings, leaderboards and coverage. `TennisSummaries` computes their rows
 * from the archive.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const tennisRankings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // One row per published list. `previous_date` is the date of the list of the same tour before it.
  yield* sql`
    CREATE TABLE tennis_ranking_weeks (
      tour          text NOT NULL,
      ranking_date  date NOT NULL,
      previous_date date,
      entries       integer NOT NULL,
      PRIMARY KEY (tour, ranking_date)
    )`

  // `weeks` counts the lists with the player. `best_date` is the date of the first list with the best rank.
  yield* sql`
    CREATE TABLE tennis_ranking_careers (
      player_id           text PRIMARY KEY,
      weeks               integer NOT NULL,
      first_date          date NOT NULL,
      last_date           date NOT NULL,
      best_rank           integer NOT NULL,
      best_date           date NOT NULL,
      weeks_at_number_one integer NOT NULL
    )`

  // Rows with an empty surface count all matches of the season.
  yield* sql`
    CREATE TABLE tennis_season_boards (
      tour             text NOT NULL,
      season           integer NOT NULL,
      surface          text NOT NULL,
      player_id        text NOT NULL,
      matches          integer NOT NULL,
      aces             integer NOT NULL,
      ace_matches      integer NOT NULL,
      first_won        integer NOT NULL,
      first_in         integer NOT NULL,
      breaks           integer NOT NULL,
      break_points     integer NOT NULL,
      saved            integer NOT NULL,
      faced            integer NOT NULL,
      comebacks        integer NOT NULL,
      first_sets_lost  integer NOT NULL,
      deciders_won     integer NOT NULL,
      deciders         integer NOT NULL,
      finals_won       integer NOT NULL,
      finals           integer NOT NULL,
      return_games_won integer NOT NULL,
      return_games     integer NOT NULL,
      tiebreaks_won    integer NOT NULL,
      tiebreaks        integer NOT NULL,
      PRIMARY KEY (tour, season, surface, player_id)
    )`

  // `problems` has the number of scores that cannot be parsed, by problem.
  yield* sql`
    CREATE TABLE tennis_coverage_years (
      tour              text NOT NULL,
      circuit           text NOT NULL,
      year              integer NOT NULL,
      first_date        date NOT NULL,
      last_date         date NOT NULL,
      matches           integer NOT NULL,
      with_statistics   integer NOT NULL,
      with_verified_day integer NOT NULL,
      last_live         date,
      problems          jsonb NOT NULL,
      PRIMARY KEY (tour, circuit, year)
    )`

  yield* sql`
    CREATE TABLE tennis_circuit_players (
      tour      text NOT NULL,
      circuit   text NOT NULL,
      player_id text NOT NULL,
      PRIMARY KEY (tour, circuit, player_id)
    )`
  yield* sql`CREATE INDEX tennis_circuits_of_player ON tennis_circuit_players (player_id)`

  // The row with an empty circuit counts the profiles of the tour.
  yield* sql`
    CREATE TABLE tennis_player_counts (
      tour    text NOT NULL,
      circuit text NOT NULL,
      players integer NOT NULL,
      PRIMARY KEY (tour, circuit)
    )`
})
