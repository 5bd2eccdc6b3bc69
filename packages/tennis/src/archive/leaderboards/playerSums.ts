/** Sums of what the season leaderboards count, per player. `packages/tennis/src/rules/archive/boards.ts` defines the terms. */
import type { BoardName } from "../../rules/archive/boards.ts"
import { isFinalText, isWonSetText } from "../matches/matchFacts.ts"

/** The year in the id of the tournament of a match `m`, or the year of its date if the id has none. */
export const seasonText = (m: string): string =>
  `CASE WHEN ${m}.tournament_id ~ '^[0-9]{4}-' THEN left(${m}.tournament_id, 4)::integer ELSE extract(year FROM ${m}.match_date)::integer END`

/** Columns after `matches`, and the SQL of each for a player's match `p`. */
const sums = {
  aces: "p.aces",
  ace_matches: "(p.aces IS NOT NULL)::integer",
  first_won: "CASE WHEN p.first_in > 0 THEN p.first_won END",
  first_in: "CASE WHEN p.first_won IS NOT NULL THEN p.first_in END",
  breaks: "p.other_faced - p.other_saved",
  break_points: "CASE WHEN p.other_saved IS NOT NULL THEN p.other_faced END",
  saved: "CASE WHEN p.faced IS NOT NULL THEN p.saved END",
  faced: "CASE WHEN p.saved IS NOT NULL THEN p.faced END",
  comebacks: "(p.lost_first AND p.won)::integer",
  first_sets_lost: "p.lost_first::integer",
  deciders_won: "(p.decided AND p.won)::integer",
  deciders: "p.decided::integer",
  finals_won: "(p.final AND p.won)::integer",
  finals: "p.final::integer",
  return_games_won: "CASE WHEN p.other_serve_games > 0 THEN p.other_faced - p.other_saved END",
  return_games: "CASE WHEN p.other_faced IS NOT NULL AND p.other_saved IS NOT NULL THEN p.other_serve_games END",
  tiebreaks_won: "p.tiebreaks_won",
  tiebreaks: "p.tiebreaks_won + p.tiebreaks_lost",
} as const

export const sumColumns: ReadonlyArray<string> = ["matches", ...Object.keys(sums)]

export const boardColumns: Readonly<Record<BoardName, readonly [numerator: keyof typeof sums, denominator: keyof typeof sums]>> = {
  aces: ["aces", "ace_matches"],
  "1st-serve-won": ["first_won", "first_in"],
  "break-conversion": ["breaks", "break_points"],
  "break-points-saved": ["saved", "faced"],
  "comeback-wins": ["comebacks", "first_sets_lost"],
  "deciding-set-record": ["deciders_won", "deciders"],
  "finals-record": ["finals_won", "finals"],
  "return-games-won": ["return_games_won", "return_games"],
  "tiebreak-win-pct": ["tiebreaks_won", "tiebreaks"],
}

/**
 * Facts about the matches `m` of the main tours, from the view of their winners. Further conditions can be appended with
 * AND. Arrays are numbered from 1. A walkover is not a played match.
 */
export const factsText = `
  SELECT m.*,
    (${seasonText("m")}) AS season,
    m.ending <> 'walkover' AS played,
    (m.winner_games[1] < m.loser_games[1] AND whole.first_set) AS winner_lost_first,
    (m.winner_games[1] > m.loser_games[1] AND whole.first_set) AS loser_lost_first,
    (m.ending = 'completed' AND sets.won = sets.lost + 1 AND sets.lost > 0) AS decided,
    (m.ending <> 'unfinished' AND ${isFinalText("m")}) AS final,
    sets.tiebreaks_won, sets.tiebreaks_lost
  FROM tennis_matches m
  CROSS JOIN LATERAL (SELECT m.ending <> 'walkover' AND (m.ending = 'completed' OR cardinality(m.winner_games) > 1
    OR ${isWonSetText("m.winner_games[1]", "m.loser_games[1]")}) AS first_set) whole
  CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE w > l)::integer AS won, count(*) FILTER (WHERE w < l)::integer AS lost,
      count(*) FILTER (WHERE w > l AND (t IS NOT NULL OR (w = 7 AND l = 6)))::integer AS tiebreaks_won,
      count(*) FILTER (WHERE w < l AND (t IS NOT NULL OR (w = 6 AND l = 7)))::integer AS tiebreaks_lost
    FROM unnest(m.winner_games, m.loser_games, m.tiebreak_points) AS parts (w, l, t)
  ) sets
  WHERE m.circuit = 'tour'`

const side = (own: "winner" | "loser", other: "winner" | "loser"): string => `
  SELECT f.tour, f.season, f.surface, f.${own}_id AS player_id, f.played, ${own === "winner"} AS won, f.final, f.decided,
    f.${own}_lost_first AS lost_first, f.${own}_aces AS aces, f.${own}_first_won AS first_won, f.${own}_first_in AS first_in,
    f.${own}_break_points_saved AS saved, f.${own}_break_points_faced AS faced,
    f.${other}_break_points_saved AS other_saved, f.${other}_break_points_faced AS other_faced,
    f.${other}_serve_games AS other_serve_games,
    f.tiebreaks_${own === "winner" ? "won" : "lost"} AS tiebreaks_won, f.tiebreaks_${own === "winner" ? "lost" : "won"} AS tiebreaks_lost
  FROM facts f`

/** Players' matches of the common table expression `facts`: two rows per match. */
export const playerMatchesText = `(${side("winner", "loser")} UNION ALL ${side("loser", "winner")})`

/** Sums over the players' matches `p` of a group, in the order of {@link sumColumns}. */
export const sumsText = `count(*) FILTER (WHERE p.played)::integer AS matches, ${Object.entries(sums)
  .map(([column, of]) => `COALESCE(sum(${of}), 0)::integer AS ${column}`)
  .join(", ")}`
