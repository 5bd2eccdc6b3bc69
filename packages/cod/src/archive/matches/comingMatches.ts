/**
 * Matches that have not ended: those of the archive, and live matches, which are in the register of matches until they
 * are archived. Some plans get live data with a delay, so a live match is shown as live, and as ended, only after the
 * delay, for all callers.
 */
import { DELAY_SECONDS } from "@matchpoint/domain/plans"

const delayed = `now() - interval '${DELAY_SECONDS} seconds'`

/** Field of the first fact of a match that a feed registered, or of a simulated match. */
const tournamentText = (field: string) => `COALESCE(config #>> '{created,payload,tournament,${field}}', config #>> '{tournament,${field}}')`

/** Live matches with the columns of archived ones. The league names a season after the year in which it ends. */
const registeredText = `
  SELECT 'cod-match-' || match_number AS match_id, ${tournamentText("id")} AS tournament_id, ${tournamentText("name")} AS tournament_name,
    extract(year FROM COALESCE(started_at, created_at) + interval '4 months')::integer AS season, ${tournamentText("round")} AS round,
    CASE WHEN started_at <= ${delayed} THEN 'live' ELSE 'scheduled' END AS status, COALESCE(started_at, created_at) AS starts_at,
    started_at IS NOT NULL AS start_time_known, match_number::integer AS start_order, best_of, team1_id AS team1_slug, team1_name,
    team2_id AS team2_slug, team2_name, NULL::integer AS team1_score, NULL::integer AS team2_score,
    NULL AS score_gap, NULL AS winner_slug, NULL::boolean AS broadcasted, 'live' AS source
  FROM matches WHERE game = 'cod'`

/** Tables with the aliases `m` and `t` of `matchJson.ts`. */
export const comingTables = `(
  SELECT match_id, tournament_id, NULL AS tournament_name, NULL::integer AS season, round, status, starts_at, start_time_known,
    start_order, best_of, team1_slug, NULL AS team1_name, team2_slug, NULL AS team2_name, team1_score, team2_score, score_gap,
    winner_slug, broadcasted, source
  FROM cod_matches WHERE status IN ('scheduled', 'live')
  UNION ALL ${registeredText} AND status IN ('scheduled', 'live')
  UNION ALL ${registeredText} AND status = 'completed' AND archived_status IS DISTINCT FROM status AND ended_at > ${delayed}
) m
LEFT JOIN cod_tournaments known ON known.tournament_id = m.tournament_id
CROSS JOIN LATERAL (
  SELECT COALESCE(m.tournament_id, 'live') AS tournament_id, COALESCE(known.name, m.tournament_name, 'Tournament not stated') AS name,
    COALESCE(known.season, m.season) AS season
) t`
