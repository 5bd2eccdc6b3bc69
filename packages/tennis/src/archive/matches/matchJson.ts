/**
 * Builds JSON of archived singles matches, in the models of the API contract: `json`, because building `jsonb` takes one
 * and a half times as long. `m` is the alias of a row of `tennis_matches`.
 */

/** Id of the tournament in one year, such as `atp_2023-580`. */
export const tournamentIdText = (m: string): string => `${m}.tour || '_' || ${m}.tournament_id`

/** Id of the competition that is held every year, such as `atp_580`. Migration 0014 defines the function. */
export const competitionIdText = (m: string): string =>
  `${m}.tour || '_' || tennis_competition_key(${m}.tour, ${m}.tournament_id, ${m}.tournament_name, ${m}.level)`

/** The stored id is cheaper to read than to compute. A new tournament may not be stored yet. */
const storedCompetitionText = (m: string): string =>
  `COALESCE((SELECT c.competition_id FROM tennis_tournaments c WHERE c.id = ${tournamentIdText(m)}), ${competitionIdText(m)})`

/**
 * True if a match `m` has no day of its own: its date is the start of the tournament unless a source gave the day. The
 * column `date_is_tournament_start` of archives that were imported before says otherwise for some years.
 */
export const hasNoDayText = (m: string): string => `${m}.date_source IS NULL`

const playerText = (m: string, side: "winner" | "loser"): string => `json_build_object(
      'id', ${m}.${side}_id, 'name', ${m}.${side}_name, 'country', ${m}.${side}_country, 'seed', ${m}.${side}_seed,
      'entry', ${m}.${side}_entry, 'age', round(${m}.${side}_age::numeric, 1), 'rank', ${m}.${side}_rank,
      'rank_points', ${m}.${side}_rank_points)`

export const scoreText = (m: string): string => `json_build_object(
      'text', ${m}.score, 'ending', ${m}.ending, 'problem', ${m}.score_problem,
      'sets', COALESCE((
        SELECT json_agg(json_build_object('winner_games', w, 'loser_games', l, 'tiebreak_points', t) ORDER BY n)
        FROM unnest(${m}.winner_games, ${m}.loser_games, ${m}.tiebreak_points) WITH ORDINALITY AS sets (w, l, t, n)), '[]'))`

/** `more` are further names and values of `json_build_object`. */
export const matchJsonText = (m: string, more: ReadonlyArray<string> = []): string => `json_build_object(
      'id', ${m}.match_id, 'tour', upper(${m}.tour), 'circuit', ${m}.circuit, 'date', ${m}.match_date::text,
      'date_is_tournament_start', ${hasNoDayText(m)}, 'date_source', ${m}.date_source,
      'tournament', json_build_object('id', ${tournamentIdText(m)}, 'competition_id', ${storedCompetitionText(m)},
        'name', ${m}.tournament_name, 'level', ${m}.level, 'surface', ${m}.surface),
      'round', ${m}.round, 'best_of', ${m}.best_of, 'minutes', ${m}.minutes, 'status', ${m}.ending,
      'is_final', ${m}.ending NOT IN ('unfinished', 'unknown'),
      'winner', ${playerText(m, "winner")}, 'loser', ${playerText(m, "loser")}, 'score', ${[scoreText(m), ...more].join(", ")})`
