/**
 * One row per player with totals and ranks, and the number of players of each tour. A player of a match who is missing
 * in the files of players has a row with the name of the match. A player without a name has the id as its name.
 */
import { foldedText } from "@matchpoint/store/names/foldedText"
import { concernedPlayersText } from "./concernedPlayers.ts"
import { idsIn } from "./slices.ts"
import type { TennisSummary } from "./TennisSummary.ts"

const columns = `player_id, tour, name, first_name, last_name, words, hand, birth_date, country, height_cm, wikidata_id, matches, titles,
  fame, current_rank, current_points, rank_date, rank_order, career_high, career_high_date`

/**
 * The best rank and its first date are found as one number, which is the rank times 2^20 plus the days since 1900.
 * `fame` adds up titles, Grand Slam titles, wins on the main tour, the best rank and the current rank.
 */
const insertWhere = (ofPlayer: (column: string) => string): string => `
  INSERT INTO tennis_player_summaries (${columns})
  WITH careers AS (
    SELECT player_id, sum(wins + losses)::integer AS matches,
      COALESCE(sum(titles) FILTER (WHERE circuit IN ('tour', 'amateur')), 0)::integer AS titles,
      (COALESCE(sum(titles) FILTER (WHERE circuit IN ('tour', 'amateur')), 0) * 20
        + COALESCE(sum(titles) FILTER (WHERE circuit IN ('tour', 'amateur') AND level = 'G'), 0) * 100
        + COALESCE(sum(wins) FILTER (WHERE circuit IN ('tour', 'amateur')), 0))::integer AS fame
    FROM tennis_player_years WHERE ${ofPlayer("player_id")} GROUP BY player_id
  ), ranked AS (
    SELECT player_id, min(rank::bigint * 1048576 + (ranking_date - date '1900-01-01')) AS best
    FROM tennis_rankings WHERE ${ofPlayer("player_id")} GROUP BY player_id
  ), newest AS (
    SELECT r.player_id, r.rank, r.points, r.ranking_date
    FROM (VALUES ('atp'), ('wta')) AS tours (tour)
    CROSS JOIN LATERAL (SELECT max(l.ranking_date) AS day FROM tennis_rankings l WHERE l.tour = tours.tour) AS last
    JOIN tennis_rankings r ON r.tour = tours.tour AND r.ranking_date = last.day
    WHERE ${ofPlayer("r.player_id")}
  ), known AS (
    SELECT player_id, tour, COALESCE(NULLIF(concat_ws(' ', first_name, last_name), ''), player_id) AS name, first_name, last_name, hand, birth_date, country, height_cm,
      wikidata_id
    FROM tennis_players WHERE ${ofPlayer("player_id")}
    UNION ALL
    SELECT c.player_id, split_part(c.player_id, '_', 1), COALESCE(played.name, c.player_id), NULL, NULL, played.hand, NULL, played.country,
      played.height_cm, NULL
    FROM careers c CROSS JOIN LATERAL (
      SELECT name, hand, country, height_cm FROM (
        SELECT winner_name AS name, winner_hand AS hand, winner_country AS country, winner_height_cm AS height_cm, match_date, match_id
        FROM tennis_matches WHERE winner_id = c.player_id
        UNION ALL
        SELECT loser_name, loser_hand, loser_country, loser_height_cm, match_date, match_id
        FROM tennis_matches WHERE loser_id = c.player_id) AS either
      ORDER BY match_date DESC, match_id DESC LIMIT 1) AS played
    WHERE NOT EXISTS (SELECT FROM tennis_players p WHERE p.player_id = c.player_id)
  )
  SELECT k.player_id, k.tour, k.name, k.first_name, k.last_name, ${foldedText("k.name")}, k.hand, k.birth_date, k.country, k.height_cm,
    k.wikidata_id, COALESCE(c.matches, 0), COALESCE(c.titles, 0),
    COALESCE(c.fame, 0) + CASE WHEN n.rank <= 100 THEN (101 - n.rank) * 3 ELSE 0 END + COALESCE(2000 / (r.best / 1048576), 0)::integer,
    n.rank, n.points, n.ranking_date, COALESCE(n.rank, 1000000), (r.best / 1048576)::integer,
    date '1900-01-01' + (r.best % 1048576)::integer
  FROM known k
  LEFT JOIN careers c ON c.player_id = k.player_id
  LEFT JOIN ranked r ON r.player_id = k.player_id
  LEFT JOIN newest n ON n.player_id = k.player_id`

export const playerSummaries: TennisSummary = {
  table: "tennis_player_summaries",
  slicedBy: "players",
  rebuild: (slice) => [
    `DELETE FROM tennis_player_summaries WHERE ${idsIn("player_id", slice)}`,
    insertWhere((column) => `(${idsIn(column, slice)})`),
  ],
  update: (sql, added) => {
    const ofPlayer = (column: string) => `${column} = ANY (ARRAY(${concernedPlayersText(added)}))`
    return [
      sql`${sql.literal(`DELETE FROM tennis_player_summaries WHERE ${ofPlayer("player_id")}`)}`,
      sql`${sql.literal(insertWhere(ofPlayer))}`,
    ]
  },
}

export const playerTotals: TennisSummary = {
  table: "tennis_player_totals",
  slicedBy: "nothing",
  rebuild: () => [
    "DELETE FROM tennis_player_totals",
    "INSERT INTO tennis_player_totals (tour, players) SELECT tour, count(*) FROM tennis_player_summaries GROUP BY tour",
  ],
  update: (sql, { tour }) => [
    sql`
      INSERT INTO tennis_player_totals (tour, players) SELECT tour, count(*) FROM tennis_player_summaries WHERE tour = ${tour} GROUP BY tour
      ON CONFLICT (tour) DO UPDATE SET players = excluded.players`,
  ],
}
