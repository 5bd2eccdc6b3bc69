/**
 * SQL expressions that build the models of `contract/http/data/gameModels.ts` as JSON, for statements that select from
 * `cs2_games g` and `cs2_series s` and include {@link gameJoins}.
 */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import { ASSETS_ROOT } from "../../contract/http/assetPaths.ts"
import { LIVE_SOURCE, SIMULATOR_SOURCE } from "../../rules/archive/sources.ts"
import { RATING_FORMULA, RATING_VERSION } from "../../rules/rating.ts"
import { playerText, teamText } from "../fragments.ts"
import { roundedShareText, roundedText } from "../rates.ts"

/** `cs2-match-<n>-map-<k>`. `row` is the alias of a table with the numbers of the match and the map. */
export const gameIdText = (row: string): string => `cs2_match_id(${row}.match_number) || '-map-' || ${row}.map_number`

/** `live_evt_<k>` for live matches, `demo_evt_<k>` for events read from a demo (a recording of the match). */
export const eventIdText = (e: string, g: string): string =>
  `(CASE WHEN ${g}.source IN ('${LIVE_SOURCE}', '${SIMULATOR_SOURCE}') THEN 'live_evt_' ELSE 'demo_evt_' END || ${e}.ordinal)`

const mapImage = (g: string): string => `'${ASSETS_ROOT}/maps/' || ${g}.map_id || '.svg'`

const onGame = (row: string, g = "g"): string => `${row}.match_number = ${g}.match_number AND ${row}.map_number = ${g}.map_number`

/** Tables with details of a map. The named column is never null, because it is part of the table's primary key. */
const depths = {
  cs2_player_games: "player_number",
  cs2_rounds: "round",
  cs2_game_events: "ordinal",
  cs2_weapon_games: "player_number",
} as const

/** True if the table has a row for the map. Reads one index entry: with EXISTS, the planner would scan the table. */
const exists = (table: keyof typeof depths, g = "g"): string =>
  `((SELECT min(x.${depths[table]}) FROM ${table} x WHERE ${onGame("x", g)}) IS NOT NULL)`

export const gameScoreText = (g: string): string => `jsonb_build_object(
    'entityType', 'cs2_game', 'id', ${gameIdText(g)}, 'matchId', cs2_match_id(${g}.match_number), 'mapNumber', ${g}.map_number,
    'map', ${g}.map_id, 'status', ${g}.status, 'resultType', ${g}.result_type,
    'team1Score', ${g}.team1_score, 'team2Score', ${g}.team2_score, 'pickTeamId', cs2_team_id(${g}.pick_team_number),
    'winnerTeamId', cs2_team_id(${g}.winner_team_number), 'durationRounds', ${g}.rounds, 'mapImageUrl', ${mapImage(g)},
    'playerStatsAvailable', ${exists("cs2_player_games", g)}, 'roundsAvailable', ${exists("cs2_rounds", g)},
    'eventsAvailable', ${exists("cs2_game_events", g)})`

export const gameScoreJson = (sql: PgClient.PgClient): Fragment => sql.literal(gameScoreText("g"))

/** At most 1, because a source may count the two differently. Null if either is null or the whole is 0. */
const share = (part: string, whole: string): string =>
  `(CASE WHEN ${part} > ${whole} THEN 1 ELSE round(${part}::numeric / NULLIF(${whole}, 0), 4) END)`

/**
 * For a row `l` of cs2_player_games, with its map `g`, player `p` and team `t`. Without kills, the headshot percentage
 * is 0. Without opening duels, in contrast, the success rate in opening duels is null.
 */
const playerStatsText = `jsonb_build_object(
    'entityType', 'cs2_player_stat', 'id', ${gameIdText("l")} || '-' || cs2_player_id(l.player_number), 'mapId', ${gameIdText("l")},
    'matchId', cs2_match_id(l.match_number), 'playerId', cs2_player_id(l.player_number), 'playerName', p.nickname,
    'teamId', cs2_team_id(l.team_number), 'teamName', t.name,
    'kills', l.kills, 'deaths', l.deaths, 'assists', l.assists, 'plusMinus', l.kills - l.deaths, 'headshots', l.headshots,
    'firstKills', l.first_kills, 'firstDeaths', l.first_deaths, 'openingKills', l.first_kills, 'openingDeaths', l.first_deaths,
    'adr', ${roundedText("l.adr")}, 'kast', ${roundedShareText("l.kast")},
    'headshotPercent', CASE WHEN l.kills > 0 THEN ${share("l.headshots", "l.kills")} ELSE l.headshots * 0 END,
    'rating', ${roundedText("l.rating")}, 'ratingVersion', '${RATING_VERSION}', 'lastSyncedAt', iso_utc(l.last_synced_at),
    'mapNameCanonical', g.map_id, 'imageUrl', ${mapImage("g")}, 'mapImageUrl', ${mapImage("g")}, 'coverImageUrl', ${mapImage("g")},
    'player', ${playerText("p")}, 'team', ${teamText("t")},
    'ratingProfile', jsonb_build_object(
      'rating', ${roundedText("l.rating")}, 'ratingVersion', '${RATING_VERSION}',
      'components', jsonb_build_object('killsPerMap', l.kills, 'adr', ${roundedText("l.adr")}, 'kast', ${roundedShareText("l.kast")},
        'killsPlusAssistsPerDeath', ${roundedText("(l.kills + l.assists)::numeric / GREATEST(1, l.deaths)")}),
      'openingDuels', jsonb_build_object('openingKills', l.first_kills, 'openingDeaths', l.first_deaths,
        'successRate', ${share("l.first_kills", "(l.first_kills + l.first_deaths)")}),
      'formula', '${RATING_FORMULA}'),
    'availableSubresources', to_jsonb(array_remove(ARRAY[
      CASE WHEN ${exists("cs2_rounds")} THEN 'rounds' END, CASE WHEN ${exists("cs2_game_events")} THEN 'events' END], NULL)),
    'rounds', l.rounds, 'flashAssists', l.flash_assists, 'utilityDamage', l.utility_damage,
    'clutchAttempts', l.clutch_attempts, 'clutchesWon', l.clutches_won)`

export const playerStatsJson = (sql: PgClient.PgClient): Fragment => sql.literal(playerStatsText)

/** For statements that select from `cs2_player_games l`. */
export const playerStatsJoins = (sql: PgClient.PgClient): Fragment =>
  sql.literal("JOIN cs2_players p ON p.player_number = l.player_number JOIN cs2_teams t ON t.team_number = l.team_number")

const playerStatsOrderText = "l.team_number <> s.team1_number, l.rating DESC NULLS LAST, l.kills DESC, l.player_number"

const linesText = `COALESCE((
      SELECT jsonb_agg(${playerStatsText} ORDER BY ${playerStatsOrderText})
      FROM cs2_player_games l
      JOIN cs2_players p ON p.player_number = l.player_number
      JOIN cs2_teams t ON t.team_number = l.team_number
      WHERE ${onGame("l")}), '[]')`

/**
 * `game_has` states which details the map has. Its `OFFSET 0` makes PostgreSQL compute this once instead of at each
 * use. `bombs` contains the bomb events of the map, as rows and as counts per team, team 1 first.
 */
export const gameJoins = (sql: PgClient.PgClient): Fragment =>
  sql.literal(`
    CROSS JOIN LATERAL (
      SELECT ${exists("cs2_player_games")} AS lines, ${exists("cs2_rounds")} AS rounds, ${exists("cs2_game_events")} AS events,
        ${exists("cs2_weapon_games")} AS weapons OFFSET 0) AS game_has
    CROSS JOIN LATERAL (
      WITH bomb AS (
        SELECT b.ordinal, b.type, b.round, b.observed_at, bp.real_name, bp.nickname, ${eventIdText("b", "g")} AS event_id,
          b.payload->'ctPlayers' AS ct_players, b.payload->'tPlayers' AS t_players,
          COALESCE(CASE WHEN b.payload->>'bombSite' IN ('A', 'B') THEN b.payload->>'bombSite' END, r.bomb_site) AS site,
          CASE b.type WHEN 'BombDefused' THEN r.ct_team_number ELSE r.t_team_number END AS team_number
        FROM cs2_game_events b
        LEFT JOIN cs2_players bp ON bp.player_number = b.player_number
        LEFT JOIN cs2_rounds r ON ${onGame("r", "b")} AND r.round = b.round
        WHERE ${onGame("b")} AND b.type IN ('BombPlanted', 'BombDefused', 'BombExploded'))
      SELECT
        (SELECT jsonb_agg(jsonb_build_object('eventId', event_id, 'eventType', type, 'playerName', real_name, 'playerNick', nickname,
            'ctPlayers', ct_players, 'tPlayers', t_players, 'bombSite', site, 'observedAt', iso_utc(observed_at)) ORDER BY ordinal)
          FROM bomb) AS events,
        (SELECT jsonb_agg(jsonb_build_object('round', round, 'eventType', type, 'teamId', cs2_team_id(team_number), 'bombSite', site)
            ORDER BY ordinal) FROM bomb) AS round_events,
        (SELECT jsonb_agg(jsonb_build_object('teamId', cs2_team_id(of_team.team_number), 'plants', of_team.plants,
            'defuses', of_team.defuses, 'explosions', of_team.explosions, 'clutchDefuses', of_team.clutch_defuses) ORDER BY of_team.place)
          FROM (
            SELECT side.place, side.team_number,
              count(*) FILTER (WHERE bomb.type = 'BombPlanted') AS plants,
              count(*) FILTER (WHERE bomb.type = 'BombDefused') AS defuses,
              count(*) FILTER (WHERE bomb.type = 'BombExploded') AS explosions,
              CASE WHEN count(*) FILTER (WHERE bomb.type = 'BombDefused' AND bomb.ct_players IS NULL) = 0
                THEN count(*) FILTER (WHERE bomb.type = 'BombDefused' AND bomb.ct_players = '1') END AS clutch_defuses
            FROM (VALUES (1, s.team1_number), (2, s.team2_number)) AS side (place, team_number)
            LEFT JOIN bomb ON bomb.team_number = side.team_number
            GROUP BY side.place, side.team_number) AS of_team) AS teams) AS bombs`)

/**
 * Sources report plants, defuses and explosions. Whether a defusing player was the last one alive on the team is
 * inferred from kills, so the confidence of this value is only medium.
 */
const objectiveStatsText = `jsonb_build_object(
    'dataAvailable', game_has.events, 'unavailableReason', CASE WHEN NOT game_has.events THEN 'not_yet_indexed' END,
    'confidence', '{"plants": "high", "defuses": "high", "explosions": "high", "clutchDefuse": "medium"}'::jsonb,
    'teamStats', CASE WHEN game_has.events THEN bombs.teams ELSE '[]' END, 'roundEvents', COALESCE(bombs.round_events, '[]'))`

const halvesOf = (team: 1 | 2): string =>
  `(SELECT jsonb_agg(h->'team${team}' ORDER BY (h->>'number')::integer) FROM jsonb_array_elements(g.halves) AS h)`

const subresources = (available: boolean): string => `to_jsonb(array_remove(ARRAY[
      CASE WHEN game_has.lines = ${available} THEN 'playerStats' END,
      CASE WHEN game_has.events = ${available} THEN 'bombEvents' END,
      CASE WHEN game_has.events = ${available} THEN 'objectiveStats' END,
      CASE WHEN game_has.weapons = ${available} THEN 'weaponAggregates' END,
      CASE WHEN game_has.rounds = ${available} THEN 'rounds' END,
      CASE WHEN game_has.events = ${available} THEN 'events' END,
      CASE WHEN (jsonb_array_length(COALESCE(s.demo_links, '[]')) > 0) = ${available} THEN 'demos' END], NULL))`

export const mapOfMatchJson = (sql: PgClient.PgClient): Fragment =>
  sql.literal(`jsonb_build_object(
    'entityType', 'cs2_map', 'id', ${gameIdText("g")}, 'matchId', cs2_match_id(g.match_number), 'mapNumber', g.map_number,
    'mapName', g.map_id, 'status', g.status, 'team1Score', g.team1_score, 'team2Score', g.team2_score,
    'team1Halves', ${halvesOf(1)}, 'team2Halves', ${halvesOf(2)}, 'winnerTeamId', cs2_team_id(g.winner_team_number),
    'durationRounds', g.rounds, 'lastSyncedAt', iso_utc(g.last_synced_at), 'playerStats', ${linesText},
    'bombEvents', COALESCE(bombs.events, '[]'), 'bombStats', CASE WHEN game_has.events THEN bombs.teams ELSE '[]' END,
    'weaponAggregates', COALESCE((
      SELECT jsonb_agg(jsonb_build_object('weapon', w.weapon, 'weaponIconUrl', '${ASSETS_ROOT}/weapons/' || w.weapon || '.svg',
        'kills', w.kills, 'headshots', w.headshots, 'headshotPercent', COALESCE(${share("w.headshots", "w.kills")}, 0))
        ORDER BY w.kills DESC, w.weapon)
      FROM (SELECT weapon, sum(kills) AS kills, sum(headshots) AS headshots FROM cs2_weapon_games x WHERE ${onGame("x")} GROUP BY weapon)
        AS w), '[]'),
    'mapImageUrl', ${mapImage("g")}, 'pickTeamId', cs2_team_id(g.pick_team_number), 'objectiveStats', ${objectiveStatsText},
    'availableSubresources', ${subresources(true)}, 'unavailableSubresources', ${subresources(false)},
    'unavailableFields', COALESCE((
      SELECT jsonb_object_agg(field, '{"reason": "map_field_unavailable"}'::jsonb)
      FROM (VALUES ('team1Score', g.team1_score IS NULL), ('team2Score', g.team2_score IS NULL), ('team1Halves', g.halves IS NULL),
        ('team2Halves', g.halves IS NULL), ('durationRounds', g.rounds IS NULL),
        ('pickTeamId', g.pick_team_number IS NULL AND s.veto IS NULL)) AS f (field, missing)
      WHERE missing), '{}'),
    'dataQuality', g.data_quality)`)

export const gameJson = (sql: PgClient.PgClient): Fragment =>
  sql.literal(`jsonb_build_object(
    'id', ${gameIdText("g")}, 'entityType', 'cs2_game', 'matchId', cs2_match_id(g.match_number), 'mapNumber', g.map_number,
    'map', g.map_id, 'pickTeamId', cs2_team_id(g.pick_team_number), 'winnerTeamId', cs2_team_id(g.winner_team_number),
    'score', jsonb_build_object('team1', g.team1_score, 'team2', g.team2_score),
    'halfScores', (
      SELECT jsonb_agg(jsonb_build_object('half', h->'number', 'team1', h->'team1', 'team2', h->'team2', 'team1Side', h->'team1Side',
        'team2Side', CASE h->>'team1Side' WHEN 'CT' THEN 'T' WHEN 'T' THEN 'CT' END, 'overtime', COALESCE(h->'overtime', 'false'))
        ORDER BY (h->>'number')::integer)
      FROM jsonb_array_elements(g.halves) AS h),
    'team1Halves', ${halvesOf(1)}, 'team2Halves', ${halvesOf(2)},
    'overtime', (
      SELECT jsonb_build_object('team1', sum((h->>'team1')::integer), 'team2', sum((h->>'team2')::integer))
      FROM jsonb_array_elements(g.halves) AS h WHERE (h->>'overtime')::boolean HAVING count(*) > 0),
    'durationRounds', g.rounds,
    'duration', jsonb_build_object('rounds', g.rounds, 'source', CASE WHEN game_has.rounds THEN 'rounds' ELSE 'score' END,
      'seconds', round(g.duration_ms / 1000.0)),
    'status', g.status, 'resultType', g.result_type, 'resultStatus', CASE g.status WHEN 'completed' THEN 'final' ELSE 'pending' END,
    'isForfeit', g.result_type = 'forfeit', 'statsEligible', g.result_type = 'played' AND g.status = 'completed',
    'unavailableReason', CASE WHEN NOT game_has.lines THEN 'not_yet_indexed' END, 'playerStatsAvailable', game_has.lines,
    'playerStats', ${linesText}, 'roundsAvailable', game_has.rounds, 'objectiveStats', ${objectiveStatsText})`)
