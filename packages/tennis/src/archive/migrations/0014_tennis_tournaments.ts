/**
 * Adds tournaments and competitions of the tennis archive: tables that are computed from the matches (see
 * `archive/summaries`), and the function that decides which tournaments are the same competition.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const tennisTournaments = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Returns the id of the competition without its tour. The number of an ATP tournament stays the same every year. All
  // other codes of the sources are counters within a year, or change every few years, so there the name identifies the
  // competition. The function has one expression and no FROM, so that the database inlines it. Exceptions: ties of team cups are one competition, the Grand Slams of the WTA have the numbers of those
  // of the ATP, and the codes M001 to M056, which replaced the numbers of some tournaments from 2016 to 2020.
  yield* sql`
    CREATE FUNCTION tennis_competition_key(tour text, tournament_id text, name text, level text) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
      SELECT CASE
        WHEN level = 'D' AND name ~* '^davis cup' THEN 'davis-cup'
        WHEN level = 'D' AND name ~* '^(fed|bjk) cup' THEN 'bjk-cup'
        WHEN tour = 'wta' AND level = 'G' AND name ~* '^australian (open|championships)$' THEN '580'
        WHEN tour = 'wta' AND level = 'G' AND name ~* '^(roland garros|french championships)$' THEN '520'
        WHEN tour = 'wta' AND level = 'G' AND name ~* '^wimbledon$' THEN '540'
        WHEN tour = 'wta' AND level = 'G' AND name ~* '^us (open|national championships)$' THEN '560'
        WHEN tour = 'atp' AND tournament_id ~ '^[0-9]{4}-[0-9]+$' THEN ltrim(substr(tournament_id, 6), '0')
        WHEN tour = 'atp' AND tournament_id ~ '^[0-9]{4}-M0(01|04|06|07|09|10|14|15|16|20|21|24|35|52|56)$' THEN
          CASE substr(tournament_id, 6)
            WHEN 'M001' THEN '338' WHEN 'M004' THEN '807' WHEN 'M006' THEN '404' WHEN 'M007' THEN '403' WHEN 'M009' THEN '416'
            WHEN 'M010' THEN '440' WHEN 'M014' THEN '438' WHEN 'M015' THEN '747' WHEN 'M016' THEN '741' WHEN 'M020' THEN '339'
            WHEN 'M021' THEN '1536' WHEN 'M024' THEN '422' WHEN 'M035' THEN '418' WHEN 'M052' THEN '6932' WHEN 'M056' THEN '8998'
          END
        ELSE COALESCE(NULLIF(trim(BOTH '-' FROM regexp_replace(lower(name), '[^a-z0-9]+', '-', 'g')), ''),
          regexp_replace(tournament_id, '^[0-9]{4}-', ''))
      END
    $$`

  // `champion` and `finalist` are null if there is no final, or if the tournament is a team competition. `country` is
  // that of the source's code. `ends_on` is null if the day of the last match is not verified.
  // `details` is the tournament as the API returns it: building it for a page takes longer than reading the page.
  yield* sql`
    CREATE TABLE tennis_tournaments (
      id                       text PRIMARY KEY,
      tour                     text NOT NULL,
      tournament_id            text NOT NULL,
      competition_id           text NOT NULL,
      circuits                 text[] NOT NULL,
      year                     integer NOT NULL,
      name                     text,
      tier                     text NOT NULL,
      level                    text,
      surface                  text,
      country                  text,
      draw_size                integer,
      starts_on                date NOT NULL,
      ends_on                  date,
      date_is_tournament_start boolean NOT NULL,
      is_team_event            boolean NOT NULL,
      matches                  integer NOT NULL,
      champion_id              text,
      champion_name            text,
      champion_country         text,
      finalist_id              text,
      finalist_name            text,
      finalist_country         text,
      final_score              text,
      details                  json NOT NULL
    )`
  // Lists are sorted by start, and filtered by one or more of these columns. The pairs are filters of which each alone
  // fits thousands of tournaments, but both together may fit none.
  const filters = [
    "",
    "tour, ",
    "competition_id, ",
    "year, ",
    "tier, ",
    "level, ",
    "surface, ",
    "country, ",
    "surface, tier, ",
    "surface, level, ",
  ]
  for (const columns of filters) yield* sql`CREATE INDEX ON tennis_tournaments (${sql.literal(columns)}starts_on, id)`

  // Numbers of tournaments by everything that lists are filtered by, so that totals need not count tournaments.
  yield* sql`
    CREATE TABLE tennis_tournament_counts (
      year        integer NOT NULL,
      tour        text NOT NULL,
      tier        text NOT NULL,
      level       text,
      surface     text,
      country     text,
      tournaments integer NOT NULL
    )`
  yield* sql`CREATE INDEX ON tennis_tournament_counts (year)`

  // `words` has all names that the competition has had, in lower case.
  yield* sql`
    CREATE TABLE tennis_competitions (
      id                   text PRIMARY KEY,
      tour                 text NOT NULL,
      name                 text,
      tier                 text NOT NULL,
      level                text,
      surface              text,
      tournaments          integer NOT NULL,
      first_year           integer NOT NULL,
      last_year            integer NOT NULL,
      newest_id            text NOT NULL,
      most_titles          integer,
      most_titles_id       text,
      most_titles_name     text,
      most_titles_country  text,
      words                text NOT NULL
    )`
  yield* sql`CREATE INDEX ON tennis_competitions USING gin (words gin_trgm_ops)`
  for (const columns of ["", "tour, ", "tier, "]) yield* sql`CREATE INDEX ON tennis_competitions (${sql.literal(columns)}tournaments, id)`
})
