/** Set lines and the statistics of both players of a match, a row `m` of `tennis_matches`. */
import { returnText, serveText } from "../statisticsJson.ts"
import { isWonSetText } from "./matchFacts.ts"
import { matchJsonText } from "./matchJson.ts"

/** The last set of a match that was not completed has a winner only if its games decide it. */
const setLines = `COALESCE((
      SELECT json_agg(json_build_object('set', n, 'winner_games', w, 'loser_games', l, 'tiebreak_points', t, 'won_by', CASE
        WHEN m.ending <> 'completed' AND n = cardinality(m.winner_games) AND NOT ${isWonSetText("w", "l")} THEN NULL
        WHEN w > l THEN 'winner' WHEN l > w THEN 'loser' END) ORDER BY n)
      FROM unnest(m.winner_games, m.loser_games, m.tiebreak_points) WITH ORDINALITY AS sets (w, l, t, n)), '[]')`

const boxText = (side: string, opponent: string): string => `json_build_object(
      'player', json_build_object('id', m.${side}_id, 'name', m.${side}_name, 'country', m.${side}_country),
      'serve', ${serveText((column) => `COALESCE(m.${side}_${column}, 0)`)},
      'return', ${returnText((column) => `COALESCE(m.${opponent}_${column}, 0)`)})`

const statistics = `CASE WHEN m.winner_serve_points > 0 AND m.loser_serve_points > 0 THEN
      json_build_object('winner', ${boxText("winner", "loser")}, 'loser', ${boxText("loser", "winner")}) END`

/** The model `TennisMatchDetail` without the reason of missing statistics. */
export const matchDetailText = matchJsonText("m", ["'draw_size', m.draw_size", `'set_lines', ${setLines}`, `'statistics', ${statistics}`])
