/**
 * Candidates for merging: two players of a tour with equal folded name, birth date and country. A candidate is certain
 * if:
 * - no third player has the same name, birth date and country,
 * - the two have never met, and never played in the same tournament,
 * - no ranking list has both,
 * - the birth date is not 1 January, which sources write if they know only the year.
 */

/**
 * Columns: `tour`, `name`, `birth_date`, `country`, of each player `player_id` or `into_id`, its matches and its best
 * rank, and `against`: the reason against a merge, or null. The player with more matches remains, then the one with the
 * better rank, then the one with the lower id.
 */
export const candidatesText = `
  SELECT pair.*, CASE
      WHEN namesakes > 2 THEN 'several_namesakes'
      WHEN EXISTS (SELECT FROM tennis_matches m WHERE (m.winner_id, m.loser_id) IN ((player_id, into_id), (into_id, player_id))) THEN 'have_met'
      WHEN EXISTS (SELECT FROM tennis_rankings one JOIN tennis_rankings other USING (ranking_date)
        WHERE one.player_id = pair.player_id AND other.player_id = pair.into_id) THEN 'same_ranking_list'
      WHEN EXISTS (
        SELECT FROM (SELECT tournament_id FROM tennis_matches WHERE winner_id = pair.player_id UNION SELECT tournament_id FROM tennis_matches
          WHERE loser_id = pair.player_id) one
        JOIN tennis_matches o ON o.tournament_id = one.tournament_id AND o.tour = pair.tour AND pair.into_id IN (o.winner_id, o.loser_id)) THEN 'same_tournament'
      WHEN extract(month FROM birth_date) = 1 AND extract(day FROM birth_date) = 1 THEN 'uncertain_birth_date'
    END AS against
  FROM (
    SELECT tour, name, birth_date, country, namesakes, player_id, matches, career_high, kept_id AS into_id, kept_matches AS into_matches,
      kept_high AS into_career_high
    FROM (
      SELECT p.*, count(*) OVER same AS namesakes, first_value(player_id) OVER best AS kept_id, first_value(matches) OVER best AS kept_matches,
        first_value(career_high) OVER best AS kept_high
      FROM tennis_player_summaries p WHERE birth_date IS NOT NULL AND country IS NOT NULL
      WINDOW same AS (PARTITION BY tour, birth_date, words, country),
        best AS (PARTITION BY tour, birth_date, words, country ORDER BY matches DESC, career_high NULLS LAST, player_id)
    ) grouped WHERE namesakes > 1 AND kept_id <> player_id
  ) pair`
