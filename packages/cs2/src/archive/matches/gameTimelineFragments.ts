/** SQL expressions that build a map's rounds and events, for statements that select from `cs2_games g`. */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import { eventIdText, gameIdText } from "./gameFragments.ts"

/** Converts the win type of live data, such as 'Target_Bombed', to a win kind such as 'bomb'. Others are 'unknown'. */
const WIN_KINDS = `CASE r.win_type
      WHEN 'Target_Bombed' THEN 'bomb' WHEN 'Bomb_Defused' THEN 'defuse' WHEN 'CTs_Win' THEN 'elimination'
      WHEN 'Terrorists_Win' THEN 'elimination' WHEN 'Target_Saved' THEN 'time' WHEN 'CTs_Surrender' THEN 'surrender'
      WHEN 'Terrorists_Surrender' THEN 'surrender' ELSE 'unknown' END`

/** For a row `r` of cs2_rounds, with its map `g` and match `s`. */
export const gameRoundJson = (sql: PgClient.PgClient): Fragment =>
  sql.literal(`jsonb_build_object(
    'entityType', 'cs2_round', 'id', ${gameIdText("g")} || '-round-' || r.round, 'mapId', ${gameIdText("g")}, 'round', r.round,
    'winner', CASE r.winner_side WHEN 'T' THEN 'TERRORIST' ELSE 'CT' END, 'winnerTeamId', cs2_team_id(r.winner_team_number),
    'winType', CASE ${WIN_KINDS} WHEN 'unknown' THEN 'Unknown' ELSE r.win_type END, 'winKind', ${WIN_KINDS},
    'ctTeamId', cs2_team_id(r.ct_team_number), 'tTeamId', cs2_team_id(r.t_team_number),
    'counterTerroristScore', CASE WHEN r.ct_team_number = s.team1_number THEN r.team1_score ELSE r.team2_score END,
    'terroristScore', CASE WHEN r.ct_team_number = s.team1_number THEN r.team2_score ELSE r.team1_score END,
    'team1Score', r.team1_score, 'team2Score', r.team2_score,
    'ctEquipmentValue', r.ct_equipment_value, 'tEquipmentValue', r.t_equipment_value, 'ctBuyType', r.ct_buy_type, 'tBuyType', r.t_buy_type,
    'bombSite', r.bomb_site, 'durationSeconds', round(r.duration_ms / 1000.0, 1))`)

const siteText = `CASE WHEN v.payload->>'bombSite' IN ('A', 'B') THEN v.payload->>'bombSite' ELSE '' END`

/** Fields of all event types. The numbers of living players are 0 for events archived before they were recorded. */
const knownText = `'tPlayers', COALESCE(v.payload->'tPlayers', '0'), 'ctPlayers', COALESCE(v.payload->'ctPlayers', '0'),
    'playerName', COALESCE(p.real_name, p.nickname, ''), 'playerNick', COALESCE(p.nickname, '')`

const observedText = `COALESCE(v.observed_at, g.played_at + COALESCE(v.clock_ms, 0) * interval '1 millisecond')`

/** For a row `v` of cs2_game_events. Needs {@link gameEventJoins}. */
export const gameEventJson = (sql: PgClient.PgClient): Fragment =>
  sql.literal(`jsonb_build_object(
    'id', ${eventIdText("v", "g")}, 'eventId', ${eventIdText("v", "g")}, 'type', v.type, 'eventType', v.type, 'round', v.round,
    'source', g.source,
    'payload', jsonb_build_object(${knownText}) || v.payload || jsonb_build_object('bombSite', ${siteText}),
    'bombSite', ${siteText}, ${knownText}, 'observedAt', iso_utc(${observedText}), 'clockSeconds', round(v.clock_ms / 1000.0, 1),
    'playerId', cs2_player_id(v.player_number), 'victimPlayerId', cs2_player_id(v.victim_number), 'victimNick', victim.nickname,
    'assisterPlayerId', cs2_player_id(v.assister_number), 'weapon', v.weapon, 'headshot', v.headshot)`)

export const gameEventJoins = (sql: PgClient.PgClient): Fragment =>
  sql.literal(`
    LEFT JOIN cs2_players p ON p.player_number = v.player_number
    LEFT JOIN cs2_players victim ON victim.player_number = v.victim_number`)
