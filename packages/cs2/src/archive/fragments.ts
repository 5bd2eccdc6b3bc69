/**
 * SQL expressions that build the models of `contract/http/data/models.ts` as JSON from archive rows. Repositories
 * insert them into their statements and decode the result with the same models, so no second mapping is needed. Each
 * argument is the alias of a table in the statement.
 */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import { roundedText } from "./rates.ts"
import { visibleResultSql } from "./visibleResults.ts"

export const teamJson = (sql: PgClient.PgClient, t: string): Fragment => sql.literal(teamText(t))

export const teamText = (t: string): string => `jsonb_build_object(
    'id', cs2_team_id(${t}.team_number), 'name', ${t}.name, 'slug', ${t}.slug, 'teamTag', ${t}.tag, 'logoUrl', ${t}.logo_url,
    'countryName', ${t}.country_name, 'countryCode', ${t}.country_code, 'region', ${t}.region, 'worldRanking', ${t}.world_ranking,
    'lastSyncedAt', iso_utc(${t}.last_synced_at), 'lastVerified', iso_utc(${t}.last_verified), 'confidence', ${t}.confidence,
    'alternateLogoUrl', ${t}.alternate_logo_url, 'darkUiLogoUrl', ${t}.dark_ui_logo_url)`

export const playerCardJson = (sql: PgClient.PgClient, p: string): Fragment => sql.literal(playerCardText(p))

export const playerCardText = (p: string): string => `jsonb_build_object(
    'id', cs2_player_id(${p}.player_number), 'nickname', ${p}.nickname, 'slug', ${p}.slug, 'imageUrl', ${p}.image_url,
    'countryName', ${p}.country_name, 'countryCode', ${p}.country_code)`

export const playerJson = (sql: PgClient.PgClient, p: string): Fragment => sql.literal(playerText(p))

export const playerText = (p: string): string => `jsonb_build_object(
    'id', cs2_player_id(${p}.player_number), 'nickname', ${p}.nickname, 'slug', ${p}.slug, 'realName', ${p}.real_name,
    'imageUrl', ${p}.image_url, 'countryName', ${p}.country_name, 'countryCode', ${p}.country_code,
    'age', extract(year FROM age(current_date, ${p}.birth_date))::integer, 'rating', ${roundedText(`${p}.career_rating`)}, 'mapsPlayed', ${p}.maps_played,
    'careerStats', jsonb_build_object('rating', ${roundedText(`${p}.career_rating`)}, 'lastKnownRating', ${roundedText(`${p}.last_rating`)}),
    'currentTeamId', cs2_team_id(${p}.current_team_number), 'status', ${p}.status, 'primaryRole', ${p}.primary_role,
    'roleConfidence', ${p}.role_confidence, 'statusUpdatedAt', iso_utc(${p}.status_updated_at),
    'lastSyncedAt', iso_utc(${p}.last_synced_at), 'lastVerified', iso_utc(${p}.last_verified))`

/** From 0 to 1. High: reports merged by hand-checked keys. Medium: by name and roster. Low: by name alone. */
const confidenceScore = (alias: string) => `CASE ${alias}.confidence WHEN 'high' THEN 0.95 WHEN 'medium' THEN 0.75 ELSE 0.4 END`

/** Status by the start and end dates, which the archive derives from matches if no source reports them. */
export const eventStatus = (sql: PgClient.PgClient, e: string): Fragment => sql.literal(eventStatusText(e))

export const eventStatusText = (e: string): string => `CASE
    WHEN ${e}.ends_at < now() THEN 'completed'
    WHEN ${e}.starts_at <= now() THEN 'live'
    ELSE 'upcoming' END`

/** Structure, prizes, statistics and standings are empty: only requests for a single event return them. */
export const eventJson = (sql: PgClient.PgClient, e: string): Fragment =>
  sql.literal(`(jsonb_build_object(
    'entityType', 'cs2_event', 'eventId', cs2_event_id(${e}.event_number), 'id', cs2_event_id(${e}.event_number), 'name', ${e}.name,
    'slug', ${e}.slug, 'status', ${eventStatusText(e)}, 'confirmedStatus', ${e}.confirmed_status,
    'startsAt', iso_utc(${e}.starts_at), 'endsAt', iso_utc(${e}.ends_at), 'tier', ${e}.tier, 'prestigeScore', ${e}.prestige_score,
    'region', ${e}.region, 'isLan', ${e}.is_lan, 'location', ${e}.location, 'prizePool', ${prizePool(e)}, 'currency', ${e}.currency,
    'format', ${e}.format, 'logoUrl', ${e}.logo_url, 'imageUrl', ${e}.image_url, 'bannerImageUrl', ${e}.banner_image_url,
    'hasBracketStructure', ${e}.structure IS NOT NULL,
    'lastSyncedAt', iso_utc(${e}.last_synced_at), 'eventStructure', NULL, 'prizeDistribution', NULL, 'stats', NULL,
    'unavailableFields', ${unavailableEventFields(e)},
    'dataQuality', ${e}.data_quality, 'confidence', ${e}.confidence, 'confidenceScore', ${confidenceScore(e)},
    'lastVerified', iso_utc(${e}.last_verified), 'standings', '[]'::jsonb) || ${eventContents(e)})`)

/** Subresources that an event has. Counts rows by index: with EXISTS, the planner would scan tables for a row. */
const eventContents = (e: string): string => `(
      SELECT jsonb_build_object('teamCount', of_teams.teams, 'standingsAvailable', ${standingsAvailable(e)},
        'availableSubresources', ${eventSubresources(e, true)}, 'unavailableSubresources', ${eventSubresources(e, false)})
      FROM (SELECT count(*) AS teams FROM cs2_event_teams et WHERE et.event_number = ${e}.event_number) AS of_teams,
        (SELECT count(*) AS matches, count(*) FILTER (WHERE es.status = 'completed') AS results,
            count(*) FILTER (WHERE ${visibleResultSql("es")}) AS settled
          FROM cs2_series es WHERE es.event_number = ${e}.event_number) AS of_matches)`

/** Before an event begins, it may have participants, but it has no standings. */
const standingsAvailable = (e: string): string => `(of_matches.settled > 0 OR (of_teams.teams > 0 AND ${eventStatusText(e)} <> 'upcoming'))`

const eventSubresources = (e: string, available: boolean): string => `to_jsonb(array_remove(ARRAY[
          CASE WHEN (of_teams.teams > 0) = ${available} THEN 'teams' END, CASE WHEN (of_matches.matches > 0) = ${available} THEN 'matches' END,
          CASE WHEN (of_matches.results > 0) = ${available} THEN 'results' END,
          CASE WHEN ${standingsAvailable(e)} = ${available} THEN 'standings' END], NULL))`

/** The reported prize pool or, if there is none, the one that `EventPrizes` derived. */
const prizePool = (e: string): string => `COALESCE(${e}.prize_pool, ${e}.derived_prize_pool)`

/** One key per field that no source reported: clients can distinguish "not reported" from "does not exist". */
const unavailableEventFields = (e: string): string => `(
      SELECT COALESCE(jsonb_object_agg(field, '{"reason": "event_field_unavailable"}'::jsonb), '{}'::jsonb)
      FROM (VALUES ('startsAt', ${e}.starts_at IS NULL), ('endsAt', ${e}.ends_at IS NULL), ('tier', ${e}.tier IS NULL),
        ('location', ${e}.location IS NULL), ('prizePool', ${prizePool(e)} IS NULL), ('format', ${e}.format IS NULL)) AS f (field, missing)
      WHERE missing)`

/** The event may be missing. Veto and links are stored as the API returns them, but the veto's teams as numbers. */
export const matchJson = (sql: PgClient.PgClient, s: string, t1: string, t2: string, e: string): Fragment =>
  sql`jsonb_build_object(
    'id', ${sql.literal(`cs2_match_id(${s}.match_number)`)}, 'eventId', ${sql.literal(`cs2_event_id(${s}.event_number)`)},
    ${sql.literal(`'eventName', ${e}.name, 'eventSlug', ${e}.slug, 'stageName', ${s}.stage_name,
    'startsAt', iso_utc(${s}.starts_at), 'endsAt', iso_utc(${s}.ends_at), 'bestOf', ${s}.best_of, 'status', ${s}.status,
    'team1Id', cs2_team_id(${s}.team1_number), 'team2Id', cs2_team_id(${s}.team2_number),
    'team1Name', ${t1}.name, 'team2Name', ${t2}.name, 'team1Score', ${s}.team1_score, 'team2Score', ${s}.team2_score,
    'winnerTeamId', cs2_team_id(${s}.winner_team_number),
    'liveState', jsonb_build_object('status', ${s}.status, 'team1Score', ${s}.team1_score, 'team2Score', ${s}.team2_score,
      'winnerTeamId', cs2_team_id(${s}.winner_team_number)),
    'vetoOrder', (SELECT jsonb_agg(jsonb_build_object('order', v->'order', 'action', v->'action',
        'teamId', cs2_team_id((v->>'teamNumber')::bigint), 'mapName', v->'map') ORDER BY (v->>'order')::integer)
      FROM jsonb_array_elements(${s}.veto) AS v),
    'streamLinks', ${s}.stream_links, 'vodLinks', COALESCE(${s}.vod_links, '[]'::jsonb),
    'lastSyncedAt', iso_utc(${s}.last_synced_at), 'lastVerified', iso_utc(${s}.last_verified), 'confidence', ${s}.confidence,
    'dataQuality', ${s}.data_quality`)},
    'event', ${sql.literal(`${e}_told.json`)})`

/**
 * Joins t1, t2 and e, which {@link matchJson} needs in a statement that selects from `cs2_series s`. The event's JSON
 * is built in a join so that PostgreSQL reuses it for all matches of the same event.
 */
export const matchJoins = (sql: PgClient.PgClient): Fragment =>
  sql`
    JOIN cs2_teams t1 ON t1.team_number = s.team1_number
    JOIN cs2_teams t2 ON t2.team_number = s.team2_number
    LEFT JOIN cs2_events e ON e.event_number = s.event_number
    LEFT JOIN LATERAL (SELECT ${eventJson(sql, "held")} AS json FROM cs2_events held WHERE held.event_number = s.event_number OFFSET 0)
      AS e_told ON true`
