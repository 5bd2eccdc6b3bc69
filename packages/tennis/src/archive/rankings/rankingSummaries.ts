/** One row per published ranking list, and one per ranked player. */
import { idsIn } from "../summaries/slices.ts"
import type { TennisSummary } from "../summaries/TennisSummary.ts"

/** Ranking lists come from imports, which rebuild all summaries. A match does not change them. */
const update = () => []

/** Lists further apart are not consecutive. The longest real gap is 161 days, in 2020, when the tours paused. */
const LONGEST_GAP_DAYS = 200

export const rankingWeeks: TennisSummary = {
  table: "tennis_ranking_weeks",
  slicedBy: "tours",
  rebuild: (slice) => [
    `DELETE FROM tennis_ranking_weeks WHERE ${idsIn("tour", slice)}`,
    `INSERT INTO tennis_ranking_weeks (tour, ranking_date, previous_date, entries)
      SELECT tour, ranking_date, CASE WHEN ranking_date - before <= ${LONGEST_GAP_DAYS} THEN before END, entries
      FROM (SELECT tour, ranking_date, count(*)::integer AS entries, lag(ranking_date) OVER (PARTITION BY tour ORDER BY ranking_date) AS before
        FROM tennis_rankings WHERE ${idsIn("tour", slice)} GROUP BY tour, ranking_date) lists`,
  ],
  update,
}

/** Over a group of rankings `r` of one player: the columns after the player. */
export const careerText = `count(*)::integer AS weeks, min(r.ranking_date) AS first_date, max(r.ranking_date) AS last_date,
  (min(ARRAY[r.rank, r.ranking_date - date '1900-01-01']))[1] AS best_rank,
  date '1900-01-01' + (min(ARRAY[r.rank, r.ranking_date - date '1900-01-01']))[2] AS best_date,
  (count(*) FILTER (WHERE r.rank = 1))::integer AS weeks_at_number_one`

export const rankingCareers: TennisSummary = {
  table: "tennis_ranking_careers",
  slicedBy: "players",
  rebuild: (slice) => [
    `DELETE FROM tennis_ranking_careers WHERE ${idsIn("player_id", slice)}`,
    `INSERT INTO tennis_ranking_careers (player_id, weeks, first_date, last_date, best_rank, best_date, weeks_at_number_one)
      SELECT r.player_id, ${careerText} FROM tennis_rankings r
        WHERE ${idsIn("r.player_id", slice)} GROUP BY r.player_id`,
  ],
  update,
}
