/** JSON of matches in the API's models. Aliases: `m` `cod_matches`, `t` `cod_tournaments`, `a` and `b` `cod_teams`. */

/** Tables that do not depend on the teams. Counting reads only these. */
export const matchTables = "cod_matches m JOIN cod_tournaments t ON t.tournament_id = m.tournament_id"

export const teamTables = "LEFT JOIN cod_teams a ON a.slug = m.team1_slug LEFT JOIN cod_teams b ON b.slug = m.team2_slug"

const startText = `to_char(m.starts_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const bpMatchIdText = "CASE WHEN m.source = 'breakingpoint' THEN m.match_id END"

type Side = "a" | "b"
const scoreText = (team: Side) => `CASE WHEN m.status = 'completed' THEN m.team${team === "a" ? 1 : 2}_score END`
const slugText = (team: Side) => `m.team${team === "a" ? 1 : 2}_slug`
const nameText = (team: Side) => `COALESCE(${team}.name, ${slugText(team)})`
/** The archive may not have the team of a coming match yet. */
const comingNameText = (team: Side) => `COALESCE(${team}.name, m.team${team === "a" ? 1 : 2}_name, ${slugText(team)})`

/** Scores of matches that have not ended are null: the archive does not follow live matches. */
const scoreReasonText = "CASE WHEN m.status = 'completed' THEN m.score_gap ELSE 'not_over' END"

const itemText = (name: (team: Side) => string) => {
  const scoredTeam = (team: Side) => `json_build_object('slug', ${slugText(team)}, 'name', ${name(team)},
    'score', ${scoreText(team)})`
  return `
    'id', m.match_id, 'matchId', m.match_id, 'bpMatchId', ${bpMatchIdText}, 'round', m.round, 'status', m.status,
    'startsAt', ${startText}, 'startTimeKnown', m.start_time_known, 'team1', ${scoredTeam("a")}, 'team2', ${scoredTeam("b")},
    'scoreReason', ${scoreReasonText}, 'winnerSlug', m.winner_slug`
}

export const matchItemText = `json_build_object(${itemText(nameText)},
    'tournament', json_build_object('tournamentId', t.tournament_id, 'name', t.name))`

/** Row of {@link comingTables}. */
export const upcomingMatchText = `json_build_object(${itemText(comingNameText)}, 'bestOf', m.best_of,
    'tournament', json_build_object('tournamentId', t.tournament_id, 'name', t.name, 'season', t.season))`

const scheduleText = (name: (team: Side) => string) => `json_build_object(
    'matchId', m.match_id, 'date', ${startText}, 'startTimeKnown', m.start_time_known, 'status', m.status,
    'team1', json_build_object('slug', ${slugText("a")}, 'name', ${name("a")}),
    'team2', json_build_object('slug', ${slugText("b")}, 'name', ${name("b")}),
    'tournament', t.name, 'round', m.round, 'broadcasted', m.broadcasted)`

export const scheduleItemText = scheduleText(nameText)
/** Row of {@link comingTables}. */
export const comingItemText = scheduleText(comingNameText)

export const storedMatchText = `json_build_object(
    'matchId', m.match_id, 'bpMatchId', ${bpMatchIdText}, 'round', m.round, 'status', m.status, 'startsAt', ${startText},
    'startTimeKnown', m.start_time_known, 'bestOf', m.best_of, 'source', m.source, 'winnerSlug', m.winner_slug,
    'team1Score', ${scoreText("a")}, 'team2Score', ${scoreText("b")}, 'scoreReason', ${scoreReasonText},
    'team1', json_build_object('slug', ${slugText("a")}, 'name', ${nameText("a")}, 'logoUrl', a.logo_url),
    'team2', json_build_object('slug', ${slugText("b")}, 'name', ${nameText("b")}, 'logoUrl', b.logo_url),
    'tournament', json_build_object('id', t.tournament_id, 'name', t.name),
    'maps', COALESCE((
      SELECT json_agg(json_build_object('mapNumber', map_number, 'mapName', map_name, 'mode', mode, 'team1Score', team1_score,
        'team2Score', team2_score, 'winnerSlug', winner_slug, 'played', played, 'pickedBy', picked_by,
        'durationSeconds', duration_seconds) ORDER BY map_number)
      FROM cod_maps WHERE match_id = m.match_id), '[]'),
    'lines', COALESCE((
      SELECT json_agg(json_build_object('mapNumber', map_number, 'playerId', l.player_id, 'ign', COALESCE(p.ign, l.player_id),
        'teamSlug', team_slug, 'kills', kills, 'deaths', deaths, 'assists', assists, 'damage', damage, 'hillTime', hill_time,
        'firstBloods', first_bloods, 'plants', plants, 'defuses', defuses, 'highestStreak', highest_streak, 'rating', rating)
        ORDER BY map_number, kills DESC NULLS LAST, l.player_id)
      FROM cod_player_lines l LEFT JOIN cod_players p ON p.player_id = l.player_id WHERE match_id = m.match_id), '[]'))`
